"""Tools `list_packages` and `get_package`."""

import pytest

from image.servers import exchange
from pharo_mcp.image import UnknownPackage
from pharo_mcp.tools import get_package_tool, list_packages_tool
from tools.calling import answering, structured_as_described, text


def test_packages_are_listed_with_their_sizes_and_a_cursor_to_the_rest() -> None:
    zoos = {"name": "Zoos", "classes": 1, "extensions": 2}
    answer = answering(total=3, offset=1, packages=[zoos])
    assert text(list_packages_tool, "packages", answer, cursor="p1", limit=1).splitlines() == [
        "3 packages. get_package shows what is in one.",
        "    Zoos: 1 class, 2 extensions",
        "1 more; next cursor: p2",
    ]


def test_no_package_of_that_name_says_what_to_try() -> None:
    assert text(list_packages_tool, "packages", exchange("packages_none"), query="zork").startswith(
        "No package has that in its name."
    )


def test_a_package_is_its_classes_extensions_and_tests() -> None:
    answer = answering(
        name="Zoos",
        tags=[
            {"name": "", "classes": [{"className": "Zoo", "kind": "class", "comment": "I am a zoo."}]},
            {"name": "Traits", "classes": [{"className": "TZoo", "kind": "trait", "comment": ""}]},
        ],
        extensions=[{"className": "Integer", "side": "class", "selectors": ["cages", "rooms"]}],
        testClasses=["ZooTest"],
    )
    assert text(get_package_tool, "package", answer, package_name="Zoos").splitlines() == [
        "Package Zoos: 2 classes. get_class shows one.",
        "",
        "Without a tag:",
        "    Zoo: I am a zoo.",
        "",
        "Tag Traits:",
        "    TZoo (trait)",
        "",
        "Methods of classes of other packages:",
        "    Integer class: cages, rooms",
        "",
        "Test classes: ZooTest",
        "run_tests with package Zoos runs them.",
    ]


def test_a_package_that_is_not_there_is_told_with_similar_names() -> None:
    with pytest.raises(UnknownPackage, match="PharoMcp-Tests"):
        text(get_package_tool, "package", exchange("package_unknown"), package_name="PharoMcp-Test")


def test_for_programs_they_repeat_themselves_as_their_schemas_say() -> None:
    assert structured_as_described(list_packages_tool, "packages", exchange("packages"))
    assert structured_as_described(get_package_tool, "package", exchange("package"), package_name="Zoos")
