"""A Pharo image from outside: finding it, asking it, and what can be wrong with it.

Nothing here knows MCP.
"""
