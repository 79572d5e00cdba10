"""Evaluations that are paused on errors: every step where it is hard, and nothing left over."""

import re
from collections.abc import Iterator

import pytest

from end_to_end.answers import eventually, failure, found, running, value, whole
from programs import Client, LiveImage
from smalltalk_text import class_text, code, method_text

JOBS = """(Process allSubInstances select: [ :each |
	each isTerminated not and: [ each name = 'Pharo MCP job' ] ])"""
END_OTHERS = f"{JOBS} do: [ :each | each isSuspended ifTrue: [ each terminate ] ]"


def paused(client: Client, expression: str, **arguments: object) -> str:
    """The id of an evaluation that was paused on its error."""
    result = client.call("evaluate", expression=expression, on_error="pause", **arguments)
    assert not result.get("isError"), whole(result)
    return found(r"(?<=evaluation_id: )[\w-]+", result)


def step(client: Client, evaluation_id: str, action: str, **arguments: object) -> str:
    """What a step says that succeeds."""
    result = client.call("debug_step", evaluation_id=evaluation_id, action=action, **arguments)
    assert not result.get("isError"), whole(result)
    return whole(result)


def lowest(client: Client, evaluation_id: str) -> int:
    """The number of the frame of the expression."""
    stack = whole(client.call("debug_show", evaluation_id=evaluation_id))
    return max(int(number) for number in re.findall(r"^    (\d+) ", stack, re.M))


@pytest.fixture(autouse=True)
def _nothing_is_left(client: Client) -> Iterator[None]:
    yield
    client.call("stop_evaluation", all=True)
    assert running(client) == "none"


def test_a_paused_evaluation_is_in_the_status_and_takes_no_turn(client: Client) -> None:
    evaluation_id = paused(client, "self error: 'no'")
    assert f"{evaluation_id}, paused: self error: 'no'" in running(client)
    assert value(client, "3 + 4") == "7"


def test_a_stopped_one_runs_its_ensure_blocks(client: Client) -> None:
    value(client, "log := OrderedCollection new")
    evaluation_id = paused(client, "[ self error: 'no' ] ensure: [ log add: 1 ]")
    assert value(client, "log size") == "0"
    client.call("stop_evaluation", evaluation_id=evaluation_id)
    assert value(client, "log size") == "1"


def test_a_return_from_a_block_is_stepped_over(client: Client) -> None:
    evaluation_id = paused(client, "| a |\nHalt now.\na := #(1 2) detect: [ :each | each = 2 ].\na + 40")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    assert "a = 2" in step(client, evaluation_id, "over")
    assert step(client, evaluation_id, "proceed").startswith("42")


def test_a_return_out_of_the_evaluation_ends_it(client: Client) -> None:
    evaluation_id = paused(client, "Halt now. #(1 2) do: [ :each | ^ each ]. 3")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    assert step(client, evaluation_id, "over").startswith("1")


def test_a_frame_with_an_ensure_below_it_returns_once(client: Client) -> None:
    value(client, "log := OrderedCollection new")
    evaluation_id = paused(client, "[ 3 foo ] ensure: [ log add: 1 ]. log size")
    number = lowest(client, evaluation_id)
    step(client, evaluation_id, "return", frame=number - 1, value="nil")
    assert step(client, evaluation_id, "proceed").startswith("1")


def test_a_frame_of_a_primitive_returns_a_value(client: Client) -> None:
    evaluation_id = paused(client, "7 + (3 / 0)")
    step(client, evaluation_id, "return", frame=1, value="self + 1")
    assert step(client, evaluation_id, "proceed").startswith("11")


def test_a_frame_whose_method_was_removed_runs_it_again(client: Client) -> None:
    client.call("edit_code", text=class_text("ZooGone", package="Zoo", slots=["fed"]))
    source = "feed\n\n\tfed ifNil: [ fed := 1. self error: 'no' ].\n\t^ 5"
    client.call("edit_code", text=method_text("ZooGone", source))
    evaluation_id = paused(client, "ZooGone new feed")
    client.call("edit_code", remove=["ZooGone>>feed"])
    stack = client.call("debug_show", evaluation_id=evaluation_id)
    number = int(found(r"\d+(?= ZooGone>>feed)", stack))
    step(client, evaluation_id, "restart", frame=number)
    assert step(client, evaluation_id, "proceed").startswith("5")
    client.call("undo_change", to=0)


def test_a_process_that_ended_meanwhile_is_told_as_one(client: Client) -> None:
    evaluation_id = paused(client, "self error: 'no'")
    value(client, END_OTHERS)
    eventually(lambda: running(client) == "none")
    told = failure(client.call("debug_step", evaluation_id=evaluation_id, action="proceed"))
    assert told.startswith(f"The evaluation {evaluation_id} is not paused: it has ended.")


