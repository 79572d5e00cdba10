"""MCP's hints on what a tool may do, for those that share them. What they leave out is as MCP assumes it."""

READS = {"readOnlyHint": True, "openWorldHint": False}
"""It changes nothing."""

ADDS = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
"""It changes the image, and loses nothing that undo_change could not bring back."""

DESTROYS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
"""It takes something away; a second time it changes nothing more."""
