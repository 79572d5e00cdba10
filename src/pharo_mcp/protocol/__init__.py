"""What MCP is about: tools, resources, prompts, their contents, and the differences between revisions.

Values and their wire form; no I/O, no JSON-RPC, no Pharo.
"""
