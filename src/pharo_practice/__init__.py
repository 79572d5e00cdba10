"""A practice image: a small Smalltalk in Python that loads Tonel and behaves as Pharo does.

Its packages, each of which imports only those before it:

- ``reading``: from source text to a tree of nodes
- ``model``: classes, methods, contexts and all other objects, and how they are found and changed
- ``tonel``: reading packages
- ``machine``: running code: processes, timers, limits; the registry of primitives
- ``compiling``: from a tree of nodes to code for the machine
- ``primitives``: what Smalltalk methods have Python do

The modules beside them boot the image, load packages, run tests and serve.
"""