def test_an_error_that_cannot_be_resumed_says_what_can_be_done(client: Client) -> None:
    evaluation_id = paused(client, "self error: 'no'. 7")
    told = failure(client.call("debug_step", evaluation_id=evaluation_id, action="proceed"))
    assert told.startswith("Error cannot be resumed: use over to skip the send that failed, or restart")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    assert step(client, evaluation_id, "proceed").startswith("7")


def test_an_unknown_message_is_sent_again_when_there_is_a_method(client: Client) -> None:
    client.call("edit_code", text=class_text("ZooLater", package="Zoo"))
    evaluation_id = paused(client, "ZooLater new answer + 2")
    client.call("edit_code", text=method_text("ZooLater", "answer\n\n\t^ 40"))
    assert step(client, evaluation_id, "proceed").startswith("42")
    client.call("undo_change", to=0)


def test_a_frame_of_a_paused_evaluation_can_be_paused_in_again(client: Client) -> None:
    outer = paused(client, "| a | a := 0. 3 foo. a")
    inner = paused(client, "a := 5. a bar", error_id=outer, frame=lowest(client, outer))
    step(client, inner, "return", frame=1, value="6")
    assert step(client, inner, "proceed").startswith("6")
    step(client, outer, "return", frame=1)
    assert step(client, outer, "proceed").startswith("5")


def test_two_clients_move_their_own(image: LiveImage, client: Client) -> None:
    with Client(env=image.env()) as other:
        other.shake_hands()
        mine, others = paused(client, "1 foo"), paused(other, "2 bar")
        step(client, mine, "return", frame=1, value="self + 10")
        step(other, others, "return", frame=1, value="self + 20")
        assert step(other, others, "proceed").startswith("22")
        assert step(client, mine, "proceed").startswith("11")


def test_two_clients_that_move_one_are_told_so(image: LiveImage, client: Client) -> None:
    with Client(env=image.env()) as other:
        other.shake_hands()
        evaluation_id = paused(client, "1 foo")
        assert "doesNotUnderstand: #foo" in whole(other.call("debug_show", evaluation_id=evaluation_id))
        step(other, evaluation_id, "return", frame=1, value="3")
        assert step(client, evaluation_id, "proceed").startswith("3")
        told = failure(other.call("debug_step", evaluation_id=evaluation_id, action="proceed"))
        assert "is not paused: it has ended" in told


def test_at_most_five_are_paused(client: Client) -> None:
    ids = [paused(client, "self error: 'no'") for _ in range(5)]
    told = failure(client.call("evaluate", expression="self error: 'no'", on_error="pause"))
    assert "too many are paused already" in told
    client.call("stop_evaluation", evaluation_id=ids[0])
    paused(client, "self error: 'no'")


def test_a_line_is_reached(client: Client) -> None:
    evaluation_id = paused(client, "| a |\nHalt now.\na := 1.\na := a + 1.\na := a * 10.\na")
    said = step(client, evaluation_id, "to_line", frame=lowest(client, evaluation_id), value="5")
    assert "a = 2" in said
    told = failure(client.call("debug_step", evaluation_id=evaluation_id, action="to_line", value="five"))
    assert told.startswith("to_line needs value, the number of a line")


def test_what_a_step_changes_is_named(client: Client) -> None:
    evaluation_id = paused(client, "Halt now. Object compile: 'zooStep ^ 1' classified: '*Zoo'. 7")
    said = step(client, evaluation_id, "proceed")
    assert said.startswith("7")
    assert re.search(r"[Cc]hange \d+", said)
    client.call("undo_change", to=0)


def test_pauses_leave_nothing(client: Client) -> None:
    before = value(client, f"{JOBS} size")
    for number in range(60):
        evaluation_id = paused(client, f"| a | a := {number}. [ a foo ] ensure: [ a := nil ]")
        if number % 3 == 0:
            client.call("stop_evaluation", evaluation_id=evaluation_id)
        elif number % 3 == 1:
            step(client, evaluation_id, "return", frame=1, value="3")
            step(client, evaluation_id, "proceed")
        else:
            step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
            client.call("stop_evaluation", evaluation_id=evaluation_id)
    assert running(client) == "none"
    assert value(client, f"{JOBS} size") == before


