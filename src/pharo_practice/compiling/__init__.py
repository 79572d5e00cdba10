"""From a tree of nodes to code that the machine runs."""
