"""What can be read under a URI."""

import json

import pytest

from image.servers import Answer, Remembering, Reply, asking, exchange, failure, running, seven
from pharo_mcp.protocol import Call, ResourceNotFound
from pharo_mcp.resources import class_details_template, evaluation_template, system_version_resource


def test_the_system_version_is_the_systems_name_alone() -> None:
    with asking(version=exchange("version")) as image:
        resource = system_version_resource(image)
        assert resource.read({}, Call()) == "Pharo 13.0"
    assert (resource.uri, resource.name, resource.mime_type) == (
        "pharo://system/version",
        "System Version",
        "text/plain",
    )


def test_class_details_are_the_images_own_json() -> None:
    details = exchange("class_details")
    with asking(**{"class": details}) as image:
        template = class_details_template(image)
        parameters = template.match("pharo://class/PmcExampleCircle")
        assert parameters == {"className": "PmcExampleCircle"}
        _, body = details(None)
        assert json.loads(template.read(parameters, Call())) == body["value"]
    assert (template.name, template.mime_type) == ("Class Details", "application/json")


def test_a_class_that_is_not_there_is_a_resource_that_is_not_there() -> None:
    with asking(**{"class": exchange("class_unknown")}) as image:
        template = class_details_template(image)
        with pytest.raises(ResourceNotFound, match="There is no class or trait named PmcExampleCircel"):
            template.read({"className": "PmcExampleCircel"}, Call())


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (seven, "7"),
        (running(1.5), "Still running after 1.5 seconds."),
        (exchange("evaluate_syntax_error"), "Syntax error: "),
    ],
)
def test_an_evaluation_is_its_whole_print_string_or_its_error(answer: Answer, text: str) -> None:
    evaluation = Remembering(answer)
    with asking(evaluation=evaluation) as image:
        template = evaluation_template(image)
        assert template.read({"evaluationId": "e-1"}, Call()).startswith(text)
    assert evaluation.asked == [{"evaluation": "e-1", "maxCharacters": 200_000}]


def test_an_evaluation_that_is_not_kept_is_a_resource_that_is_not_there() -> None:
    def forgotten(_: object) -> Reply:
        return failure(404, "unknownEvaluation", "There is no evaluation e-1.")

    with asking(evaluation=forgotten) as image:
        template = evaluation_template(image)
        with pytest.raises(ResourceNotFound, match="There is no evaluation e-1"):
            template.read({"evaluationId": "e-1"}, Call())
