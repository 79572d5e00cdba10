"""What only a real Pharo shows, beside all that the other tests show there too: `pytest -m image`."""

import os
import re
from functools import partial

import pytest

from end_to_end.answers import eventually, failure, found, value, whole
from programs import Client, LiveImage, running_images
from smalltalk_text import method_text

pytestmark = [pytest.mark.image, pytest.mark.parametrize("image", ["image"], indirect=True)]

CLOSE = (
    "(self currentWorld submorphs select: [ :each | each isSystemWindow and: [ {which} ] ]) "
    "do: [ :each | each delete ]. 7"
)


@pytest.fixture
def windows(client: Client) -> Client:
    """A conversation with an image that has windows."""
    if "User interface: none" in whole(client.call("get_status")):
        pytest.skip("this image has no user interface")
    return client


def test_it_is_pharo(client: Client) -> None:
    assert "practice" not in whole(client.call("get_version"))


def test_the_user_interface_is_more_urgent_than_evaluated_code(windows: Client) -> None:
    assert value(windows, "Processor activePriority < UIManager default uiProcess priority") == "true"


def test_the_user_interface_answers_while_an_endless_loop_runs(windows: Client) -> None:
    begun = windows.call("evaluate", expression="[ true ] whileTrue", wait_seconds=0)
    assert "User interface: responds" in whole(windows.call("get_status"))
    windows.call("stop_evaluation", evaluation_id=found(r"e-[0-9a-f]+", begun))


def test_code_runs_in_the_user_interface_process(windows: Client) -> None:
    assert value(windows, "Processor activeProcess == UIManager default uiProcess", process="ui") == "true"


@pytest.mark.parametrize("process", ["background", "ui"])
def test_an_error_that_is_left_to_the_user_opens_a_debugger_that_the_status_lists(
    windows: Client, process: str
) -> None:
    failure(windows.call("evaluate", expression="self error: 'E2E'", on_error="debug", process=process))
    eventually(lambda: re.search(": debugger .*E2E", whole(windows.call("get_status"))) is not None)
    value(windows, CLOSE.format(which="each label includesSubstring: 'E2E'"), process="ui")
    assert "E2E" not in whole(windows.call("get_status"))


def test_an_open_dialog_is_named_by_the_status(
    windows: Client,
) -> None:
    ask = "UIManager default defer: [ UIManager default confirm: 'E2E?' ]"
    value(windows, f"PmcJob outsideJobsDo: [ {ask} ]. 7")
    eventually(lambda: "Open dialogs: " in whole(windows.call("get_status")))
    value(
        windows,
        CLOSE.format(which="(each class name , each model class name) includesSubstring: 'Dialog'"),
        process="ui",
    )


@pytest.mark.skipif(
    os.environ.get("PHARO_MCP_TEST_IMAGE") != "started", reason="only a copy may be saved: scripts/test-image"
)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("save_image", {"confirm": True}),
        ("evaluate", {"expression": "Smalltalk snapshot: true andQuit: false"}),
    ],
)
def test_an_image_that_is_saved_opens_again_with_a_new_token(
    client: Client, image: LiveImage, tool: str, arguments: dict[str, object]
) -> None:
    [before] = running_images(image.home)
    saved = whole(client.call(tool, **arguments))
    eventually(lambda: [each.token for each in running_images(image.home)] not in ([], [before.token]))
    told = whole(client.call("evaluate", expression="3 + 4"))
    assert told.startswith("7")
    assert "was restarted since the last call" in saved + told


LOG_SIZE = (
    "| file | file := (Smalltalk at: #EpMonitor) current sessionStore writingFileReference. "
    "file exists ifTrue: [ file size ] ifFalse: [ 0 ]"
)
PERSON = (
    "| done | done := Semaphore new. "
    "PmcJob outsideJobsDo: [ [ (Smalltalk at: #PmcE2E) {change}. done signal ] fork ]. done wait. 7"
)
"""A change that is not in our log: what is around it can be undone when it is gone."""


def log_grew(client: Client, before: int) -> bool:
    """Whether Epicea's log is larger than it was."""
    return int(value(client, LOG_SIZE)) > before


def test_epicea_goes_on_to_log_what_the_model_and_the_person_change(client: Client) -> None:
    present = "((Smalltalk includesKey: #EpMonitor) and: [ (Smalltalk at: #EpMonitor) current isEnabled ])"
    if value(client, present) == "false":
        pytest.skip("this image has no Epicea that logs")
    client.call("edit_code", text="Object << #PmcE2E package: 'PmcE2E'")
    try:
        for turn in range(3):
            before = int(value(client, LOG_SIZE))
            client.call("edit_code", text=method_text("PmcE2E", f"one ^ {turn}"))
            eventually(partial(log_grew, client, before))
            before = int(value(client, LOG_SIZE))
            value(client, PERSON.format(change=f"compile: 'two ^ {turn}'"))
            eventually(partial(log_grew, client, before))
    finally:
        value(client, PERSON.format(change="removeSelector: #two"))
        value(client, "(self packageOrganizer packageNamed: 'PmcE2E') removeFromSystem. 7")
