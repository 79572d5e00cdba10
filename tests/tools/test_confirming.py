"""Tools that must be called with confirm to change code that the image itself depends on."""

from collections.abc import Callable

import pytest

from image.servers import Remembering, asking, failure
from pharo_mcp.image import RequestRefused
from pharo_mcp.protocol import Call, Tool
from pharo_mcp.tools.compile_method import compile_method_tool
from pharo_mcp.tools.define_class import define_class_tool
from pharo_mcp.tools.move_method import move_method_tool
from pharo_mcp.tools.remove_class import remove_class_tool
from pharo_mcp.tools.remove_method import remove_method_tool
from pharo_mcp.tools.rename_class import rename_class_tool
from pharo_mcp.tools.rename_method import rename_method_tool
from pharo_mcp.tools.undo_change import undo_change_tool

METHOD = {"class_name": "Object", "selector": "hash"}
REASON = (
    "This would change code that the image itself depends on: Object >> hash (Kernel). Nothing was changed."
)


@pytest.mark.parametrize(
    ("make", "path", "arguments"),
    [
        (compile_method_tool, "method/compile", {"class_name": "Object", "source": "hash ^ 3"}),
        (define_class_tool, "class/define", {"definition": "ProtoObject << #Object package: 'Kernel'"}),
        (define_class_tool, "class/define", {"class_name": "Object", "superclass": "ProtoObject"}),
        (remove_class_tool, "class/remove", {"class_name": "Point", "preview": False}),
        (remove_method_tool, "method/remove", {**METHOD, "preview": False}),
        (rename_class_tool, "class/rename", {"class_name": "Point", "new_name": "Pair", "preview": False}),
        (rename_method_tool, "method/rename", {**METHOD, "new_selector": "code", "preview": False}),
        (move_method_tool, "method/move", {**METHOD, "to_class": "Point", "preview": False}),
        (undo_change_tool, "undo", {"change": 3}),
        (undo_change_tool, "undo", {"to": 3}),
    ],
)
def test_a_change_to_the_kernel_is_refused_until_it_is_confirmed(
    make: Callable[..., Tool], path: str, arguments: dict[str, object]
) -> None:
    change = Remembering(lambda _: failure(400, "confirmation", REASON))
    with asking(**{path: change}) as image:
        tool = make(image, structured=False)
        for given in (arguments, {**arguments, "confirm": True}):
            with pytest.raises(RequestRefused, match="This would change") as raised:
                tool.call(given, Call())
            assert raised.value.kind == "confirmation"
    first, second = (
        {name: sent for name, sent in asked.items() if name != "evaluation"} for asked in change.asked
    )
    assert "confirm" not in first
    assert second == {**first, "confirm": True}


@pytest.mark.parametrize("make", [undo_change_tool, define_class_tool])
def test_confirm_alone_is_refused_without_a_request(make: Callable[..., Tool]) -> None:
    with asking() as image:
        assert make(image, structured=False).call({"confirm": True}, Call()).is_error
