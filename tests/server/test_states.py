"""The states of a connection and of a request."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from pharo_mcp.server import states
from pharo_mcp.server.states import ANSWERED, CONNECTION, REQUEST, RUNNING, WAITING, Moves, StateMachine

ROW = re.compile(r"^    (\w+) +(\w+(?: \w+)*) {2,}(\w+)(?:  .*)?$", re.M)


def rows_of(table: int) -> Moves:
    """A table of the module's documentation: `table` counts from 0."""
    documented = (states.__doc__ or "").split("state      event")[1 + table]
    return {(state, event): following for state, event, following in ROW.findall(documented)}


@pytest.mark.parametrize(("table", "moves"), [(0, CONNECTION), (1, REQUEST)])
def test_the_documentation_lists_exactly_the_moves_of_the_code(table: int, moves: Moves) -> None:
    assert rows_of(table) == moves


@pytest.mark.parametrize("moves", [CONNECTION, REQUEST])
def test_a_last_state_is_never_left(moves: Moves) -> None:
    last = set(moves.values()) - {state for state, _ in moves}
    assert last
    for state in last:
        machine = StateMachine(moves, state)
        assert not any(machine.move(event) for _, event in moves)
        assert machine.state == state


def test_an_event_that_does_not_belong_to_the_state_changes_nothing() -> None:
    machine = StateMachine(REQUEST, WAITING)
    assert not machine.move("finished")
    assert machine.state == WAITING


def test_of_two_threads_only_one_takes_a_request() -> None:
    with ThreadPoolExecutor(2) as pool:
        for _ in range(50):
            machine = StateMachine(REQUEST, WAITING)
            taken, overdue = pool.map(machine.move, ("taken", "overdue"))
            assert taken is not overdue
            assert machine.state == (RUNNING if taken else ANSWERED)
