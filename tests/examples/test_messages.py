"""The messages in docs/troubleshooting.md are real, and so are the statuses in docs/wire.md."""

import json
import re
from pathlib import Path

import pytest

from cli.running import run
from examples.pages import ROOT, matches
from pharo_mcp.cli.clients import own_entry
from pharo_mcp.image.connection import other_version
from pharo_mcp.image.errors import (
    AnswerLost,
    ImageBusy,
    ImageSilent,
    ImageUnreachable,
    StrangerOnPort,
    WrongToken,
)
from pharo_mcp.image.images import ANOTHER, OPENED_AGAIN, RESTARTED, LiveImage, no_image_found, several_images

URL = "http://127.0.0.1:50123"
MESSAGES = (
    str(no_image_found("/home/me/.pharo-mcp/images", None)),
    str(several_images([LiveImage(name, "Pharo 13.0", "", URL) for name in ("Zoo", "Shop")])),
    str(ImageUnreachable(URL)),
    str(ImageSilent(URL)),
    str(StrangerOnPort(URL, "its answer is not valid")),
    str(WrongToken(URL)),
    str(other_version(URL, "0.0.1", companion_is_older=True)),
    str(AnswerLost(URL, "the connection broke")),
    str(ImageBusy("The image is busy: its server accepts no more connections")),
    OPENED_AGAIN.format(name="Zoo"),
    RESTARTED.format(name="Zoo"),
    ANOTHER.format(name="Zoo", url=URL),
)
TROUBLES = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
TABLE = TROUBLES.partition("| the message begins |")[2].partition("\n\n")[0]
BEGINNINGS = re.findall(r"^\| `([^`]+)` \|", TABLE, re.M)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_each_beginning_in_the_table_is_that_of_a_message(beginning: str) -> None:
    assert any(matches(f"{beginning}…", message) for message in MESSAGES)


@pytest.mark.parametrize("message", MESSAGES)
def test_each_message_is_in_the_table(message: str) -> None:
    assert any(matches(f"{beginning}…", message) for beginning in BEGINNINGS)


def entry(**members: object) -> str:
    """A client's file with an entry."""
    return json.dumps({"mcpServers": {"pharo": members}})


QUOTED = set(re.findall(r'"([^"]+)"', TROUBLES)) - {"in my Pharo image"}
"""The messages that the page quotes; what is left out a person says to the assistant."""
CURSOR = ".cursor/mcp.json"
OF_SETUP = {
    "nothing to change": ("cursor", CURSOR, entry(**own_entry().members())),
    "pharo is another server, or one that `pharo-mcp setup` did not write": (
        "cursor",
        CURSOR,
        entry(url="http://127.0.0.1:8123/mcp"),
    ),
    "is not valid JSON": ("cursor", CURSOR, "{,}"),
}
"""What `pharo-mcp setup` prints, with its arguments, the client's file and the text in it."""
OF_IMAGES = {"did not answer"}
OF_PROGRAM = {
    "pharo-mcp requires Python 3.11 or newer": "__main__.py",
    "internal error": "cli/ending.py",
}
"""What tests/cli lets the program print, and where it is in its source."""


def test_each_message_that_the_page_quotes_is_looked_for() -> None:
    assert OF_SETUP.keys() | OF_IMAGES | OF_PROGRAM.keys() == QUOTED


@pytest.mark.parametrize("quoted", OF_SETUP)
def test_setup_prints_what_the_page_quotes(home: Path, quoted: str) -> None:
    arguments, name, text = OF_SETUP[quoted]
    (home / name).parent.mkdir()
    (home / name).write_text(text, "utf-8")
    result = run("setup", *arguments.split(), home=home)
    assert quoted in result.stdout + result.stderr


@pytest.mark.parametrize("quoted", sorted(OF_IMAGES))
def test_a_call_returns_what_the_page_quotes(quoted: str) -> None:
    assert any(quoted in message for message in MESSAGES)


@pytest.mark.parametrize("quoted", OF_PROGRAM)
def test_the_program_has_what_the_page_quotes(quoted: str) -> None:
    assert quoted in (ROOT / "src" / "pharo_mcp" / OF_PROGRAM[quoted]).read_text("utf-8")


def test_each_refusal_in_the_page_of_the_wire_has_the_status_of_the_companion() -> None:
    page = (ROOT / "docs" / "wire.md").read_text("utf-8")
    written = {kind: status for status, kind in re.findall(r"\| (\d{3}) \| `(\w+)` \|$", page, re.M)}
    source = (ROOT / "pharo" / "PharoMcp-Core" / "PmcReply.class.st").read_text("utf-8")
    table = dict(re.findall(r"'(\w+)' (\d{3})", source))
    assert written
    assert written == {kind: table[kind] for kind in written}
