"""The error messages in README.md begin as the real ones do; SECURITY.md has the real statuses."""

import re

import pytest

from examples.pages import ROOT, matches
from pharo_mcp.image.connection.current_connection import ANOTHER, RESTARTED
from pharo_mcp.image.errors import (
    AnswerLost,
    ImageBusy,
    ImageSilent,
    ImageUnreachable,
    NoImageFound,
    OtherVersion,
    SeveralImages,
    StrangerOnPort,
    WrongToken,
)

URL = "http://127.0.0.1:50123"
MESSAGES = (
    str(NoImageFound("/home/me/.pharo-mcp/images", None, [])),
    str(SeveralImages(["Zoo", "Shop"])),
    str(ImageUnreachable(URL)),
    str(ImageSilent(URL)),
    str(StrangerOnPort(URL, "its answer is not valid")),
    str(WrongToken(URL)),
    str(OtherVersion(URL, "0.0.1", companion_is_older=True)),
    str(AnswerLost(URL, "the connection broke")),
    str(ImageBusy("The image is busy: its server accepts no more connections")),
    RESTARTED.format(name="Zoo"),
    ANOTHER.format(name="Zoo", url=URL),
)
TABLE = (ROOT / "README.md").read_text("utf-8").partition("| the message begins |")[2].partition("\n\n")[0]
BEGINNINGS = re.findall(r"^\| `([^`]+)` \|", TABLE, re.M)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_each_beginning_in_the_table_is_that_of_a_message(beginning: str) -> None:
    assert any(matches(f"{beginning}…", message) for message in MESSAGES)


@pytest.mark.parametrize("message", MESSAGES)
def test_each_message_is_in_the_table(message: str) -> None:
    assert any(matches(f"{beginning}…", message) for beginning in BEGINNINGS)


def test_each_refusal_in_the_security_page_has_the_status_of_the_companion() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    written = {kind: status for status, kind in re.findall(r"\| (\d{3}) \| `(\w+)` \|$", page, re.M)}
    source = (ROOT / "pharo" / "PharoMcp-Server" / "PmcReply.class.st").read_text("utf-8")
    table = dict(re.findall(r"'(\w+)' (\d{3})", source))
    assert written
    assert written == {kind: table[kind] for kind in written}
