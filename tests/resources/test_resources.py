"""What can be read under a URI."""

import json
from collections.abc import Mapping

import pytest

from image.servers import (
    STATUS,
    Answer,
    Remembering,
    asking,
    exchange,
    running,
    seven,
    value,
)
from pharo_mcp import resources
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource, ResourceNotFound
from pharo_mcp.resources import BuiltInResource


def text_of(resource: Resource, parameters: Mapping[str, str]) -> str:
    text = resource.read(parameters, Call())
    assert isinstance(text, str)
    return text


def test_the_system_version_is_the_systems_name_alone() -> None:
    with asking(version=exchange("version")) as image:
        resource = resources.system_version.make(image)
        assert text_of(resource, {}) == "Pharo 13.0"
    assert (resource.uri, resource.name, resource.mime_type) == (
        "pharo://system/version",
        "System Version",
        "text/plain",
    )


def test_class_details_are_the_images_own_json() -> None:
    details = exchange("class_details")
    with asking(**{"class": details}) as image:
        template = resources.class_details.make(image)
        parameters = template.match("pharo://class/PmcExampleCircle")
        assert parameters == {"className": "PmcExampleCircle"}
        _, body = details(None)
        assert json.loads(text_of(template, parameters)) == body["value"]
    assert (template.name, template.mime_type) == ("Class Details", "application/json")


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
        template = resources.evaluation.make(image)
        assert text_of(template, {"evaluationId": "e-1"}).startswith(text)
    assert evaluation.asked == [{"evaluation": "e-1", "maxCharacters": 200_000}]


def test_the_result_of_a_registered_tool_is_its_text_or_json() -> None:
    with asking(evaluation=exchange("registration_call_tool")) as image:
        assert text_of(resources.evaluation.make(image), {"evaluationId": "e-1"}) == "42"
    with asking(evaluation=exchange("registration_call_several_contents")) as image:
        told = json.loads(text_of(resources.evaluation.make(image), {"evaluationId": "e-1"}))
    assert len(told["contents"]) == 5


@pytest.mark.parametrize(
    ("declared", "uri", "asked"),
    [
        (
            resources.method_source,
            "pharo://class/Integer/method/%2F",
            {"className": "Integer", "selector": "/", "side": "instance"},
        ),
        (
            resources.method_source,
            "pharo://class/Dictionary/method/at:put:",
            {"className": "Dictionary", "selector": "at:put:", "side": "instance"},
        ),
        (
            resources.class_method_source,
            "pharo://class/Dictionary/class/method/newFrom%3A",
            {"className": "Dictionary", "selector": "newFrom:", "side": "class"},
        ),
    ],
)
def test_a_method_is_its_source_by_its_encoded_selector(
    declared: BuiltInResource, uri: str, asked: dict[str, str]
) -> None:
    method = Remembering(exchange("method"))
    with asking(method=method) as image:
        template = declared.make(image)
        parameters = template.match(uri)
        assert parameters is not None
        assert text_of(template, parameters).startswith("area\n\n\t^ ")
    assert method.asked == [asked]


def test_the_two_sides_of_a_class_are_distinguished() -> None:
    with asking() as image:
        instance, class_ = (
            resources.method_source.make(image),
            resources.class_method_source.make(image),
        )
    assert instance.match("pharo://class/Zoo/class/method/new") is None
    assert class_.match("pharo://class/Zoo/method/new") is None


def test_a_package_is_the_images_own_json() -> None:
    package = exchange("package")
    with asking(package=package) as image:
        told = json.loads(text_of(resources.package.make(image), {"packageName": "PharoMcp-Core-Tests"}))
    _, body = package(None)
    assert told == body["value"]


def test_the_status_is_json() -> None:
    with asking() as image:
        told = json.loads(text_of(resources.system_status.make(image), {}))
    assert told | STATUS == told


def test_what_was_handed_over_is_json() -> None:
    handover = {"objectId": "o-3", "kind": "browser", "title": "Point>>x", "at": "2026-01-02T03:04:05"}
    inspect = Remembering(exchange("inspect_window"))
    with asking(status=lambda _: value({**STATUS, "handover": handover}), inspect=inspect) as image:
        told = json.loads(text_of(resources.handed_over.make(image), {}))
    assert told["handover"] == handover
    assert told["content"]["window"]["text"] == "x ^ x"
    assert inspect.asked == [{"objectId": "o-3"}]
    with asking() as image:
        assert text_of(resources.handed_over.make(image), {}) == "{}"


def test_the_changes_are_json_with_what_was_there_before_and_after() -> None:
    changes = Remembering(lambda _: value({"total": 0, "dropped": 0, "changes": []}))
    with asking(changes=changes) as image:
        told = json.loads(text_of(resources.changes.make(image), {}))
    assert told == {"total": 0, "dropped": 0, "changes": []}
    assert changes.asked == [{"limit": 100, "details": True}]


def test_tests_that_are_over_are_json() -> None:
    with asking(evaluation=exchange("tests_one_test")) as image:
        told = json.loads(text_of(resources.evaluation.make(image), {"evaluationId": "e-1"}))
    assert told["passed"] == 1


@pytest.mark.parametrize("name", ["profile_expression", "profile_tests", "profile_timeout"])
def test_a_profile_is_a_picture(name: str) -> None:
    with asking(evaluation=exchange(name)) as image:
        template = resources.flame_graph.make(image)
        parameters = template.match("pharo://evaluation/e-1/flame-graph")
        assert parameters == {"evaluationId": "e-1"}
        picture = text_of(template, parameters)
    assert picture.startswith("<svg ")
    assert "PmcExampleWorkload class&gt;&gt;workFor:" in picture
    assert template.mime_type == "image/svg+xml"


@pytest.mark.parametrize("answer", [seven, running(2.5), exchange("evaluate_zero_divide")])
def test_an_evaluation_without_a_profile_has_no_picture(answer: Answer) -> None:
    with asking(evaluation=answer) as image, pytest.raises(ResourceNotFound, match="e-1 has no profile"):
        resources.flame_graph.make(image).read({"evaluationId": "e-1"}, Call())
