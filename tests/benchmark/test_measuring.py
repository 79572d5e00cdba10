"""The parts of the benchmark, each once, on real programs; no time is asserted."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from benchmark.measures import (
    EACH,
    P50,
    P99,
    Caller,
    Effort,
    Limits,
    calls,
    listing,
    memory,
    resident,
    starts,
)
from benchmark.servers import OURS, Server, is_answer, other_server, ours, stub_image
from programs import COMMAND, PATIENCE, LiveImage, environment

ONCE = Effort(rounds=1, starts=1, calls=25, memory_calls=2)
TOOLS_OF_OTHERS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    tools = [{"name": "browse", "inputSchema": {"type": "object"}}]
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": tools}}), flush=True)
"""
"""A server that cannot evaluate."""


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveImage]:
    with stub_image(tmp_path_factory.mktemp("home")) as image:
        yield image


@pytest.fixture
def servers(stub: LiveImage) -> list[Server]:
    """pharo-mcp twice: as itself and as another server."""
    return [ours(stub), other_server(f"other={' '.join(COMMAND)}", stub)]


def test_the_stub_image_answers_evaluations_of_any_companion(stub: LiveImage) -> None:
    for path in ("/evaluate", "/eval"):
        reply = httpx.post(stub.url + path, json={}, trust_env=False).json()
        assert reply["value"]["printString"] == reply["result"] == "7"


def test_the_stub_image_answers_requests_that_arrive_in_pieces(stub: LiveImage) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"expression":'
        yield b' "3 + 4"}'

    headers = {"Content-Length": "23"}
    reply = httpx.post(stub.url + "/evaluate", content=pieces(), headers=headers, trust_env=False)
    assert reply.json()["ok"] is True


def test_each_server_is_started_beside_a_bare_python(servers: list[Server]) -> None:
    figures = list(starts(servers, ONCE, {OURS: Limits(start=4, listed=9.3)}))
    assert [figure.program for figure in figures] == [OURS, OURS, "other", "other"]
    assert [figure.limit for figure in figures] == [4, 9.3, None, None]
    assert all(figure.ratio for figure in figures)


def test_ours_is_started_without_what_extras_bring(stub: LiveImage) -> None:
    found = "import httpx, sys; print(sys.modules.keys() & {'click', 'rich'} or None)"
    command = [sys.executable, "-c", found]
    ended = subprocess.run(command, env=ours(stub).env, capture_output=True, text=True, check=True)
    assert ended.stdout == "None\n"


def test_calls_through_each_server_are_measured_beside_bare_requests(
    servers: list[Server], stub: LiveImage
) -> None:
    figures = list(calls(servers, stub, ONCE, {OURS: Limits(call=1.4)}))
    assert [(figure.program, figure.name) for figure in figures] == [
        (program, name) for program in (OURS, "other") for name in (P50, P99, EACH)
    ]
    assert all(figure.ratio for figure in figures)


def test_the_calls_of_a_server_that_cannot_evaluate_are_not_measured(tmp_path: Path, stub: LiveImage) -> None:
    script = tmp_path / "other.py"
    script.write_text(TOOLS_OF_OTHERS, "utf-8")
    other = other_server(f"other='{sys.executable}' '{script}'", stub)
    assert list(calls([other], stub, ONCE, {})) == []
    [figure] = listing([other])
    assert figure.name == "list of 1 tools"


reports_memory = pytest.mark.skipif(
    resident(os.getpid()) is None, reason="the system does not report resident memory"
)


@reports_memory
def test_memory_is_that_of_a_server_and_of_the_processes_that_it_started(
    servers: list[Server], stub: LiveImage
) -> None:
    started = f"import subprocess, sys; sys.exit(subprocess.call({COMMAND!r}))"
    wrapped = Server("wrapped", [sys.executable, "-c", started], stub.env())
    sizes = {figure.program: figure.value for figure in memory([*servers, wrapped], ONCE, {})}
    assert sizes["wrapped"] > sizes[OURS] > 0


@reports_memory
def test_a_process_that_has_ended_takes_no_memory() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # nobody has asked for its status
        assert resident(ended.pid) == 0
        own = resident(os.getpid())
    assert own is not None
    assert own > 0


def test_a_server_that_ends_is_reported(stub: LiveImage) -> None:
    ending = Server("ending", [sys.executable, "-c", "input()"], stub.env())
    with pytest.raises(EOFError, match="it has ended"), ending.session():
        pass


def test_a_call_is_measured_only_if_the_image_evaluates(servers: list[Server], tmp_path: Path) -> None:
    with servers[0]._replace(env=environment(tmp_path)).session() as client:  # no image is live there
        assert Caller.of(OURS, client) is None


def test_only_a_successful_result_counts_as_an_answer() -> None:
    content = [{"type": "text", "text": "7"}]
    assert is_answer({"result": {"content": content}})
    assert not is_answer({"result": {"content": content, "isError": True}})
    assert not is_answer({"error": {"code": -32602, "message": "7"}})


def test_the_command_of_another_server_can_name_the_port_of_the_stub_image(stub: LiveImage) -> None:
    server = other_server("other=env PORT={port} 'my server' --fast", stub)
    assert server.name == "other"
    assert server.command == ["env", f"PORT={stub.url.rpartition(':')[2]}", "my server", "--fast"]


@pytest.mark.parametrize("text", ["other", "=command", "other="])
def test_another_server_has_a_name_and_a_command(stub: LiveImage, text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{text!r} is not NAME=COMMAND")):
        other_server(text, stub)


def test_the_script_explains_itself(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts" / "bench"
    told = subprocess.run(
        [sys.executable, script, "--help"],
        env=environment(tmp_path, PHARO_MCP_BENCH="started"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert "--beside" in told.stdout
