"""A Pharo image from outside: finding it, asking it, and what can be wrong with it.

No MCP here. Importing this does not import httpcore; `warm` does, in advance.
"""