def test_one_that_stands_at_an_ensure_is_stopped(client: Client) -> None:
    value(client, "log := OrderedCollection new")
    evaluation_id = paused(client, "Halt now. [ 3 factorial ] ensure: [ log add: 1 ]. log size")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    said = step(client, evaluation_id, "into")
    assert "BlockClosure>>ensure:" in said or "(BlockClosure)>>ensure:" in said
    client.call("stop_evaluation", evaluation_id=evaluation_id)
    assert running(client) == "none"


def test_a_registered_tool_is_paused(client: Client) -> None:
    handler = "[ :arguments | (arguments at: 'number') foo + 1 ]"
    schema = "(PmcSchema object: { 'number' -> (PmcSchema integer: 'A number') } required: #( 'number' ))"
    value(
        client,
        f"PharoMcp addTool: (PmcTool name: 'zoo_fails' description: 'Fails' inputSchema: {schema} "
        f"handler: {handler}). 7",
    )
    result = client.call("zoo_fails", number=3, on_error="pause")
    assert "Paused: MessageNotUnderstood: " in whole(result)
    evaluation_id = found(r"(?<=evaluation_id: )[\w-]+", result)
    step(client, evaluation_id, "return", frame=1, value="self * 10")
    assert step(client, evaluation_id, "proceed").startswith("31")
    told = failure(client.call("zoo_fails", number=3, on_error="jump"))
    assert "on_error" in told
    value(client, "PharoMcp removeTool: 'zoo_fails'. 7")


def limit_steps(client: Client, evaluation_id: str, milliseconds: int) -> None:
    """Let each further step of the evaluation take that long at most."""
    session = f"(PharoMcp current evaluations at: '{evaluation_id}') debugSession"
    value(client, f"{session} stepMilliseconds: {milliseconds}. 7")


def test_a_wait_comes_back_paused_and_goes_on_when_it_is_over(client: Client) -> None:
    value(client, "gate := Semaphore new")
    evaluation_id = paused(client, "Halt now. gate wait. 7")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    limit_steps(client, evaluation_id, 100)
    said = step(client, evaluation_id, "over")
    assert said.startswith("The step did not end within 0.1 seconds: it waits for another process.")
    assert re.search(r"^    1 UndefinedObject>>DoIt -- Halt now. gate wait. 7$", said, re.M)
    assert value(client, "gate isEmpty") == "true"
    assert step(client, evaluation_id, "restart").startswith("Paused after a step.")
    assert "Halt" in step(client, evaluation_id, "over")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    value(client, "gate signal. 7")
    assert step(client, evaluation_id, "over").startswith("Paused after a step.")
    assert step(client, evaluation_id, "proceed").startswith("7")


def test_an_end_in_a_wait_runs_the_ensure_blocks_and_leaves_nothing(client: Client) -> None:
    value(client, "gate := Semaphore new. log := OrderedCollection new")
    evaluation_id = paused(client, "Halt now. [ gate wait ] ensure: [ log add: 1 ]")
    step(client, evaluation_id, "over", frame=lowest(client, evaluation_id))
    step(client, evaluation_id, "into")
    assert "1 [ ] in UndefinedObject>>DoIt" in step(client, evaluation_id, "into")
    limit_steps(client, evaluation_id, 100)
    assert "it waits for another process" in step(client, evaluation_id, "over")
    client.call("stop_evaluation", evaluation_id=evaluation_id)
    assert value(client, "{ log size. gate isEmpty. gate isSignaled }") == "#(1 true false)"


def test_changes_of_code_by_a_value_are_named_and_logged(client: Client) -> None:
    client.call(
        "edit_code", text=code(class_text("ZooStep", package="Zoo"), method_text("ZooStep", "half\n\n\t^ 1"))
    )
    try:
        evaluation_id = paused(client, "7 + (3 foo)")
        fails = "ZooStep compile: 'half ^ 2'. 1 / 0"
        failed = client.call("debug_step", evaluation_id=evaluation_id, action="return", value=fails)
        assert "ZeroDivide" in failure(failed)
        found(r"\bChange \d+\.", failed)
        works = "ZooStep compile: 'half ^ 3'. ZooStep new half"
        assert re.search(r"\bChanges \d+", step(client, evaluation_id, "return", value=works))
        assert step(client, evaluation_id, "proceed").startswith("10")
        log = whole(client.call("list_changes"))
        assert log.count("changedMethod ZooStep>>half, by evaluate") == 2
    finally:
        client.call("undo_change", to=0)


def test_a_value_that_a_step_does_not_use_is_refused(client: Client) -> None:
    evaluation_id = paused(client, "3 foo")
    refused = client.call("debug_step", evaluation_id=evaluation_id, action="over", value="3 zork")
    assert "over takes no value: omit it." in failure(refused)
