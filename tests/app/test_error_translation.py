"""Errors of an image as the errors of resources and prompts."""

import pytest

from image.servers import Answer, asking, exchange, failure
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import InvalidArguments, ResourceNotFound, ToolError


@pytest.mark.parametrize(
    ("uri", "path", "answer", "message"),
    [
        ("pharo://class/Zork", "class", exchange("class_unknown"), "There is no class or trait named"),
        ("pharo://class/Zoo/method/raduis", "method", exchange("method_unknown"), "Similar names: radius"),
        ("pharo://package/Zork", "package", exchange("package_unknown"), "PharoMcp-Core-Tests"),
        ("pharo://class/%20", "class", lambda _: failure(400, "badRequest", "It is empty."), "It is empty"),
        ("pharo://evaluation/e-1", "evaluation", exchange("evaluation_unknown"), "There is no evaluation"),
    ],
)
def test_a_resource_that_the_image_does_not_know_is_not_found(
    uri: str, path: str, answer: Answer, message: str
) -> None:
    with asking(**{path: answer}) as image:
        read = catalog_for(image).find_reader(uri)
        assert read is not None
        with pytest.raises(ResourceNotFound, match=message):
            read(Call())


@pytest.mark.parametrize(
    ("name", "path", "answer", "arguments"),
    [
        ("explain-class", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("review-class", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("write-tests", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("explore-package", "package", exchange("package_unknown"), {"packageName": "Zork"}),
        ("fix-failing-tests", "tests", exchange("tests_unknown_class"), {"className": "Zork"}),
        ("fix-failing-tests", "tests", exchange("tests_no_test_class"), {"className": "Object"}),
        ("refactor-method", "method", exchange("method_unknown"), {"className": "Zoo", "selector": "raduis"}),
    ],
)
def test_an_argument_of_a_prompt_that_the_image_refuses_is_invalid(
    name: str, path: str, answer: Answer, arguments: dict[str, str]
) -> None:
    with asking(**{path: answer}) as image:
        prompt = catalog_for(image).find_prompt(name)
        assert prompt is not None
        with pytest.raises(InvalidArguments, match=r"[Nn]o |is not a "):
            prompt.get(arguments, Call())


def test_other_errors_of_an_image_are_tool_errors() -> None:
    with asking(**{"class": lambda _: failure(503, "busy", "Too many requests.")}) as image:
        catalog = catalog_for(image)
        prompt, read = catalog.find_prompt("explain-class"), catalog.find_reader("pharo://class/Zoo")
        assert prompt is not None
        assert read is not None
        with pytest.raises(ToolError) as of_prompt:
            prompt.get({"className": "Zoo"}, Call())
        with pytest.raises(ToolError) as of_resource:
            read(Call())
    assert of_prompt.value.kind == of_resource.value.kind == "busy"
