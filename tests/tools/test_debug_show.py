"""Tool `debug_show`."""

from image.servers import asking, exchange, value
from pharo_mcp.tools.debugging import debug_show as debug_show_tool
from tools.calling import text

SHOWN = """\
Frame 2 of 2: UndefinedObject>>DoIt
Line 1, column 19: sum zork

-> | sum | sum := 3. sum zork

receiver: nil (UndefinedObject)
sum: 3 (SmallInteger)"""


def test_the_stack_has_its_reason_its_frames_and_what_can_be_done() -> None:
    said = text(debug_show_tool, "debug", exchange("debug_stack"), evaluation_id="e-1")
    first, stack, *_, frame, last = said.splitlines()
    assert first.startswith("Paused: MessageNotUnderstood: Message not understood: SmallInteger >> #zork")
    assert stack == "Stack:"
    assert frame == "Frame 2: self = nil, sum = 3"
    assert last.startswith(
        "evaluation_id: exchange-debug-stack; debug_show shows a frame; debug_step goes on"
    )


def test_a_debugger_of_the_users_is_left_to_the_user() -> None:
    paused = {
        "kind": "debugger",
        "messageText": "ZeroDivide",
        "class": "ZeroDivide",
        "stack": ["Zoo>>feed -- 1/0"],
        "selectedFrame": 1,
    }
    reply = value({"evaluation": "o-17", "elapsed": 0, "paused": paused})
    assert text(debug_show_tool, "debug", lambda _: reply, evaluation_id="o-17").splitlines() == [
        "A debugger of the user's: ZeroDivide",
        "Stack:",
        "    1 Zoo>>feed -- 1/0",
        "The user has selected frame 1.",
        "evaluation_id: o-17; debug_show shows a frame; evaluate takes the id as error_id. "
        "Only the user can go on there.",
    ]


def test_a_frame_has_its_source_with_a_mark_and_its_variables() -> None:
    assert text(debug_show_tool, "debug", exchange("debug_frame"), evaluation_id="e-1", frame=2) == SHOWN


def test_it_only_reads() -> None:
    with asking() as image:
        assert debug_show_tool.make(image).annotations["readOnlyHint"] is True
