"""Tool `get_package`."""

import pytest

from image.servers import exchange
from pharo_mcp.image import UnknownPackage
from pharo_mcp.tools.get_package import get_package_tool
from tools.calling import answering, structured_as_described, text


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
        "Package Zoos: 2 classes. get_class shows a class.",
        "",
        "Without a tag:",
        "    Zoo: I am a zoo.",
        "",
        "Tag Traits:",
        "    TZoo (trait)",
        "",
        "Extension methods:",
        "    Integer class: cages, rooms",
        "",
        "Test classes: ZooTest",
        "run_tests with package Zoos runs them.",
    ]


def test_an_unknown_package_is_refused_with_similar_names() -> None:
    with pytest.raises(UnknownPackage, match="PharoMcp-Tests"):
        text(get_package_tool, "package", exchange("package_unknown"), package_name="PharoMcp-Test")


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(get_package_tool, "package", exchange("package"), package_name="Zoos")
