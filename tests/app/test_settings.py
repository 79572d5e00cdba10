"""What can be set, and which word counts."""

from collections.abc import Mapping

import pytest

from pharo_mcp.app import Settings

URL = "http://127.0.0.1:50123"


@pytest.mark.parametrize(
    ("environ", "options", "expected"),
    [
        ({}, {}, Settings()),
        ({"PHARO_MCP_URL": ""}, {"url": None, "stand_in": False}, Settings()),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {}, Settings(image="Zoo")),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {}, Settings(url=URL, token="x")),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {"token": "y"}, Settings(url=URL, token="y")),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"structured": True}, Settings(image="Zoo", structured=True)),
        # a choice on the command line replaces the one of the environment
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"image": "Ark"}, Settings(image="Ark")),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"stand_in": True}, Settings(stand_in=True)),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {"image": "Ark"}, Settings(image="Ark")),
        ({"PHARO_MCP_TOKEN": "x"}, {"url": URL}, Settings(url=URL, token="x")),
        # which tools are listed has nothing to do with that choice
        ({"PHARO_MCP_TOOLS": "all"}, {"stand_in": True}, Settings(stand_in=True, tools="all")),
        ({"PHARO_MCP_TOOLS": "all"}, {"url": URL}, Settings(url=URL, tools="all")),
        ({"PHARO_MCP_TOOLS": "all"}, {"tools": "core"}, Settings()),
        ({"PHARO_MCP_TIMEOUT": "90"}, {"stand_in": True}, Settings(stand_in=True, timeout=90)),
        ({"PHARO_MCP_TIMEOUT": "90"}, {"timeout": 5.0}, Settings(timeout=5)),
    ],
)
def test_the_command_line_counts_before_the_environment(
    environ: Mapping[str, str], options: Mapping[str, object], expected: Settings
) -> None:
    assert Settings.read(environ, options) == expected


@pytest.mark.parametrize(
    ("environ", "options", "sentence"),
    [
        ({}, {"url": URL, "image": "Zoo"}, "give one of"),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_IMAGE": "Zoo"}, {}, "give one of"),
        ({}, {"stand_in": True, "image": "Zoo"}, "give one of"),
        ({"PHARO_MCP_TOKEN": "5ec2e7"}, {}, "a token belongs to an address"),
        ({}, {"url": "http://example.org:80"}, "must be like http://127.0.0.1:50123"),
        ({}, {"url": URL, "token": "5ec2e7 5ec2e7"}, "without spaces"),
        ({"PHARO_MCP_TOOLS": "most"}, {}, "say core or all"),
        ({"PHARO_MCP_TIMEOUT": "soon"}, {}, "soon is no timeout"),
        ({}, {"timeout": 4000.0}, "3600 at most"),
    ],
)
def test_what_cannot_be_followed_is_said_without_the_token(
    environ: Mapping[str, str], options: Mapping[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as raised:
        Settings.read(environ, options)
    assert "5ec2e7" not in str(raised.value)


@pytest.mark.parametrize(
    ("word", "expected"),
    [(None, False), ("", False), ("0", False), ("False", False), ("no", False), ("1", True), ("true", True)],
)
def test_the_environment_can_ask_for_reading_only(word: str | None, expected: bool) -> None:
    environ = {} if word is None else {"PHARO_MCP_READ_ONLY": word}
    assert Settings.read(environ).read_only is expected
    assert Settings.read({}, {"read_only": True}).read_only
    assert Settings.read({"PHARO_MCP_READ_ONLY": "1"}, {"image": "Zoo"}).read_only
