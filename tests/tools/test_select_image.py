"""Tool `select_image`."""

from pathlib import Path

import pytest

from image.servers import Remembering, companion, seven
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.images import FoundImages
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.images import select_image as select_image_tool
from tools.announcing import announce, text


def test_calls_go_to_the_image_that_was_chosen(tmp_path: Path) -> None:
    evaluate = Remembering(seven)
    with companion(evaluate=evaluate) as one, companion() as other:
        zoo = announce(tmp_path, one, "Zoo")
        announce(tmp_path, other, "Ark")
        image = ImageClient(FoundImages(str(tmp_path)))
        tool = select_image_tool.make(image)
        result = tool.call({"name": "Zoo"}, Call())
        image.evaluate("3 + 4")
        image.close()
    assert text(result) == f"Calls now go to {zoo}."
    assert len(evaluate.asked) == 1


def test_an_image_that_cannot_be_used_is_chosen_with_the_reason(tmp_path: Path) -> None:
    with companion("99.0.0") as newer:
        announce(tmp_path, newer, "Zoo")
        image = ImageClient(FoundImages(str(tmp_path)))
        assert "99.0.0" in text(select_image_tool.make(image).call({"name": "Zoo"}, Call()))


def test_a_name_that_no_image_has_is_refused(tmp_path: Path) -> None:
    image = ImageClient(FoundImages(str(tmp_path)))
    with pytest.raises(ImageError, match="Zork"):
        select_image_tool.make(image).call({"name": "Zork"}, Call())
