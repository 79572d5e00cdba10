"""Settings from the command line and the environment."""

from collections.abc import Mapping

import pytest

from pharo_mcp.app.settings import Settings

URL = "http://127.0.0.1:50123"


@pytest.mark.parametrize(
    ("environ", "options", "expected"),
    [
        ({}, {}, Settings()),
        ({"PHARO_MCP_URL": ""}, {"url": None, "practice": False}, Settings()),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {}, Settings(image="Zoo")),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {}, Settings(url=URL, token="x")),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {"token": "y"}, Settings(url=URL, token="y")),
        ({"PHARO_MCP_PRACTICE": "1"}, {}, Settings(practice=True)),
        ({"PHARO_MCP_PRACTICE": "no"}, {}, Settings()),
        ({"PHARO_MCP_PRACTICE": "1"}, {"image": "Ark"}, Settings(image="Ark")),
        ({"PHARO_MCP_PRACTICE": "1"}, {"load": ["src"]}, Settings(practice=True, load=("src",))),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"read_only": True}, Settings(image="Zoo", read_only=True)),
        # an image chosen on the command line replaces the one in the environment
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"image": "Ark"}, Settings(image="Ark")),
        ({"PHARO_MCP_IMAGE": "Zoo"}, {"practice": True}, Settings(practice=True)),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_TOKEN": "x"}, {"image": "Ark"}, Settings(image="Ark")),
        ({"PHARO_MCP_TOKEN": "x"}, {"url": URL}, Settings(url=URL, token="x")),
        # other variables still apply
        ({"PHARO_MCP_TOOLS": "all"}, {"practice": True}, Settings(practice=True, tools="all")),
        ({"PHARO_MCP_TOOLS": "all"}, {"url": URL}, Settings(url=URL, tools="all")),
        ({"PHARO_MCP_TOOLS": "core"}, {"tools": "all"}, Settings()),
        ({"PHARO_MCP_TIMEOUT": "90"}, {"practice": True}, Settings(practice=True, timeout=90)),
        ({"PHARO_MCP_TIMEOUT": "90"}, {"timeout": 5.0}, Settings(timeout=5)),
    ],
)
def test_the_command_line_takes_precedence_over_the_environment(
    environ: Mapping[str, str], options: Mapping[str, object], expected: Settings
) -> None:
    assert Settings.read(environ, options) == expected


@pytest.mark.parametrize(
    ("environ", "options", "message"),
    [
        ({}, {"url": URL, "image": "Zoo"}, "exclude each other"),
        ({"PHARO_MCP_URL": URL, "PHARO_MCP_IMAGE": "Zoo"}, {}, "exclude each other"),
        ({}, {"practice": True, "image": "Zoo"}, "exclude each other"),
        ({}, {"load": ["src"]}, "--load is for the practice image: add --practice"),
        ({}, {"load": ["src"], "image": "Zoo"}, "--load is for the practice image"),
        ({"PHARO_MCP_TOKEN": "5ec2e7"}, {}, "a token requires a URL"),
        ({}, {"url": "http://example.org:80"}, "must be like http://127.0.0.1:50123"),
        ({}, {"url": URL, "token": "5ec2e7 5ec2e7"}, "without spaces"),
        ({"PHARO_MCP_TOOLS": "most"}, {}, "unknown --tools value most: use all, core, or names"),
        ({"PHARO_MCP_TIMEOUT": "soon"}, {}, "soon is not a number of seconds"),
        ({}, {"timeout": 4000.0}, "must be greater than 0 and at most 3600"),
    ],
)
def test_invalid_settings_are_reported_without_the_token(
    environ: Mapping[str, str], options: Mapping[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        Settings.read(environ, options)
    assert "5ec2e7" not in str(raised.value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, False), ("", False), ("0", False), ("False", False), ("no", False), ("1", True), ("true", True)],
)
def test_the_environment_can_set_read_only_and_confirm(value: str | None, expected: bool) -> None:
    environ = {} if value is None else {"PHARO_MCP_READ_ONLY": value, "PHARO_MCP_CONFIRM": value}
    assert Settings.read(environ).read_only is expected
    assert Settings.read(environ).confirm is expected
    assert Settings.read({}, {"confirm": True}).confirm
    assert Settings.read({}, {"read_only": True}).read_only
    assert Settings.read({"PHARO_MCP_READ_ONLY": "1"}, {"image": "Zoo"}).read_only
