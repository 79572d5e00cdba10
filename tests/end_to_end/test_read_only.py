"""Reading only, by the human's choice: refused in the image, and not even offered in front of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from end_to_end.answers import failure, whole
from pharo_mcp.image.loading import practice_command
from programs import Client, LiveImage, Program, environment, running_images


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveImage]:
    """An image that its user has opened for reading only."""
    home = tmp_path_factory.mktemp("home")
    command = practice_command("PharoMcp startReadOnly", "'open'", ())
    with Program(command, environment(home)) as program:
        assert program.read_line() == b"open\n"
        [image] = running_images(home)
        yield image


@pytest.fixture(scope="module")
def reader(closed: LiveImage) -> Iterator[Client]:
    with Client(env=closed.env()) as client:
        client.shake_hands()
        yield client


ONE_OF_TWO: Mapping[str, dict[str, object]] = {
    "commit": {"preview": True},
    "edit_code": {"remove": ["Zoo"]},
    "run_tests": {"tests": ["Zoo"]},
    "stop_evaluation": {"all": True},
    "profile": {"expression": "3 + 4"},
    "refactor": {"kind": "rename_class", "class_name": "Zoo", "new_name": "Farm"},
    "undo_change": {"change": 1},
}
"""Arguments that a schema does not require, for tools that want one of two."""


def arguments_for(tool: Mapping[str, Any]) -> dict[str, object]:
    """Arguments that fit the schema of a tool; what they say matters to nobody."""
    schema = tool["inputSchema"]
    examples = {
        "string": "Object",
        "integer": 1,
        "number": 1,
        "boolean": True,
        "array": ["Object"],
        "object": {},
    }
    required = {name: schema["properties"][name] for name in schema.get("required", [])}
    fitting = {name: (each.get("enum") or [examples[each["type"]]])[0] for name, each in required.items()}
    return {**fitting, **ONE_OF_TWO.get(tool["name"], {})}


def test_the_image_refuses_exactly_the_endpoints_that_can_change_it(reader: Client) -> None:
    for tool in reader.request("tools/list")["result"]["tools"]:
        told = whole(reader.call(tool["name"], **arguments_for(tool)))
        reads_only = tool.get("annotations", {}).get("readOnlyHint", False)
        assert ("open for reading only" in told) is not reads_only, tool["name"]


def test_the_refusal_of_an_evaluation_explains_who_can_allow_it(reader: Client) -> None:
    told = failure(reader.call("evaluate", expression="3 + 4"))
    assert told.startswith("/evaluate may change the image, which is open for reading only")
    assert "PharoMcp start" in told


def test_the_status_reports_read_only_mode(reader: Client) -> None:
    assert "Read-only: whatever could change the image is refused" in whole(reader.call("get_status"))


def test_pharo_mcp_read_only_lists_only_tools_that_read(image: LiveImage) -> None:
    with Client("--read-only", env=image.env()) as client:
        client.shake_hands()
        tools = client.request("tools/list")["result"]["tools"]
        assert {tool["name"] for tool in tools} >= {"get_class", "get_evaluation"}
        assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
        refused = failure(client.call("evaluate", expression="3 + 4"))
        assert refused.startswith("evaluate can change the image, and this session is read-only.")
        assert "Object" in whole(client.call("get_class", class_name="Object"))
