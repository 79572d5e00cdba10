"""The links that add pharo-mcp to a client by one click, taken apart as the client does it."""

import base64
import json
import re
from urllib.parse import parse_qs, unquote, urlsplit

from examples.pages import ROOT
from pharo_mcp.cli.clients import Entry

PAGE = (ROOT / "docs" / "install.md").read_text("utf-8")
PUBLISHED = Entry("uvx", ("pharo-mcp",))


def query_of(title: str) -> dict[str, str]:
    """The query of a link, by its title."""
    [link] = re.findall(rf"\[{title}\]\((\S+)\)", PAGE)
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}


def test_vs_code_gets_the_published_command() -> None:
    scheme, _, entry = query_of("Add to VS Code")["url"].partition("?")
    assert scheme == "vscode:mcp/install"
    assert json.loads(unquote(entry)) == {"name": "pharo", "type": "stdio", **PUBLISHED.members()}


def test_cursor_gets_the_published_command() -> None:
    query = query_of("Add to Cursor")
    assert query["name"] == "pharo"
    assert json.loads(base64.b64decode(query["config"])) == PUBLISHED.members()


def test_setup_recognises_what_the_links_write() -> None:
    assert Entry.read(PUBLISHED.members()) == PUBLISHED
