"""Tool `save_image`."""

from image.servers import STATUS, Remembering, Reply, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.changing import save_image as save_image_tool
from tools.calling import answering


def test_the_image_is_saved_only_if_that_is_confirmed() -> None:
    save = Remembering(answering(saving=True))
    with asking(save=save) as image:
        tool = save_image_tool.make(image)
        tool.call({}, Call())
        result = tool.call({"confirm": True}, Call())
    assert save.asked == [{"confirm": False}, {"confirm": True}]
    assert not result.is_error


def saved(**last_save: object) -> str:
    """What the tool says when the image reports this in its status, from the second request on."""
    asked: list[None] = []

    def status(_: object) -> Reply:
        asked.append(None)
        before = {"number": 1, "at": "2026-01-02", "saved": True}
        return value({**STATUS, "lastSave": before if len(asked) < 3 else {"number": 2, **last_save}})

    with asking(save=answering(saving=True, number=2), status=status) as image:
        result = save_image_tool.make(image).call({"confirm": True}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert result.is_error is not last_save["saved"]
    return content.text


def test_it_waits_for_the_result() -> None:
    assert saved(at="2026-01-03", saved=True).startswith("The image is saved.")


def test_it_reports_why_the_image_could_not_be_saved() -> None:
    reason = "The disk is full. Its file is as it was before."
    assert saved(at="2026-01-03", saved=False, reason=reason) == reason
