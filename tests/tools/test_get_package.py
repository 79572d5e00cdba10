"""Tool `get_package`."""

from collections.abc import Mapping

import pytest

from image.servers import Answer, Remembering, asking, exchange
from pharo_mcp.image import UnknownPackage
from pharo_mcp.protocol import Call, TextContent
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
        "Package Zoos: 2 classes.",
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


def called(answers: Mapping[str, Answer], **arguments: str) -> list[str]:
    with asking(**answers) as image:
        [content] = get_package_tool(image, structured=True).call(arguments, Call()).contents
    assert isinstance(content, TextContent)
    return content.text.splitlines()


ZOOS = {"total": 120, "offset": 0, "packages": [{"name": "My-Zoos", "classes": 1, "extensions": 2}]}


@pytest.mark.parametrize("arguments", [{}, {"package_name": ""}])
def test_without_a_name_it_lists_the_packages(arguments: dict[str, str]) -> None:
    packages = Remembering(answering(**ZOOS))
    assert called({"packages": packages}, **arguments) == [
        "120 packages:",
        "    My-Zoos: 1 class, 2 extensions",
        "119 more; a part of the name as package_name lists fewer.",
    ]
    assert packages.asked == [{"limit": 100}]


def test_a_part_of_a_name_lists_the_packages_that_contain_it() -> None:
    packages = Remembering(answering(**{**ZOOS, "total": 1}))
    answers: dict[str, Answer] = {"package": exchange("package_unknown"), "packages": packages}
    assert called(answers, package_name="zoo") == [
        "There is no package named zoo, but some names contain that.",
        "1 package:",
        "    My-Zoos: 1 class, 2 extensions",
    ]
    assert packages.asked == [{"query": "zoo", "limit": 100}]


def test_a_name_that_no_package_contains_is_refused_with_similar_names() -> None:
    none = answering(total=0, offset=0, packages=[])
    with asking(package=exchange("package_unknown"), packages=none) as image:
        tool = get_package_tool(image, structured=False)
        with pytest.raises(UnknownPackage, match="PharoMcp-Tests"):
            tool.handler({"package_name": "PharoMcp-Test"}, Call())


def test_the_structured_list_matches_its_schema() -> None:
    with asking(packages=answering(**ZOOS)) as image:
        tool = get_package_tool(image, structured=True)
        structured = tool.call({}, Call()).structured
    assert structured is not None
    assert tool.output_schema is not None
    assert tool.output_schema.check(structured) == ZOOS


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(get_package_tool, "package", exchange("package"), package_name="Zoos")
