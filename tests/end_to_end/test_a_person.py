"""A person at a Pharo with windows, played by xdotool, and what an assistant sees: `pytest -m image`."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from end_to_end.answers import eventually, failure, found, value, whole
from programs import Client, LiveImage

pytestmark = [
    pytest.mark.image,
    pytest.mark.parametrize("image", ["image"], indirect=True),
    pytest.mark.skipif(
        "DISPLAY" not in os.environ or shutil.which("xdotool") is None,
        reason="there is no display, or no xdotool",
    ),
]

WHERE = """(self currentWorld allMorphs
	detect: [ :each |
		each visible and: [ #(contents label text balloonText) anySatisfy: [ :part |
			[ (' ' join: (each perform: part) asString substrings) = '{text}' ] on: Error do: [ false ] ] ] ]
	ifFound: [ :each |
		each boundsInWorld center rounded in: [ :place | {{ place x. place y }} printString ] ]
	ifNone: [ '' ])"""
"""Where a text stands in the window of the image; empty if it is not there. Pharo breaks long lines."""

WINDOWS = "(self currentWorld submorphs select: [ :each | each isSystemWindow ]) {do}. 7"
CONFIRM = "SpConfirmDialog new title: 'Ask'; label: 'Go on?'; acceptLabel: 'So be it'; openModal"


class Person:
    """Who sits before the image's window, and clicks on what is written there."""

    def __init__(self, client: Client, window: str) -> None:
        self._client = client
        self._window = window

    def click(self, text: str, button: int = 1) -> None:
        """Click on a text as soon as it is shown; the third button opens a menu."""
        place: list[str] = []

        def is_shown() -> bool:
            place[:] = re.findall(r"\d+", value(self._client, WHERE.format(text=text), process="ui"))
            return place != []

        eventually(is_shown)
        xdotool("mousemove", "--window", self._window, *place, "click", str(button))


def xdotool(*arguments: str) -> str:
    """What a command of xdotool prints."""
    command = ["xdotool", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout.strip()


@pytest.fixture
def person(client: Client, image: LiveImage) -> Iterator[Person]:
    """Somebody before the image's window, whose own windows are closed in the end."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--pid", str(image.connection["pid"])],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    if not found:
        pytest.skip("this image has no window on the display")
    yield Person(client, found[0])
    value(client, WINDOWS.format(do="do: [ :each | each delete ]"), process="ui")


PLAYGROUND = "StPlaygroundPresenter openContents: '6 * 7'"
MENU, BUTTON = 3, 1
ASK = "Ask about this"
ASK_BUTTON = f"{ASK}: Let your assistant see what this window shows and what you have selected here"


def await_handover(client: Client, kind: str) -> None:
    """Wait until the status says that the user handed over a window of that kind."""
    eventually(
        lambda: re.search(f"Handed over by the user .*{kind}", whole(client.call("get_status"))) is not None
    )


def test_the_active_window_is_handed_over_by_the_world_menu(client: Client, person: Person) -> None:
    value(client, f"PmcJob outsideJobsDo: [ {PLAYGROUND} ]. 7", process="ui")
    person.click("Pharo MCP")
    person.click("Ask about the active window")
    await_handover(client, "playground")


@pytest.mark.parametrize(
    ("opening", "clicks", "kind"),
    [
        ("ClyFullBrowserMorph openOnClass: Point", [("arithmetic", MENU), (ASK, BUTTON)], "browser"),
        (PLAYGROUND, [("6 * 7", MENU), (ASK, BUTTON)], "playground"),
        ("(3 @ 4) inspect", [(ASK_BUTTON, BUTTON)], "inspector"),
        ("[ 6 / 0 ] fork", [("Advanced Step", BUTTON), (ASK, BUTTON)], "debugger"),
    ],
    ids=["browser", "playground", "inspector", "debugger"],
)
def test_each_tool_has_an_entry_that_hands_it_over(
    client: Client, person: Person, opening: str, clicks: list[tuple[str, int]], kind: str
) -> None:
    if value(client, "Smalltalk globals includesKey: #PmcBrowserAskCommand") == "false":
        pytest.skip("this image lacks one of these tools")
    value(client, f"PmcJob outsideJobsDo: [ {opening} ]. 7", process="ui")
    for text, button in clicks:
        person.click(text, button)
    await_handover(client, kind)


def test_a_dialog_of_an_evaluation_is_answered_in_the_image(client: Client, person: Person) -> None:
    waiting = client.call("evaluate", expression=CONFIRM, process="ui", timeout_seconds=1)
    person.click("So be it")
    evaluation = found(r"(?<=evaluation_id: )[\w-]+", waiting)
    eventually(lambda: "true" in whole(client.call("get_evaluation", evaluation_id=evaluation)))


def test_the_frame_that_is_selected_in_a_debugger_is_shown(client: Client, person: Person) -> None:
    failure(client.call("evaluate", expression="6 / 0", on_error="debug"))
    listed = r"o-\d+(?=: debugger ZeroDivide)"
    eventually(lambda: re.search(listed, whole(client.call("get_status"))) is not None)
    debugger = found(listed, client.call("get_status"))
    assert "Selected frame: 1" in whole(client.call("inspect_object", object_id=debugger))
    person.click("UndefinedObject>>DoIt")
    eventually(lambda: "Selected frame: 2" in whole(client.call("inspect_object", object_id=debugger)))
