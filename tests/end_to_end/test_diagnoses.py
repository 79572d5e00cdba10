"""What a model is told when the image is not what it should be: each fault its own words, each its fix."""

import os
import signal
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import pharo_mcp
from end_to_end.answers import eventually, failure, running, texts, told_until_answered, value, whole
from image.servers import TOKEN, companion, nobodys_port, rude, seven
from programs import Client, LiveImage, environment, running_images, start_practice_image


def complaint(home: Path, *arguments: str) -> str:
    """The error text of an evaluation, after a handshake and a list that need no image."""
    with Client(*arguments, env=environment(home)) as client:
        client.shake_hands()
        assert client.request("tools/list")["result"]["tools"]
        return failure(client.call("evaluate", expression="3 + 4"))


def test_no_image_found(home: Path) -> None:
    said = complaint(home)
    assert said.startswith("No live Pharo image was found")
    assert "Ask the user to evaluate in a Playground of Pharo:\n    PharoMcp start\n" in said
    assert said.index("PharoMcp start") < said.index("Metacello new")
    assert "#PharoMcp) start" in said


REQUEST = "Ask the user to evaluate in a Playground of Pharo:\n    PharoMcp start\n"
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "stop_evaluation": {"all": True},
    "inspect_object": {"object_id": "o-1"},
    "debug_step": {"evaluation_id": "e-1", "action": "over"},
    "set_breakpoint": {"class_name": "Zoo", "selector": "lions"},
    "edit_code": {"remove": ["Zoo"]},
    "undo_change": {"change": 1},
    "commit": {"repository": "Zoo", "message": "Count lions"},
    "run_tests": {"tests": ["ZooTest"]},
    "find_objects": {"relation": "instances", "class_name": "Zoo"},
    "profile": {"expression": "3"},
    "search": {"query": "Zoo", "kind": ["classes"]},
    "refactor": {"kind": "rename_class", "class_name": "Zoo", "new_name": "Farm"},
    "select_image": {"name": "Zoo"},
}
"""Arguments of tools that the first choice or a word for each required argument does not suit."""


def test_without_an_image_every_tool_asks_for_what_only_the_user_can_do(home: Path) -> None:
    with Client(env=environment(home)) as client:
        client.shake_hands()
        tools = client.request("tools/list")["result"]["tools"]
        schemas = {tool["name"]: tool["inputSchema"] for tool in tools} | {"select_image": {}}
        answers = {
            name: whole(client.call(name, **arguments_of(name, schema))) for name, schema in schemas.items()
        }
    assert len(answers) > 20
    assert [name for name, answer in answers.items() if REQUEST not in answer] == []


def arguments_of(name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Arguments that a tool accepts: those above, or the first choice, or a word, for each required one."""
    properties = schema.get("properties", {})
    words = {each: properties[each].get("enum", ["x"])[0] for each in schema.get("required", ())}
    lists = {each: ["x"] for each in words if properties[each].get("type") == "array"}
    return ARGUMENTS.get(name, {**words, **lists})


def test_nothing_listening(home: Path) -> None:
    url = f"http://127.0.0.1:{nobodys_port()}"
    said = complaint(home, "--url", url, "--token", "any")
    assert said.startswith(f"No image answers at {url}: nothing listens there. Nothing ran.")
    assert "Metacello new" in said
    assert "#PharoMcp) start" in said


def test_something_else_listening(home: Path) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<h1>Welcome</h1>"
    with rude(lambda peer, _: peer.sendall(page)) as address:
        said = complaint(home, "--url", address.url, "--token", "any")
    assert said.startswith(f"The program at {address.url} is not the companion")
    assert "Another program uses that port" in said
    assert "Metacello" not in said


@pytest.mark.parametrize(
    ("version", "fix"), [("0.0.1", "Metacello"), ("99.0.0", "update pharo-mcp")], ids=["too old", "too new"]
)
def test_a_companion_too_old_or_too_new(home: Path, version: str, fix: str) -> None:
    with companion(version, evaluate=seven) as image:
        said = complaint(home, "--url", image.address.url, "--token", TOKEN)
        assert set(image.asked) == {"/status"}
    assert said.startswith(f"The companion at {image.address.url} has version {version}")
    assert pharo_mcp.__version__ in said
    assert fix in said


def test_a_wrong_token(image: LiveImage, home: Path) -> None:
    said = complaint(home, "--url", image.url, "--token", "wrong")
    assert said.startswith(f"The companion at {image.url} refused the token")
    assert "PharoMcp start" in said


def test_a_practice_image_that_was_killed_is_replaced_by_the_next_call(home: Path) -> None:
    with Client("--practice", env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "3 + 4") == "7"
        [image] = running_images(home)
        os.kill(image.connection["pid"], signal.SIGKILL)
        said: list[str] = []

        def is_replaced() -> bool:
            said.append(whole(client.call("evaluate", expression="3 + 4")))
            return "replaced by a fresh one" in "\n".join(said) and said[-1].startswith("7")

        eventually(is_replaced)
    assert "it was ended by SIGKILL. All that was in it is lost" in "\n".join(said)


def test_an_image_that_died_in_the_middle_of_a_call_and_one_that_was_started_again(home: Path) -> None:
    with Client(env=environment(home)) as client, Client(env=environment(home)) as watcher:
        for each in (client, watcher):
            each.shake_hands()
        with start_practice_image(home).program as first:
            value(client, "x := 3")
            client.begin("slow", "evaluate", expression="Semaphore new wait", timeout_seconds=35)
            eventually(lambda: "Semaphore new wait" in running(watcher))
            first.process.kill()
            died = failure(client.receive()["result"])
        assert died.startswith("The answer of the image at ")
        assert "The request may have run, wholly or in part; it was not sent again." in died
        assert "Check the state of the image before you repeat" in died
        first.wait()
        assert len(running_images(home)) == 1, "a killed image cannot take its connection file away"
        with start_practice_image(home).program:
            told, notice = texts(client.call("evaluate", expression="3 + 4"))
            assert told == "7"
            assert notice.startswith("The companion in ")
            assert "object ids and evaluation ids from before are gone; list_changes shows what" in notice
            assert texts(client.call("evaluate", expression="3 + 4")) == ["7"], "it is told once"
            assert "Undeclared variable: x" in failure(client.call("evaluate", expression="x"))


SAVE = """[
    PmcSession shutDown: false.
    (Delay forMilliseconds: 1500) wait.
    PmcSession startUp: false.
    SessionManager default currentSession executeDeferredStartupActions: false ] fork.
(Delay forMilliseconds: 300) wait"""
"""What happens around a save that takes a while."""


@pytest.mark.parametrize("own", [True, False], ids=["of this session", "of others"])
def test_while_the_image_is_saved_calls_wait_and_are_answered(home: Path, own: bool) -> None:
    with ExitStack() as stack:
        if not own:
            stack.enter_context(start_practice_image(home, loads=()).program)
        client = stack.enter_context(Client(*["--practice"] * own, env=environment(home)))
        client.shake_hands()
        assert "PmcJobWatch" in whole(client.call("evaluate", expression="PmcJobWatch name"))
        started = whole(client.call("evaluate", expression=f"PmcJob outsideJobsDo: [ {SAVE} ]"))
        eventually(lambda: not running_images(home))  # the server is closed
        *waited, _ = told_until_answered(client)
        assert all("is being saved" in each for each in waited), started
