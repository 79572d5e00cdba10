"""Tool `save_image`."""

from image.servers import Remembering, asking
from pharo_mcp.protocol import Call
from pharo_mcp.tools.save_image import save_image_tool
from tools.calling import answering, structured_as_described


def test_the_image_is_saved_only_if_that_is_confirmed() -> None:
    save = Remembering(answering(saving=True))
    with asking(save=save) as image:
        tool = save_image_tool(image, structured=False)
        tool.call({}, Call())
        result = tool.call({"confirm": True}, Call())
    assert save.asked == [{"confirm": False}, {"confirm": True}]
    assert not result.is_error


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(save_image_tool, "save", answering(saving=True), confirm=True)
