"""The evaluation set: tasks of a Smalltalk developer, played mechanically, each within its bytes."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest

from pharo_mcp.tools.all import TOOLS
from programs import Client, LiveImage
from scenarios.playing import TASKS, played

UNLISTED = tuple(row.name for row in TOOLS if not row.core)
AT_FIRST = (62, 14_723)
"""The calls and bytes that the first twenty tasks needed before tools were made to fit them."""
SENT_TO = {"get_evaluation", "stop_evaluation", "inspect_object", "select_image"}
"""Tools that answers of core tools send a model to."""
ALWAYS_NEEDED: set[str] = set()
"""Core tools that no task uses."""


@pytest.fixture(scope="module")
def client(image: LiveImage) -> Iterator[Client]:
    """One conversation for all tasks."""
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield client


@pytest.fixture(scope="module")
def tools(client: Client) -> Mapping[str, Mapping[str, Any]]:
    """The tools that are listed, by name."""
    listed = client.request("tools/list")["result"]["tools"]
    return {tool["name"]: tool for tool in listed}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["task"])
def test_a_task_is_solved_by_these_calls_for_so_many_bytes(
    image: LiveImage, client: Client, task: Any
) -> None:
    spent = 0
    with closing(played(client, task)) as calls:
        for call, result, answer, size in calls:
            spent += size
            assert result["isError"] is call.get("fails", False), answer
            for fact in call["facts"]:
                assert fact in answer
            assert call["tool"] in UNLISTED or not [name for name in UNLISTED if name in answer]
    if image.system.endswith("(practice image)"):  # another image holds more than is looked for
        assert spent <= task["bytes"]


def test_each_task_knows_what_it_expects() -> None:
    assert len(TASKS) == len({task["task"] for task in TASKS}) == 23
    assert all(call["facts"] for task in TASKS for call in task["calls"])


def test_the_first_twenty_need_a_third_fewer_calls_and_bytes_than_at_first() -> None:
    now = sum(len(task["calls"]) for task in TASKS[:20]), sum(task["bytes"] for task in TASKS[:20])
    assert [3 * new <= 2 * old for new, old in zip(now, AT_FIRST, strict=True)] == [True, True]


def test_the_tasks_decide_which_tools_are_core(tools: Mapping[str, Mapping[str, Any]]) -> None:
    used = {call["tool"] for task in TASKS for call in task["calls"]}
    listed_now = SENT_TO - {"select_image"}  # which is listed only while several images are live
    assert tools.keys() - set(UNLISTED) == used | ALWAYS_NEEDED | listed_now
