"""Plays the tasks of the evaluation set, as a model would: call by call, with what earlier answers told."""

import json
import re
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from programs import Client

TASKS: list[Any] = json.loads((Path(__file__).parent / "tasks.json").read_text("utf-8"))


class PlayedCall(NamedTuple):
    """A call of a task, its result, and the bytes that a model writes and reads for it."""

    call: Mapping[str, Any]
    result: Mapping[str, Any]
    answer: str
    bytes: int

    @property
    def missing(self) -> list[str]:
        """What the answer should contain, and does not."""
        return [fact for fact in self.call["facts"] if fact not in self.answer]

    @property
    def succeeded(self) -> bool:
        """Whether the answer is the expected one."""
        return self.result["isError"] is self.call.get("fails", False) and not self.missing


def played(client: Client, task: Mapping[str, Any]) -> Generator[PlayedCall]:
    """Play the calls of a task, one after another; its changes are undone at the end."""
    before = mark(client)
    kept = {"mark": str(before)}
    try:
        for call in task["calls"]:
            arguments = filled(call["arguments"], kept)
            result = client.call(call["tool"], **arguments)
            answer = text(result)
            yield PlayedCall(call, result, answer, len(json.dumps(arguments)) + len(answer.encode()))
            for name, pattern in call.get("keep", {}).items():
                found = re.search(pattern, answer)
                assert found, answer
                kept[name] = found[1]
    finally:
        client.call("undo_change", to=before)


def filled(arguments: Mapping[str, Any], kept: Mapping[str, str]) -> dict[str, Any]:
    """Arguments with what earlier answers told instead of its name in braces; numbers become numbers."""
    result = dict(arguments)
    for name, word in arguments.items():
        if isinstance(word, str) and (found := re.fullmatch(r"\{(\w+)\}", word)):
            value = kept[found[1]]
            result[name] = int(value) if value.isdigit() else value
    return result


def text(result: Any) -> str:
    """The text of a result."""
    return "\n".join(content["text"] for content in result["content"])


def mark(client: Client) -> int:
    """The number of the newest change; 0 without any."""
    found = re.search(r"^    (\d+): ", text(client.call("list_changes", limit=1)), re.M)
    return int(found[1]) if found else 0
