"""A practice image: a small Smalltalk in Python that loads Tonel and behaves as Pharo does."""
