"""Characters that are not Unicode: clients get U+FFFD, wherever they are, on stdio and over HTTP."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.running import run
from end_to_end.answers import value, whole
from over_http.serving import Web, call
from programs import COMMAND, Client, LiveImage, Program, environment

CODES = ("16rD800", "16rDFFF", "16r110000", "16r7FFFFFF")
"""Halves of surrogate pairs, and what is above Unicode: a virtual machine answers 27 bits from a string."""
TEXT = "(String with: $a with: (Character value: {code}) with: $b)"
SHOWN = "a\ufffdb"
ANSWERS = {
    "{text}": "'a\ufffdb'",
    "{text} second": "$\ufffd",
    "{{ {text}. 3 }}": "#('a\ufffdb' 3)",
    "Dictionary new at: {text} put: 3; yourself": "'a\ufffdb'->3",
    "Error signal: {text}": "Error: a\ufffdb\n",
    "{text} sunrise": "Receiver: 'a\ufffdb'",
    "(Warning signal: {text}). 3": "Warning: a\ufffdb",
    "self inform: {text}. 3": "a\ufffdb",
    "Transcript show: {text}; cr; nextPutAll: {text}; nextPut: {text} second. 3": "a\ufffdb\na\ufffdb\ufffd",
}
"""Expressions, and what the answers must have in them."""


def check(line: bytes) -> None:
    """Fail unless a line is JSON whose strings are Unicode."""
    json.dumps(json.loads(line.decode()), ensure_ascii=False).encode()


class StrictClient(Client):
    """A client that refuses what is not Unicode, as parsers in most languages do."""

    def read_line(self) -> bytes | None:
        """Its next line, checked."""
        line = super().read_line()
        if line is not None:
            check(line)
        return line


@pytest.fixture(scope="module")
def strict(image: LiveImage) -> Iterator[StrictClient]:
    with StrictClient(env=image.env()) as client:
        client.shake_hands()
        yield client


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("expression", ANSWERS)
def test_an_answer(strict: StrictClient, expression: str, code: str) -> None:
    result = strict.call("evaluate", expression=expression.format(text=TEXT.format(code=code)))
    assert ANSWERS[expression] in whole(result)


@pytest.mark.parametrize("code", CODES)
def test_what_an_image_registers_and_reports(strict: StrictClient, code: str) -> None:
    text, uri = TEXT.format(code=code), f"odd://{code}"
    value(
        strict,
        f"PharoMcp addResource: (PmcResource uri: '{uri}' name: {text} description: {text} "
        f"mimeType: 'text/plain' handler: [ {text} ])",
    )
    try:
        [contents] = strict.request("resources/read", uri=uri)["result"]["contents"]
        assert contents["text"] == SHOWN
        resources = strict.request("resources/list")["result"]["resources"]
        [found] = [each for each in resources if each["uri"] == uri]
        assert (found["name"], found["description"]) == (SHOWN, SHOWN)
        value(strict, f"PharoMcp notifyClients: {text} level: 'error' logger: {text}")
        message = strict.wait_for("notifications/message")
        assert (message["data"], message["logger"]) == (SHOWN, SHOWN)
    finally:
        value(strict, f"PharoMcp removeResource: '{uri}'")


REQUESTS = (
    rb'"method":"\udc00\ud800"',
    rb'"method":"tools/call","params":{"name":"\udc00"}',
    rb'"method":"tools/call","params":{"name":"get_class","arguments":{"\ud800":1}}',
    rb'"method":"resources/read","params":{"uri":"odd://\ud800"}',
    rb'"method":"prompts/get","params":{"name":"\ud800"}',
)


@pytest.mark.parametrize("request_of", REQUESTS)
def test_what_the_client_sends(strict: StrictClient, request_of: bytes) -> None:
    strict.write(rb'{"jsonrpc":"2.0","id":"\ud800",' + request_of + b"}\n")
    while "id" not in (answer := strict.receive()):
        strict.told.append(answer)
    assert answer["id"] == "\ufffd"
    assert "error" in answer or answer["result"]["isError"]


def test_an_expression_that_is_not_unicode_does_not_run(strict: StrictClient) -> None:
    result = strict.call("evaluate", expression="Transcript show: '\ud800'")
    assert whole(result) == (
        "`expression` is not valid Unicode: character 19 is an unpaired surrogate. Nothing ran."
    )


def test_over_http(home: Path) -> None:
    token = "the-token-of-the-test"
    command = [*COMMAND, "--http", "0", "--practice"]
    env = environment(home, PHARO_MCP_HTTP_TOKEN=token)
    with Program(command, env, stderr=subprocess.PIPE) as program:
        assert program.process.stderr is not None
        web = Web(program.process.stderr.readline().decode().split()[-1], token)
        web.initialize()
        for accepted in ("application/json", "text/event-stream"):
            for expression, expected in ANSWERS.items():
                odd = expression.format(text=TEXT.format(code="16r110000"))
                reply = web.post(call(1, "evaluate", expression=odd), Accept=accepted)
                lines = [line.removeprefix(b"data: ") for line in reply.body.splitlines()]
                answer = next(line for line in lines if line.startswith(b"{"))
                check(answer)
                assert expected in whole(json.loads(answer)["result"])
        program.process.send_signal(signal.SIGTERM)
        program.wait()


@pytest.mark.parametrize("code", CODES)
def test_on_the_command_line(image: LiveImage, code: str) -> None:
    text = TEXT.format(code=code)
    shown = run("eval", f"Transcript show: {text}. {text}", home=image.home)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, f"'{SHOWN}'\n", SHOWN)
    as_json = run("eval", "--json", text, home=image.home)
    check(as_json.stdout.encode())
    assert f"'{SHOWN}'" in whole(json.loads(as_json.stdout))


def test_a_word_that_is_not_unicode_is_shown_so(home: Path) -> None:
    refused = run("call", "z\udcff", home=home)
    assert r"unknown tool z\udcff" in refused.stderr
