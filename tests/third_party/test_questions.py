"""The official clients answer what evaluated code asks: Python in all modes, TypeScript in both eras."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import ElicitResult

from programs import PATIENCE, LiveImage
from third_party.test_official_client import MODES, text
from third_party.web import over_http

EXPRESSION = "(UIManager default confirm: 'Go on?') -> (UIManager default request: 'Name?')"
ANSWERS: dict[str, Any] = {"Go on?": True, "Name?": "Ada"}
HERE = Path(__file__).parent
PACKAGES = HERE.parents[1] / ".venv" / "inspector"


class Person:
    """Answers questions, or declines them."""

    def __init__(self, declined: str | None = None) -> None:
        self.asked: list[str] = []
        self._declined = declined

    async def answer(self, context: object, params: Any) -> ElicitResult:
        """The result of a form."""
        self.asked.append(params.message)
        if params.message == self._declined:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"answer": ANSWERS[params.message]})


async def evaluated(server: Any, mode: str, person: Person) -> Any:
    with anyio.fail_after(PATIENCE):
        async with Client(server, mode=mode, elicitation_callback=person.answer) as client:
            return await client.call_tool("evaluate", {"expression": EXPRESSION})


@pytest.mark.parametrize("mode", MODES)
def test_the_python_client_answers(image: LiveImage, mode: str) -> None:
    person = Person()
    server = StdioServerParameters(command=sys.executable, args=["-m", "pharo_mcp"], env=image.env())
    result = anyio.run(evaluated, server, mode, person)
    assert text(result.content[0]).startswith("true->'Ada'")
    assert person.asked == list(ANSWERS)


@pytest.mark.parametrize("mode", MODES)
def test_the_python_client_answers_over_http(url: str, mode: str) -> None:
    person = Person()

    async def session() -> Any:
        async with over_http(url) as server:
            return await evaluated(server, mode, person)

    result = anyio.run(session)
    assert text(result.content[0]).startswith("true->'Ada'")
    assert person.asked == list(ANSWERS)


@pytest.mark.parametrize("mode", MODES)
def test_the_python_client_declines(image: LiveImage, mode: str) -> None:
    person = Person(declined="Name?")
    server = StdioServerParameters(command=sys.executable, args=["-m", "pharo_mcp"], env=image.env())
    result = anyio.run(evaluated, server, mode, person)
    assert result.is_error
    assert "the person declined to answer" in text(result.content[0])


@pytest.mark.skipif(
    shutil.which("node") is None or not (PACKAGES / "node_modules" / "@modelcontextprotocol").exists(),
    reason="the TypeScript client needs node and npm; scripts/test installs it where they are",
)
@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("answer", "words"), [("true", "true"), ("decline", "the person declined to answer")]
)
def test_the_typescript_client_answers(image: LiveImage, mode: str, answer: str, words: str) -> None:
    expression = "UIManager default confirm: 'Go on?'"
    command = ["node", str(HERE / "answering.mjs"), str(PACKAGES), mode, expression, answer]
    run = subprocess.run(
        [*command, sys.executable, "-m", "pharo_mcp"],
        env=image.env(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["asked"] == ["Go on?"]
    assert words in told["text"]
    assert told["isError"] is (answer == "decline")
