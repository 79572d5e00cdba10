"""Tools that must be called with confirm to change code that the image itself depends on."""

import pytest

from image.servers import Remembering, asking, failure
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.changing import edit_code as edit_code_tool
from pharo_mcp.tools.changing import refactor as refactor_tool
from pharo_mcp.tools.changing import undo_change as undo_change_tool
from pharo_mcp.tools.declaration import BuiltInTool

POINT = {"class_name": "Point", "preview": False}
METHOD = {"class_name": "Object", "selector": "hash", "preview": False}
REASON = (
    "This would change code that the image itself depends on: Object >> hash (Kernel). Nothing was changed."
)


@pytest.mark.parametrize(
    ("built_in", "path", "arguments"),
    [
        (edit_code_tool, "code/edit", {"text": "Object >> hash [ ^ 3 ]"}),
        (edit_code_tool, "code/edit", {"remove": ["Object>>hash"]}),
        (refactor_tool, "class/rename", {**POINT, "kind": "rename_class", "new_name": "Pair"}),
        (refactor_tool, "method/rename", {**METHOD, "kind": "rename_method", "new_name": "code"}),
        (refactor_tool, "method/move", {**METHOD, "kind": "move_method", "to_class": "Point"}),
        (undo_change_tool, "undo", {"change": 3}),
        (undo_change_tool, "undo", {"to": 3}),
    ],
)
def test_a_change_to_the_kernel_is_refused_until_it_is_confirmed(
    built_in: BuiltInTool, path: str, arguments: dict[str, object]
) -> None:
    change = Remembering(lambda _: failure(400, "confirmation", REASON))
    with asking(**{path: change}) as image:
        tool = built_in.make(image)
        for given in (arguments, {**arguments, "confirm": True}):
            with pytest.raises(RequestRefused, match="This would change") as raised:
                tool.call(given, Call())
            assert raised.value.kind == "confirmation"
    first, second = (
        {name: sent for name, sent in asked.items() if name != "evaluation"} for asked in change.asked
    )
    assert "confirm" not in first
    assert second == {**first, "confirm": True}


@pytest.mark.parametrize("built_in", [undo_change_tool, edit_code_tool])
def test_confirm_alone_is_refused_without_a_request(built_in: BuiltInTool) -> None:
    with asking() as image:
        assert built_in.make(image).call({"confirm": True}, Call()).is_error
