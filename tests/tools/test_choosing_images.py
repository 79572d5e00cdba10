"""Tools `list_images` and `select_image`."""

import json
from pathlib import Path

import pytest

from image.servers import TOKEN, Companion, companion, seven
from pharo_mcp.image import FoundImages, ImageClient, ImageError
from pharo_mcp.protocol import Call, TextContent, ToolResult
from pharo_mcp.tools import list_images_tool, select_image_tool


def announce(folder: Path, image: Companion, name: str) -> str:
    """Write a connection file; how that image is listed."""
    url, path = image.address.url, f"/{name}.image"
    told = {"url": url, "token": TOKEN, "name": name, "system": "Pharo 13.0", "image": path}
    (folder / f"{name}.json").write_text(json.dumps(told), "utf-8")
    return f"{name} (Pharo 13.0) at {url}, {path}"


def text(result: ToolResult) -> str:
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text


def test_they_are_listed_and_one_is_chosen(tmp_path: Path) -> None:
    with companion(evaluate=seven) as one, companion(evaluate=seven) as other:
        zoo, ark = announce(tmp_path, one, "Zoo"), announce(tmp_path, other, "Ark")
        image = ImageClient(FoundImages(str(tmp_path)))
        listing, choosing = (
            list_images_tool(image, structured=True),
            select_image_tool(image, structured=True),
        )
        more = "select_image chooses another one, by its name, URL or image file."
        assert text(listing.call({}, Call())).splitlines() == [ark, zoo, "None is in use yet.", more]
        chosen = choosing.call({"name": "Zoo"}, Call())
        assert text(chosen) == f"From now on calls work in {zoo}."
        image.evaluate("3 + 4")
        assert text(listing.call({}, Call())).splitlines()[2] == f"In use: Pharo13 at {one.address.url}"
        for tool, result in ((listing, listing.call({}, Call())), (choosing, chosen)):
            assert tool.is_quick({})
            assert tool.output_schema is not None
            assert result.structured is not None
            tool.output_schema.check(result.structured)
        image.close()


def test_what_is_the_matter_with_one_is_told(tmp_path: Path) -> None:
    with companion("99.0.0") as newer:
        announce(tmp_path, newer, "Zoo")
        image = ImageClient(FoundImages(str(tmp_path)))
        assert "    The companion at http://" in text(
            list_images_tool(image, structured=False).call({}, Call())
        )
        assert "99.0.0" in text(select_image_tool(image, structured=False).call({"name": "Zoo"}, Call()))


def test_that_there_is_none_is_told(tmp_path: Path) -> None:
    image = ImageClient(FoundImages(str(tmp_path)))
    listed = text(list_images_tool(image, structured=False).call({}, Call()))
    assert listed.startswith("No live image was found.")
    with pytest.raises(ImageError, match="Zork"):
        select_image_tool(image, structured=False).call({"name": "Zork"}, Call())
