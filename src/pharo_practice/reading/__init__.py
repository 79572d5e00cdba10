"""Smalltalk source: from text to a tree of nodes. Nothing here knows what the names in it mean."""
