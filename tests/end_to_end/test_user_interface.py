"""The user interface of the image: code that runs in it, errors left to it, and what holds it up."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.answers import eventually, failure, found, texts, value, whole
from image.servers import STATUS, TOKEN, companion, running
from image.servers import value as reply
from programs import Client, environment, start_practice_image

# The practice image has no windows. This process of the companion's own tests stands in for one that has.
OPEN = (
    "| it | it := PmcExampleUserInterface new millisecondsToAnswer: 300; yourself. "
    "(PharoMcp imageSession partOf: PmcSessionInterface) userInterface: it. "
    "PharoMcp current jobs starvationWatch userInterface: it"
)
IT = "PharoMcp current userInterface"


@pytest.fixture(scope="module")
def interface(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A conversation with an image that has a user interface, though one without windows."""
    image = start_practice_image(tmp_path_factory.mktemp("home"))
    with image.program, Client(env=image.env()) as client:
        client.shake_hands()
        value(client, f"PmcJob outsideJobsDo: [ {OPEN} ]. 7")
        yield client


def test_code_runs_in_the_process_of_the_user_interface_only_if_that_is_asked_for(interface: Client) -> None:
    assert value(interface, f"Processor activeProcess == {IT} process", process="ui") == "true"
    assert value(interface, f"Processor activeProcess == {IT} process") == "false"


def test_an_endless_loop_in_the_user_interface_is_ended_and_it_answers_again(interface: Client) -> None:
    result = interface.call("evaluate", expression="[ true ] whileTrue", process="ui", timeout_seconds=0.3)
    assert failure(result).startswith("The evaluation was terminated after 0.3 seconds.")
    assert value(interface, "3 + 4", process="ui") == "7"
    assert "User interface: responds" in whole(interface.call("get_status"))


STUBBORN = "[ [ true ] whileTrue ] ensure: [ [ true ] whileTrue ]"
STUCK = "The code could not be terminated and is still running in the user interface process"


def test_code_that_cannot_be_ended_is_reported_and_stopped_for_good_on_request(interface: Client) -> None:
    result = interface.call("evaluate", expression=STUBBORN, process="ui", timeout_seconds=0.3)
    assert STUCK in whole(result)
    assert value(interface, "3 + 4") == "7"
    told = whole(interface.call("get_status"))
    assert f"({STUBBORN}): ended, but its code still runs in the user interface" in told
    evaluation = found(rf"\S+(?= {re.escape(f'({STUBBORN})')})", interface.call("get_status"))
    stopped = whole(interface.call("stop_evaluation", all=True))
    assert "Stopped in the middle of its ensure: blocks" in stopped
    told = whole(interface.call("get_evaluation", evaluation_id=evaluation))
    assert "was stopped for good" in told
    assert STUCK not in told
    assert value(interface, "3 + 4", process="ui") == "7"


def begin(interface: Client, code: str) -> None:
    """Run code outside of evaluations, as if the user had; the call itself is kept from ending, too."""
    interface.call("evaluate", expression=f"PmcJob outsideJobsDo: [ {code} ]", timeout_seconds=1)


def test_code_of_the_user_that_keeps_the_image_busy_is_named_and_can_be_interrupted(
    interface: Client,
) -> None:
    begin(interface, f"{IT} defer: [ [ true ] whileTrue ]")
    told = failure(interface.call("evaluate", expression="3 + 4", timeout_seconds=2))
    assert told.startswith("Nothing ran within 2 seconds: the user interface has been running [ ] in ")
    assert "Nothing changed: wait and repeat it." in told
    told = whole(interface.call("get_status"))
    assert "No evaluation can run: process " in told
    assert "UndefinedObject>>DoIt" in told
    assert "Object" in whole(interface.call("get_class", class_name="Object"))
    told = whole(interface.call("stop_evaluation", interrupt=True))
    assert told.startswith("Interrupted: the user interface has been running [ ] in ")
    assert value(interface, "3 + 4") == "7"
    assert value(interface, "3 + 4", process="ui") == "7"


@pytest.mark.parametrize("priority", [40, 65])
def test_a_process_outside_of_evaluations_that_never_waits_is_named_and_can_be_interrupted(
    interface: Client, priority: int
) -> None:
    begin(interface, f"[ [ true ] whileTrue ] forkAt: {priority} named: 'clock'")
    told = failure(interface.call("evaluate", expression="3 + 4", timeout_seconds=2))
    assert f"the process 'clock' of priority {priority} has been running" in told
    assert f"process clock (priority {priority}) has kept the image busy" in whole(
        interface.call("get_status")
    )
    assert "Interrupted: the process 'clock'" in whole(interface.call("stop_evaluation", interrupt=True))
    assert value(interface, "3 + 4") == "7"


def test_an_error_of_a_process_outside_of_evaluations_is_reported_if_the_image_survives_it(
    interface: Client,
) -> None:
    value(interface, "PmcUnhandledErrors install. 7")
    value(interface, "PmcJob outsideJobsDo: [ [ 1 / 0 ] forkAt: 20 named: 'clock' ]. 7")
    eventually(lambda: "Process clock ended at " in whole(interface.call("get_status")))
    result = interface.call("evaluate", expression="3 + 4")
    assert "Outside of evaluations, the process 'clock' ended with ZeroDivide." in whole(result)
    assert "clock" not in whole(interface.call("evaluate", expression="3 + 4"))
    value(interface, "PmcUnhandledErrors unload. 7")


def test_an_error_opens_a_debugger_for_the_user_on_request(interface: Client) -> None:
    told = failure(interface.call("evaluate", expression="1/0", on_error="debug"))
    assert "A debugger was opened in the image: ZeroDivide" in told.splitlines()[0]
    assert "is stopped in a debugger in the image, where the user can inspect and resume it" in told
    assert value(interface, f"{IT} unhandled class name") == "#ZeroDivide"


def test_an_image_without_a_user_interface_reports_that(client: Client) -> None:
    if "User interface: none" not in whole(client.call("get_status")):
        pytest.skip("this image has one")
    told = failure(client.call("evaluate", expression="3 + 4", process="ui"))
    assert told.startswith("This image has no user interface")
    result = client.call("evaluate", expression="3 + 4", on_error="debug")
    assert texts(result)[0].startswith("7\n")
    assert "No debugger was opened: this image has no user interface." in whole(result)


@pytest.mark.parametrize(
    ("windows", "words"),
    [
        ({"debuggers": ["ZeroDivide"]}, "blocked by the debugger 'ZeroDivide'"),
        ({"dialogs": ["Really?"]}, "blocked by the dialog 'Really?'"),
        ({}, "does not respond: its process is busy"),
    ],
)
def test_the_process_that_blocks_the_user_interface_is_reported(
    windows: dict[str, list[str]], words: str, home: Path
) -> None:
    interface = {"present": True, "answers": False, "debuggers": [], "dialogs": [], **windows}
    status = reply({**STATUS, "userInterface": interface, "running": []})
    with (
        companion(status=lambda _: status, evaluate=running(40.0)) as image,
        Client("--url", image.address.url, "--token", TOKEN, env=environment(home)) as client,
    ):
        client.shake_hands()
        assert words in whole(client.call("evaluate", expression="x", process="ui"))
        told = whole(client.call("get_status"))
    assert "User interface: does not respond" in told
    assert all(title in told for titles in windows.values() for title in titles)
