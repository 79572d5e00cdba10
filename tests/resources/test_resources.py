"""What can be read under a URI."""

import json

import pytest

from image.servers import asking, exchange
from pharo_mcp.protocol import Call, ResourceNotFound
from pharo_mcp.resources import class_details_template, system_version_resource


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
