"""What the tests of choosing an image share."""

import json
from pathlib import Path

from image.servers import TOKEN, Companion
from pharo_mcp.protocol.catalog import TextContent, ToolResult


def announce(folder: Path, image: Companion, name: str) -> str:
    """Write a connection file and return the line that lists that image."""
    url, path = image.address.url, f"/{name}.image"
    connection = {"url": url, "token": TOKEN, "name": name, "system": "Pharo 13.0", "image": path}
    (folder / f"{name}.json").write_text(json.dumps(connection), "utf-8")
    return f"{name} (Pharo 13.0) at {url}, {path}"


def text(result: ToolResult) -> str:
    """Return the text of a result."""
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text
