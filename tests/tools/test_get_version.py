"""Tool `get_version`."""

import pytest

import pharo_mcp
from image.servers import Answer, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.images import get_version as get_version_tool


def version(system: str) -> Answer:
    there = {"system": system, "companion": "0.1.7", "image": "/images/P.image", "vm": "CoInterpreter 10.3.3"}
    return lambda _: value(there)


@pytest.mark.parametrize(
    ("system", "more"),
    [
        ("Pharo 13.0", []),
        (
            "Pharo 13.0 (practice image)",
            ["This is the practice image, not Pharo: a small Smalltalk with some of Pharo's classes."],
        ),
    ],
)
def test_it_names_image_companion_and_front_end(system: str, more: list[str]) -> None:
    with asking(version=version(system)) as image:
        [content] = get_version_tool.make(image).call({}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        f"System: {system}",
        "Image: /images/P.image",
        "Virtual machine: CoInterpreter 10.3.3",
        "Companion in the image: 0.1.7",
        f"Front end: pharo-mcp {pharo_mcp.__version__}",
        *more,
    ]
