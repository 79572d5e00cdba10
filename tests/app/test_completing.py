"""Names from the image for the blanks of prompts and templates."""

import pytest

from image.servers import Remembering, asking, companion, failure, value
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Catalog, Completion, ToolError

FOUND = value({"values": ["Point", "PointerLayout"], "total": 240})


def complete(image: ImageClient, name: str, begun: str, **filled: str) -> Completion:
    return catalog_for(image).complete(name, begun, filled, Call())


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("className", {"kind": "class", "prefix": "Poi"}),
        ("packageName", {"kind": "package", "prefix": "Poi"}),
        ("selector", {"kind": "selector", "prefix": "Poi", "className": "Point"}),
    ],
)
def test_a_blank_is_completed_by_the_kind_of_name_that_goes_into_it(
    name: str, asked: dict[str, object]
) -> None:
    there = Remembering(lambda _: FOUND)
    with asking(complete=there) as image:
        found = complete(image, name, "Poi", className="Point")
    assert there.asked == [asked]
    assert found == Completion(("Point", "PointerLayout"), 240)


def test_every_blank_of_prompts_and_templates_is_completed_where_a_name_goes_into_it() -> None:
    with asking(complete=lambda _: FOUND) as image:
        catalog = catalog_for(image)
        blanks = {argument.name for prompt in catalog.prompts for argument in prompt.arguments}
        blanks |= {name for template in catalog.templates for name in template.parameters}
        empty = {blank for blank in blanks if not catalog.complete(blank, "", {}, Call()).values}
    assert empty == {"goal", "focus", "question", "evaluationId"}


def test_sides_need_no_image() -> None:
    with asking() as image:
        assert complete(image, "side", "c").values == ("class",)
        assert complete(image, "side", "").values == ("class", "instance")


def test_selectors_of_a_class_that_is_not_there_yet_are_none() -> None:
    with asking(complete=lambda _: failure(404, "unknownClass", "No class")) as image:
        assert complete(image, "selector", "at", className="Poi") == Completion()


def test_half_a_character_is_refused_in_words() -> None:
    with asking() as image, pytest.raises(ToolError, match="surrogate"):
        complete(image, "className", "\ud800")


def offers_without_image() -> Catalog:
    with companion() as there:
        address = there.address
    from pharo_mcp.image.images import at

    return catalog_for(ImageClient(at(address)))


def test_an_image_that_ended_is_reported() -> None:
    with pytest.raises(ToolError):
        offers_without_image().complete("className", "Poi", {}, Call())
