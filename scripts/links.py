"""Generate the links in docs/install.md that add pharo-mcp to a client, for cog."""

import base64
import json
from urllib.parse import quote

ENTRY = {"command": "uvx", "args": ["pharo-mcp"]}
"""The command of the published package: it needs nothing but uv."""


def one_click() -> str:
    """A link for each client that has some."""
    return f"- [Add to VS Code]({vs_code()})\n- [Add to Cursor]({cursor()})"


def vs_code() -> str:
    """A page that opens VS Code: many sites do not show links that open a program."""
    entry = json.dumps({"name": "pharo", "type": "stdio", **ENTRY})
    return f"https://insiders.vscode.dev/redirect?url={quote(f'vscode:mcp/install?{quote(entry)}', safe='')}"


def cursor() -> str:
    """A page that opens Cursor."""
    config = base64.b64encode(json.dumps(ENTRY).encode()).decode()
    return f"https://cursor.com/en/install-mcp?name=pharo&config={quote(config)}"
