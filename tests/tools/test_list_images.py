"""Tool `list_images`."""

from pathlib import Path

from image.servers import companion, seven
from pharo_mcp.image import FoundImages, ImageClient
from pharo_mcp.protocol import Call
from pharo_mcp.tools.list_images import list_images_tool
from tools.announcing import announce, text


def test_images_are_listed_with_the_one_in_use(tmp_path: Path) -> None:
    with companion(evaluate=seven) as one, companion(evaluate=seven) as other:
        zoo, ark = announce(tmp_path, one, "Zoo"), announce(tmp_path, other, "Ark")
        image = ImageClient(FoundImages(str(tmp_path)))
        tool = list_images_tool(image, structured=True)
        more = "select_image chooses another by name, URL or image file."
        assert text(tool.call({}, Call())).splitlines() == [ark, zoo, "No image is in use yet.", more]
        image.choose("Zoo")
        image.evaluate("3 + 4")
        result = tool.call({}, Call())
        image.close()
    assert text(result).splitlines()[2] == f"In use: Pharo13 at {one.address.url}"
    assert tool.is_quick({})
    assert tool.output_schema is not None
    assert result.structured is not None
    tool.output_schema.check(result.structured)


def test_an_image_that_cannot_be_used_is_listed_with_the_reason(tmp_path: Path) -> None:
    with companion("99.0.0") as newer:
        announce(tmp_path, newer, "Zoo")
        image = ImageClient(FoundImages(str(tmp_path)))
        words = text(list_images_tool(image, structured=False).call({}, Call()))
    assert "    The companion at http://" in words


def test_an_empty_list_of_images_is_reported(tmp_path: Path) -> None:
    image = ImageClient(FoundImages(str(tmp_path)))
    listed = text(list_images_tool(image, structured=False).call({}, Call()))
    assert listed.startswith("No live image was found.")
