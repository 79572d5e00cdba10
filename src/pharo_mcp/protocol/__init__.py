"""MCP's nouns: tools, resources and prompts, what results are made of, and what each revision has.

Values and their wire form; no I/O, no JSON-RPC, no Pharo.
The values are named tuples: `dataclasses` alone would cost as much start-up as all of this package.
"""
