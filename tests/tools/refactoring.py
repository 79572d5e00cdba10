"""What the tests of refactorings share."""

from image.servers import Remembering, asking
from pharo_mcp.protocol import Call
from pharo_mcp.tools import ToolMaker
from tools.calling import answering, text

SITE = {"className": "Zoo", "side": "instance", "selector": "open"}
IMPACT = {"sends": 12, "classes": 3, "items": [SITE]}
PREVIEW = answering(preview=True, impact=IMPACT, warnings=["Zoo has subclasses."])


def assert_the_image_decides_about_a_preview(
    make: ToolMaker, path: str, arguments: dict[str, object], body: dict[str, object]
) -> None:
    """Fail unless the tool sends `preview` as it is given, and leaves it to the image otherwise."""
    refactor = Remembering(PREVIEW)
    with asking(**{path: refactor}) as image:
        tool = make(image, structured=False)
        for given in ({}, {"preview": True}, {"preview": False}):
            tool.call({**arguments, **given}, Call())
    assert refactor.asked == [body, {**body, "preview": True}, {**body, "preview": False}]


def done(make: ToolMaker, path: str, arguments: dict[str, object]) -> str:
    """The first line of what a tool answers when it has made the change."""
    answer = answering(preview=False, impact={"sends": 0, "classes": 0, "items": []}, changes=[4])
    return text(make, path, answer, **arguments).splitlines()[0]
