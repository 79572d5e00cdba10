"""`pharo-mcp --http` as a process."""

import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from image.servers import TOKEN, Reply, companion, value
from over_http.serving import Web, call, initialize, serving
from programs import COMMAND, PATIENCE, Program, environment

CHOSEN_TOKEN = "a-token-chosen-by-the-user"


def rest_of_standard_output(program: Program) -> bytes:
    assert program.process.stderr is not None
    return program.process.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_url_and_token_and_serves_until_a_signal(home: Path, number: int) -> None:
    with serving(home) as (program, (url_line, token_line)):
        web = Web(url_line.split()[-1], token_line.removeprefix("Authorization: Bearer "))
        web.initialize()
        with web.begin("GET") as listening:
            program.process.send_signal(number)
            assert listening.next_event() is None
        assert program.wait() == 128 + number
        assert program.read_line() is None
        assert rest_of_standard_output(program) == b""


def test_a_signal_before_serving_ends_it(home: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from pharo_mcp.app.serving import serve_http\n"
        "from pharo_mcp.app.settings import Settings\n"
        "interrupt = lambda line: signal.raise_signal(signal.SIGTERM)\n"
        "sys.exit(serve_http(Settings(), os.environ, 0, interrupt))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], env=environment(home), timeout=PATIENCE)
    assert ran.returncode == 128 + signal.SIGTERM


def test_a_chosen_token_is_not_printed(home: Path) -> None:
    with serving(home, PHARO_MCP_HTTP_TOKEN=CHOSEN_TOKEN) as (program, [url_line]):
        assert Web(url_line.split()[-1], CHOSEN_TOKEN).post(initialize()).status == 200
        assert Web(url_line.split()[-1], "another").post(initialize()).status == 401
        program.process.send_signal(signal.SIGTERM)
        assert program.read_line() is None


@pytest.mark.parametrize("modern", [False, True])
def test_a_signal_stops_evaluations_in_the_image(home: Path, modern: bool) -> None:
    started: queue.Queue[str] = queue.Queue()
    stopped = threading.Event()

    def evaluate(body: Any) -> Reply:
        started.put(body["evaluation"])
        stopped.wait(PATIENCE)
        return 200, {"ok": False, "error": {"kind": "cancelled", "messageText": "It was stopped."}}

    def stop(body: Any) -> Reply:
        stopped.set()
        return value({"stopped": [body["evaluation"]], "frozen": []})

    with (
        companion(evaluate=evaluate, stop=stop) as image,
        serving(home, "--url", image.address.url, "--token", TOKEN, PHARO_MCP_HTTP_TOKEN=CHOSEN_TOKEN) as (
            program,
            [url_line],
        ),
    ):
        web = Web(url_line.split()[-1], CHOSEN_TOKEN)
        if not modern:
            web.initialize()
        begin = web.begin_modern if modern else web.begin_events
        with begin(call(1, "evaluate", expression="x")) as response:
            assert started.get(timeout=PATIENCE)
            program.process.send_signal(signal.SIGTERM)
            assert stopped.wait(PATIENCE)
            assert response.next_event() is None
        assert program.wait() == 128 + signal.SIGTERM


def run(home: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment(home, **environ),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_port_in_use_is_reported(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        ran = run(home, *COMMAND, "--http", str(port))
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"pharo-mcp: cannot listen on port {port}: ")


def test_an_invalid_token_is_not_printed(home: Path) -> None:
    ran = run(home, *COMMAND, "--http", "0", PHARO_MCP_HTTP_TOKEN="two words")
    assert ran.returncode == 1
    assert "PHARO_MCP_HTTP_TOKEN is not a valid token" in ran.stderr
    assert "two words" not in ran.stderr


def test_without_uvicorn_it_prints_how_to_install_it(home: Path) -> None:
    program = (
        "import sys; sys.modules['uvicorn'] = None; import pharo_mcp.cli.main as it; sys.exit(it.main())"
    )
    ran = run(home, sys.executable, "-c", program, "--http", "0")
    assert ran.returncode == 1
    assert "uv tool install 'pharo-mcp[http] @ " in ran.stderr


def test_serving_standard_input_and_output_does_not_import_it() -> None:
    program = (
        "import sys, pharo_mcp.app.serving; "
        "print([name for name in sys.modules if name.startswith('pharo_mcp.http') or name == 'uvicorn'])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.stdout.strip() == "[]", ran.stderr
