"""The parser: from Smalltalk source to a tree of nodes. Names are not resolved here."""
