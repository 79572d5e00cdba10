"""What a tool answered, as a test looks at it."""

import inspect
import re
from collections.abc import Callable
from time import monotonic
from typing import Any

from programs import PATIENCE, Client


def texts(result: Any) -> list[str]:
    """The blocks of text in a result."""
    return [content["text"] for content in result["content"]]


def whole(result: Any) -> str:
    """All that a result says."""
    return "\n".join(texts(result))


def failure(result: Any) -> str:
    """All that a result says that must be an error."""
    assert result.get("isError") is True, whole(result)
    return whole(result)


def found(pattern: str, result: Any) -> str:
    """The first match of a pattern in what a result says."""
    match = re.search(pattern, whole(result))
    assert match, whole(result)
    return match[0]


def value(client: Client, expression: str, **arguments: object) -> str:
    """The print string of the value of an expression that must have one."""
    result = client.call("evaluate", expression=expression, **arguments)
    assert not result.get("isError"), whole(result)
    return texts(result)[0]


def at_last(client: Client, result: Any, expression: str, **arguments: object) -> str:
    """What an evaluation comes to on a machine that may be loaded.

    One that goes on under its id is followed, and one that was refused for want of time is started now.
    """

    def is_settled() -> bool:
        nonlocal result
        if running := re.search(r"^Still running .*evaluation_id: (\S+)$", whole(result), re.MULTILINE):
            result = client.call("get_evaluation", evaluation_id=running[1])
        elif result.get("isError") and re.match("(The image|pharo-mcp) is busy: ", whole(result)):
            result = client.call("evaluate", expression=expression, **arguments)
        else:
            return True
        return False

    eventually(is_settled)
    return whole(result)


def running(client: Client) -> str:
    """What the image says of the evaluations that run in it."""
    return whole(client.call("get_status")).partition("Running evaluations:")[2].strip()


def eventually(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Ask again and again until a condition is true; fail with its source if it is not within this time."""
    __tracebackhide__ = True  # pytest shows the line that waits
    end = monotonic() + seconds
    while not condition():
        if monotonic() > end:
            source = inspect.getsource(getattr(condition, "func", condition))  # a partial has a `func`
            raise AssertionError(f"within {seconds:.0f} seconds, this was not so: {source.strip()}")


def told_until_answered(client: Client) -> list[str]:
    """What calls say until one is answered by an image."""
    said: list[str] = []

    def is_answered() -> bool:
        result = client.call("evaluate", expression="6 * 7")
        said.append(whole(result))
        return not result.get("isError")

    eventually(is_answered)
    assert said[-1].startswith("42")
    return said
