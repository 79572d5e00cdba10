"""Tool `get_status`."""

import pharo_mcp
from image.servers import STATUS, client_at, companion, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.images import get_status as get_status_tool


def running_evaluation(
    evaluation: str, elapsed: float, expression: str, *, paused: bool = False, asks: bool = False
) -> dict[str, object]:
    """An evaluation as the image lists it."""
    return {
        "evaluation": evaluation,
        "elapsed": elapsed,
        "expression": expression,
        "paused": paused,
        "asks": asks,
    }


GROWN = {
    **STATUS,
    "system": "Pharo 13.0",
    "image": "/images/Pharo13.image",
    "startedAt": "2026-01-02T03:04:05+00:00",
    "uptimeSeconds": 3723,
    "memoryBytes": 123_456_789,
    "readOnly": True,
    "running": [
        running_evaluation("e-1", 3.14, "[ true ] whileTrue"),
        running_evaluation("e-2", 9, "3 foo", paused=True),
        running_evaluation("e-3", 9, "self confirm: 'Go on?'", asks=True),
    ],
    "stuck": ["e-0 (self loop)"],
    "breakpoints": 2,
    "busy": {
        "process": "Morphic UI Process",
        "priority": 40,
        "seconds": 12.3,
        "work": "e-4",
        "stack": ["Clock>>step", "Clock>>tick"],
    },
    "userInterface": {
        "present": True,
        "answers": False,
        "debuggers": ["ZeroDivide", "Halt"],
        "dialogs": ["Save?"],
    },
    "errors": [
        {
            "at": "2026-01-02T04:05:06+00:00",
            "process": "clock",
            "messageText": "ZeroDivide",
            "stack": ["Clock>>step"],
        }
    ],
    "workspaces": [
        {"workspace": "default", "variables": ["x", "zoo"]},
        {"workspace": "many", "variables": ["a", "b"], "variableCount": 102},
    ],
    "workspaceCount": 5,
}


def test_it_shows_all_that_the_image_reports() -> None:
    with companion(status=lambda _: value(GROWN)) as there, client_at(there.address) as image:
        tool = get_status_tool.make(image)
        result = tool.call({}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        f"Image: Pharo13 at {there.address.url}, /images/Pharo13.image",
        "System: Pharo 13.0",
        f"Versions: companion {pharo_mcp.__version__}, pharo-mcp {pharo_mcp.__version__}",
        "Companion started: 2026-01-02T03:04:05+00:00",
        "Uptime: 1 h 2 min 3 s",
        "Memory: 123 MB",
        "Read-only: whatever could change the image is refused",
        "User interface: does not respond",
        "Open debuggers: ZeroDivide; Halt",
        "Open dialogs: Save?",
        "Variables of workspace default: x, zoo",
        "Variables of workspace many: a, b, … and 100 more",
        "… and 3 more workspaces",
        "Running evaluations:",
        "    e-1, for 3.1 seconds: [ true ] whileTrue",
        "    e-2, paused: 3 foo",
        "    e-3, asks: self confirm: 'Go on?'",
        "    e-0 (self loop): ended, but its code still runs in the user interface; stop_evaluation stops it",
        "No evaluation can run: process Morphic UI Process (priority 40), for evaluation e-4, has kept the "
        "image busy for 12 seconds. Its stack:",
        "    Clock>>step",
        "    Clock>>tick",
        "Process clock ended at 2026-01-02T04:05:06+00:00 with ZeroDivide",
        "    Clock>>step",
        "Breakpoints: 2; set_breakpoint lists them",
    ]


def test_missing_members_are_left_out() -> None:
    with companion() as there, client_at(there.address) as image:
        [content] = get_status_tool.make(image).call({}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines()[0] == f"Image: Pharo13 at {there.address.url}"
    assert content.text.splitlines()[-1] == "Running evaluations: none"


def test_an_image_without_windows_has_no_user_interface() -> None:
    headless = {**STATUS, "userInterface": {"present": False, "answers": False}}
    with companion(status=lambda _: value(headless)) as there, client_at(there.address) as image:
        [content] = get_status_tool.make(image).call({}, Call()).contents
    assert isinstance(content, TextContent)
    assert "User interface: none" in content.text


def test_windows_and_what_was_handed_over_have_their_ids() -> None:
    windows = [
        {"objectId": "o-1", "kind": "debugger", "title": "ZeroDivide", "active": True},
        {"objectId": "o-2", "kind": "browser", "title": "Point>>x", "active": False},
    ]
    status = {
        **STATUS,
        "userInterface": {"present": True, "answers": True, "debuggers": ["ZeroDivide"], "windows": windows},
        "handover": {"objectId": "o-3", "kind": "browser", "title": "Point>>x", "at": "2026-01-02T03:04:05"},
    }
    with companion(status=lambda _: value(status)) as there, client_at(there.address) as image:
        [content] = get_status_tool.make(image).call({}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines()[2:-1] == [
        "User interface: responds",
        "Windows, which inspect_object and, for a debugger, debug_show show:",
        "    o-1: debugger ZeroDivide, active",
        "    o-2: browser Point>>x",
        "Handed over by the user at 2026-01-02T03:04:05: browser Point>>x, which inspect_object shows as o-3",
    ]


def test_the_last_save() -> None:
    last = {"number": 1, "at": "2026-01-02T03:04:05", "saved": False, "reason": "The disk is full."}
    status = {**STATUS, "lastSave": last}
    with (
        companion(pharo_mcp.__version__, status=lambda _: value(status)) as there,
        client_at(there.address) as client,
    ):
        result = get_status_tool.make(client).call({}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert "Last save: 2026-01-02T03:04:05, The disk is full." in content.text.splitlines()
