"""A model's working day: from a package that it does not know to tests that are green, and back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from programs import Client
from scenarios.definitions import Definitions
from smalltalk_text import class_text, method_text

ADD = "add: anAnimal\n\n\t^ animals add: anAnimal"
BROKEN_ADD = "add: anAnimal\n\n\t^ animals add: "
WRONG_SIZE = "size\n\n\t^ animals size + 1"
SIZE = "size\n\n\t^ animals size"
INITIALIZE = "initialize\n\n\tsuper initialize.\n\tanimals := OrderedCollection new"
TEST = "testSize\n\n\tself assert: (ZooCage new add: #lion; yourself) size equals: 1"
EMPTY_TEST = "testIsEmptyAtFirst\n\n\tself assert: ZooCage new size equals: 0"


def text(result: Any) -> str:
    return "\n".join(content["text"] for content in result["content"])


class Model:
    """Calls tools, and expects most of them to succeed."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, tool: str, **arguments: object) -> str:
        """What a tool answers that succeeds."""
        result = self._client.call(tool, **arguments)
        assert not result["isError"], text(result)
        return text(result)

    def failing(self, tool: str, **arguments: object) -> str:
        """What a tool answers that fails."""
        result = self._client.call(tool, **arguments)
        assert result["isError"], text(result)
        return text(result)

    def last_change(self) -> int:
        """The number of the newest change; 0 without any."""
        found = re.search(r"^    (\d+): ", self("list_changes", limit=1), re.M)
        return int(found[1]) if found else 0


@pytest.fixture
def model(client: Client) -> Iterator[Model]:
    """A model, whose changes are undone whatever happens."""
    model = Model(client)
    mark = model.last_change()
    yield model
    model("undo_change", to=mark)


def test_a_working_day(client: Client, model: Model) -> None:
    definitions, mark = Definitions(client), model.last_change()

    # explore a package
    assert "Stack" in model("read_code", items=["Collections-Stack"], detail="outline")
    assert "push:" in model("get_class", class_name="Stack", include=["methods"])
    assert "addFirst: anObject" in model("read_code", items=["Stack>>push:"])

    # a class, and methods with a syntax error on the way
    defined = model(
        "edit_code", text=class_text("ZooCage", package="Zoo", slots=["animals"], comment="Animals.")
    )
    assert defined.startswith("Created ZooCage.")
    syntax_error = model.failing("edit_code", text=method_text("ZooCage", BROKEN_ADD))
    assert re.search(r"\(line 3, column 1\d?\)", syntax_error)
    assert re.search(r"\n    \t\^ animals add: ?\n    \t +\^", syntax_error)
    assert "Methods: (none)" in model("get_class", class_name="ZooCage", include=["methods"])
    for source in (ADD, WRONG_SIZE, INITIALIZE):
        assert "Added ZooCage>>" in model("edit_code", text=method_text("ZooCage", source))

    # a test class that shows a failure with its stack
    model("edit_code", text="TestCase << #ZooCageTest package: 'Zoo-Tests'")
    for source in (TEST, EMPTY_TEST):
        model("edit_code", text=method_text("ZooCageTest", source, "tests"))
    failed = model("run_tests", tests=["ZooCageTest"])
    assert ": 2 failures." in failed.splitlines()[0]
    assert "TestFailure: Got 2 instead of 1." in failed
    assert "    1 ZooCageTest>>testSize" in failed

    # fix it, and all is green
    assert "Replaced ZooCage>>" in model("edit_code", text=method_text("ZooCage", SIZE))
    assert ": 2 passed." in model("run_tests", tests=["Zoo-Tests"]).splitlines()[0]

    # what was done is known, and can be taken back
    listed = model("list_changes")
    assert "changedMethod ZooCage>>size, by edit_code" in listed
    assert "addedClass ZooCageTest, by edit_code" in listed
    assert "ZooCage" in definitions.changed()
    model("undo_change", to=mark)
    assert "There is no class" in model.failing("get_class", class_name="ZooCage")
    assert definitions.changed() == "#()"
    definitions.forget()


def test_a_change_that_another_came_after_is_not_undone_alone(model: Model) -> None:
    model("edit_code", text=class_text("ZooCage", package="Zoo"))
    model("edit_code", text=method_text("ZooCage", "size\n\n\t^ 1"))
    first = model.last_change()
    model("evaluate", expression="ZooCage compile: 'size ^ 2'")
    conflict = model.failing("undo_change", change=first)
    assert conflict.startswith("Nothing was undone")
    assert "size" in conflict
    assert "^ 2" in model("read_code", items=["ZooCage>>size"])
