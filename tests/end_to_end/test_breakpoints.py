"""A breakpoint pauses evaluations that may pause, and leaves no trace in the code."""

import re
from collections.abc import Iterator

import pytest

from end_to_end.answers import failure, whole
from programs import Client
from scenarios.playing import mark
from smalltalk_text import class_text, method_text

SOURCE = """\
of: aCollection

	| sum |
	sum := 0.
	aCollection do: [ :each |
		sum := sum + each ].
	^ sum"""
METHOD = {"class_name": "BreakpointSum", "selector": "of:"}
SUM = "BreakpointSum new of: #( 10 20 30 40 )"


@pytest.fixture(autouse=True)
def code(client: Client) -> Iterator[None]:
    before = mark(client)
    client.call("edit_code", text=class_text("BreakpointSum", package="Breakpoints"))
    client.call("edit_code", text=method_text("BreakpointSum", SOURCE))
    yield
    client.call("stop_evaluation", all=True)
    client.call("set_breakpoint", remove=True)
    client.call("undo_change", to=before)


def paused_at(client: Client, expression: str) -> tuple[str, str]:
    """The id of an evaluation that pauses, and what is said of it."""
    said = whole(client.call("evaluate", expression=expression, on_error="pause"))
    [found] = re.findall(r"evaluation_id: ([\w-]+)", said)
    return found, said


def test_a_condition_picks_the_iteration_and_the_code_stays_as_it_is(client: Client) -> None:
    changes = whole(client.call("list_changes"))
    source = whole(client.call("read_code", items=["BreakpointSum>>of:"]))
    line = "BreakpointSum>>of:, line 6: sum := sum + each ]."
    said = whole(client.call("set_breakpoint", **METHOD, line=6, condition="each = 30"))
    assert f"    {line} [0 hits, if each = 30]" in said.splitlines()
    assert whole(client.call("read_code", items=["BreakpointSum>>of:"])) == source

    evaluation_id, said = paused_at(client, SUM)
    assert said.startswith("Paused at the breakpoint in BreakpointSum>>of:, line 6 (hit 1).")
    shown = whole(client.call("debug_show", evaluation_id=evaluation_id, frame=1))
    assert "-> \t\tsum := sum + each ]." in shown.splitlines()
    assert "sum: 30 (SmallInteger)" in shown.splitlines()
    assert "each: 30 (SmallInteger)" in shown.splitlines()
    value = client.call("evaluate", expression="sum + each", error_id=evaluation_id, frame=1)
    assert whole(value).splitlines()[0] == "60"

    removed = whole(client.call("set_breakpoint", **METHOD, remove=True))
    assert removed.splitlines() == ["Removed breakpoints: 1.", "Breakpoints: none."]
    ended = client.call("debug_step", evaluation_id=evaluation_id, action="proceed")
    assert whole(ended).splitlines()[0] == "100"
    assert whole(client.call("list_changes")) == changes


def test_a_test_pauses_at_a_breakpoint_and_passes(client: Client) -> None:
    client.call("edit_code", text=class_text("BreakpointSumTest", "TestCase", package="Breakpoints"))
    source = f"testSum\n\n\tself assert: ({SUM}) equals: 100"
    client.call("edit_code", text=method_text("BreakpointSumTest", source))
    client.call("set_breakpoint", **METHOD, line=7)
    said = whole(client.call("run_tests", tests=["BreakpointSumTest"], on_error="pause"))
    assert said.startswith("Paused at the breakpoint in BreakpointSum>>of:, line 7 (hit 1).")
    [evaluation_id] = re.findall(r"evaluation_id: ([\w-]+)", said)
    said = whole(client.call("debug_step", evaluation_id=evaluation_id, action="over"))
    assert "BreakpointSumTest>>testSum" in said
    said = whole(client.call("debug_step", evaluation_id=evaluation_id, action="proceed"))
    assert "1 passed" in said


def test_an_evaluation_that_may_not_pause_goes_on(client: Client) -> None:
    client.call("set_breakpoint", **METHOD)
    assert whole(client.call("evaluate", expression=SUM)).splitlines()[0] == "100"
    assert "[0 hits]" in whole(client.call("set_breakpoint"))


def test_a_method_that_is_compiled_again_has_no_breakpoint(client: Client) -> None:
    client.call("set_breakpoint", **METHOD, line=6)
    new = SOURCE.replace("+ each", "- each")
    client.call("edit_code", text=method_text("BreakpointSum", new))
    assert "gone: the method was compiled again" in whole(client.call("set_breakpoint"))
    ran = client.call("evaluate", expression=SUM, on_error="pause")
    assert whole(ran).splitlines()[0] == "-100"


def test_a_condition_that_cannot_be_compiled_sets_nothing(client: Client) -> None:
    refused = client.call("set_breakpoint", **METHOD, line=6, condition="eech > 3")
    assert failure(refused).startswith("Undeclared variable: eech")
    assert "Breakpoints: none." in whole(client.call("set_breakpoint"))
