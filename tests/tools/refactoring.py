"""What the tests of refactorings share."""

from image.servers import Remembering, asking
from pharo_mcp.protocol import Call
from pharo_mcp.tools import ToolMaker
from tools.calling import answering

SITE = {"className": "Zoo", "side": "instance", "selector": "open"}
IMPACT = {"sends": 12, "classes": 3, "items": [SITE]}
PREVIEW = answering(preview=True, impact=IMPACT, warnings=["Zoo has subclasses."])


def assert_previews_by_default(
    make: ToolMaker, path: str, arguments: dict[str, object], body: dict[str, object]
) -> None:
    """Fail unless the tool requests a preview by default, and the change itself if preview is false."""
    refactor = Remembering(PREVIEW)
    with asking(**{path: refactor}) as image:
        tool = make(image, structured=False)
        tool.call(arguments, Call())
        tool.call({**arguments, "preview": False}, Call())
    assert refactor.asked == [{**body, "preview": True}, {**body, "preview": False}]
