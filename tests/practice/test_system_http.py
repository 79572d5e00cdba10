"""An HTTP server of the practice image, asked by sockets and by httpx from another process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import pytest

from practice_evaluation import Evaluate

WAIT = 60
"""Seconds that nothing here comes near, unless something is broken."""

SERVER = """
| server |
ZnNetworkingUtils defaultSocketStreamTimeout: {patience}.
server := (ZnServer defaultServerClass on: 0)
    bindingAddress: #[127 0 0 1];
    maximumEntitySize: 100000;
    maximumNumberOfConcurrentConnections: {connections};
    debugMode: false;
    loggingOff;
    yourself.
server reader: [ :stream |
    [ ZnRequest readFrom: stream ]
        on: Error
        do: [ :error |
            ({ ZnParseError. ZnCharacterEncodingError. ZnEntityTooLarge. ZnTooManyDictionaryEntries.
               ZnUnknownScheme. NetworkError } anySatisfy: [ :each | error class includesBehavior: each ])
                ifTrue: [ error pass ].
            ZnParseError signal: error messageText ] ].
server delegate: (ZnValueDelegate with: [ :request |
    request uri firstPathSegment = 'fail' ifTrue: [ Error signal: 'as asked' ].
    request uri firstPathSegment = 'bytes'
        ifTrue: [ ZnResponse ok: (ZnEntity bytes: request contents) ]
        ifFalse: [
            ZnResponse ok: (ZnEntity text:
                request method , ' ' , request uri pathPrintString , ' ' , request contents asString) ] ]).
server start.
[ server isListening ] whileFalse: [ (Delay forMilliseconds: 5) wait ].
Smalltalk globals at: #TestServer put: server
"""


@dataclass(frozen=True)
class Server:
    """Where the practice image listens."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)

    def exchange(self, request: bytes) -> bytes:
        """Everything that is answered until the server closes."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_to_end(connection)


def read_to_end(connection: socket.socket) -> bytes:
    answer = b""
    while part := connection.recv(65536):
        answer += part
    return answer


def read_answer(connection: socket.socket) -> tuple[bytes, bytes]:
    """Head and body of one answer, whose length is in its head."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(1)
        if not part:
            return answer, b""
        answer += part
    length = next(
        int(line.split(b":")[1])
        for line in answer.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    body = b""
    while len(body) < length:
        body += connection.recv(length - len(body))
    return answer, body


@contextmanager
def serving(connections: int, patience: float = 30) -> Iterator[Server]:
    """A practice image that serves so many connections at once, each idle for at most so many seconds."""
    source = SERVER.replace("{connections}", str(connections)).replace("{patience}", str(patience))
    process = subprocess.Popen(
        [sys.executable, "-m", "pharo_practice", "--do", source, "--print", "TestServer port", "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield Server(int(line))
        assert process.poll() is None, process.stderr.read()
    finally:
        process.stdin.close()
        process.wait(WAIT)
        process.stdout.close()
        process.stderr.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(connections=500) as started:
        yield started


def test_a_request_is_answered(server: Server) -> None:
    answer = httpx.post(f"{server.url}/some/path", content="hello", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain;charset=utf-8"
    assert answer.headers["Server"].startswith("Zinc HTTP Components")
    assert answer.text == "POST /some/path hello"


def test_a_request_without_a_body_has_no_contents(server: Server) -> None:
    assert httpx.get(f"{server.url}/x").text == "GET /x nil"


def test_text_travels_in_utf_8_both_ways(server: Server) -> None:
    text = "Grüße, 世界, 🎈, \uffff"
    answer = httpx.post(server.url, content=text.encode(), headers={"Content-Type": "application/json"})
    assert answer.content.decode() == f"POST / {text}"
    assert int(answer.headers["Content-Length"]) == len(answer.content)


def test_bytes_come_back_unchanged(server: Server) -> None:
    data = bytes(range(256)) * 100
    assert httpx.post(f"{server.url}/bytes", content=data).content == data


def test_many_requests_share_a_connection(server: Server) -> None:
    with server.connect() as connection:
        for number in range(20):
            body = f"number {number}".encode()
            head = f"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)
            assert read_answer(connection)[1] == b"POST / " + body


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    with server.connect() as connection:
        connection.sendall(b"".join(b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n" % number for number in range(10)))
        assert [read_answer(connection)[1] for _ in range(10)] == [
            b"GET /%d nil" % number for number in range(10)
        ]


def test_fifty_connections_are_served_at_once(server: Server) -> None:
    connections = [server.connect() for _ in range(50)]
    try:
        for number, connection in enumerate(connections):
            connection.sendall(b"GET /%d HTTP/1.1\r\n\r\n" % number)
        for number, connection in reversed(list(enumerate(connections))):
            assert read_answer(connection)[1] == b"GET /%d nil" % number
    finally:
        for connection in connections:
            connection.close()


def test_fifty_clients_ask_at_the_same_time(server: Server) -> None:
    def ask(number: int) -> str:
        return httpx.post(server.url, json={"number": number}, timeout=WAIT).text

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(ask, range(50)))
    assert [json.loads(answer.removeprefix("POST / "))["number"] for answer in answers] == list(range(50))


def test_a_chunked_body_is_read_whole(server: Server) -> None:
    def parts() -> Iterator[bytes]:
        yield b"first, "
        yield b"second"

    answer = httpx.post(server.url, content=parts(), headers={"Content-Type": "text/plain"})
    assert answer.text == "POST / first, second"


def test_a_request_may_arrive_byte_by_byte(server: Server) -> None:
    request = b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
    with server.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for position in range(len(request)):
            connection.sendall(request[position : position + 1])
        assert read_answer(connection)[1] == b"POST / hello"


def test_header_names_are_the_same_in_any_case(server: Server) -> None:
    request = (
        b"POST / HTTP/1.1\r\ncontent-TYPE: text/plain\r\nCONTENT-length: 2\r\nConnection: close\r\n\r\nhi"
    )
    assert server.exchange(request).endswith(b"POST / hi")


def test_a_client_that_wants_the_connection_closed_gets_it_closed(server: Server) -> None:
    answer = server.exchange(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert b"\r\nConnection: close\r\n" in answer
    assert answer.endswith(b"GET / nil")


def test_http_1_0_closes_after_the_answer(server: Server) -> None:
    assert server.exchange(b"GET / HTTP/1.0\r\n\r\n").endswith(b"GET / nil")


def test_head_is_answered_without_a_body(server: Server) -> None:
    answer = httpx.head(server.url)
    assert (answer.status_code, answer.content) == (200, b"")


def test_an_error_in_the_delegate_is_a_server_error(server: Server) -> None:
    answer = httpx.get(f"{server.url}/fail")
    assert (answer.status_code, answer.text) == (500, "Error: as asked\r\n")


@pytest.mark.parametrize(
    ("request_bytes", "reason"),
    [
        (b"BREW / HTTP/1.1\r\n\r\n", b"ZnUnknownHttpMethod"),
        (b"GET / HTTP/3.0\r\n\r\n", b"ZnUnknownHttpVersion"),
        (b"GET ftp://x/ HTTP/1.1\r\n\r\n", b"ZnUnknownScheme"),
        (b"no request at all\r\n\r\n", b"ZnUnknownHttpMethod"),
        (b"GET /" + b"x" * 5000, b"ZnLineTooLong"),
        (b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 5000, b"ZnLineTooLong"),
        (
            b"GET / HTTP/1.1\r\n" + b"".join(b"H%d: v\r\n" % number for number in range(300)) + b"\r\n",
            b"ZnTooManyDictionaryEntries",
        ),
        (b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n", b"ZnEntityTooLarge"),
        (b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n", b"Illegal HTTP Content Length"),
        (
            b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"Multiple, different Content-Length",
        ),
        (
            b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n\xff\xfe",
            b"ZnInvalidUTF8",
        ),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n", b"ZnEntityTooLarge"),
    ],
)
def test_an_invalid_request_is_refused_and_the_connection_closed(
    server: Server, request_bytes: bytes, reason: bytes
) -> None:
    answer = server.exchange(request_bytes)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert reason in answer


def test_a_repeated_equal_content_length_is_accepted(server: Server) -> None:
    request = (
        b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nContent-Length: 2\r\n"
        b"Connection: close\r\n\r\nhi"
    )
    assert server.exchange(request).endswith(b"POST / hi")


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"GET ",
        b"GET / HTTP/1.1\r\nHost",
        b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf",
    ],
)
def test_a_client_that_hangs_up_does_not_disturb_others(server: Server, beginning: bytes) -> None:
    with server.connect() as connection:
        connection.sendall(beginning)
    assert httpx.get(f"{server.url}/after").text == "GET /after nil"


def test_a_connection_beyond_the_limit_is_refused_with_a_reason() -> None:
    with serving(connections=2) as server, server.connect() as first, server.connect() as second:
        for connection in (first, second):
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert read_answer(connection)[1] == b"GET / nil"
        answer = server.exchange(b"")
        assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b"Too many concurrent connections" in answer


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\nHost"])
def test_a_connection_on_which_nothing_comes_is_closed(beginning: bytes) -> None:
    with serving(connections=2, patience=0.2) as server:
        assert server.exchange(beginning) == b""
        assert httpx.get(f"{server.url}/after").text == "GET /after nil"


def test_a_server_asks_itself_and_is_stopped(evaluate: Evaluate) -> None:
    source = """
    | client answer server |
    answer := ZnServer withOSAssignedPortDo: [ :each |
        server := each.
        server onRequestRespond: [ :request | ZnResponse ok: (ZnEntity text: request contents reversed) ].
        client := ZnClient new.
        client url: server localUrl / 'there'; contents: 'stressed'; post ].
    { answer. client isSuccess. client response contentType printString. server isRunning. server isListening.
      [ client url: server localUrl; get ] on: NetworkError do: [ :error | error class name ] }
    """
    assert evaluate(source) == [
        "desserts",
        True,
        "text/plain;charset=utf-8",
        False,
        False,
        "ConnectionClosed",
    ]


def test_a_port_in_use_is_reported_as_such(evaluate: Evaluate) -> None:
    source = """
    | first second |
    first := Socket newTCP.
    second := Socket newTCP.
    first listenOn: 0 backlogSize: 1 interface: #[127 0 0 1].
    [ second listenOn: first localPort backlogSize: 1 interface: #[127 0 0 1].
      'no error' ] on: SocketError do: [ :error | error messageText ]
    """
    assert evaluate(source) == "Address already in use"


def test_destroying_a_socket_wakes_the_processes_that_wait_for_it(evaluate: Evaluate) -> None:
    source = """
    | socket done |
    socket := Socket newTCP.
    socket listenOn: 0 backlogSize: 1 interface: #[127 0 0 1].
    done := Semaphore new.
    [ socket waitForAcceptFor: 100. done signal ] fork.
    Processor yield.
    socket destroy.
    done waitTimeoutMilliseconds: 10000
    """
    assert evaluate(source) is False


def test_waiting_for_a_connection_has_an_end(evaluate: Evaluate) -> None:
    source = "Socket newTCP listenOn: 0 backlogSize: 1 interface: #[127 0 0 1]; waitForAcceptFor: 0.05"
    assert evaluate(source) is None


@pytest.mark.parametrize(
    ("lines", "contents"),
    [
        (["HTTP/1.1 200 OK", "Content-Type: text/plain", "Content-Length: 2", "", "hi"], "hi"),
        (["HTTP/1.1 200 OK", "Content-Type: text/plain", "", "to the end"], "to the end"),
        (["HTTP/1.1 204 No Content", "Content-Length: 2", "", "hi"], None),
        (
            [
                "HTTP/1.1 200 OK",
                "Content-Type: text/plain",
                "Transfer-Encoding: chunked",
                "",
                *("3", "abc", "2;x=y", "de", "0", "Trailer: x", "", ""),
            ],
            "abcde",
        ),
    ],
)
def test_a_response_is_read_from_its_bytes(
    evaluate: Evaluate, lines: list[str], contents: str | None
) -> None:
    array = ". ".join(f"'{line}'" for line in lines)
    source = f"(ZnResponse readFrom: (String crlf join: {{ {array} }}) asByteArray readStream) contents"
    assert evaluate(source) == contents


def test_a_chunked_response_is_written_in_chunks(evaluate: Evaluate) -> None:
    source = """
    | out |
    out := WriteStream on: ByteArray new.
    (ZnResponse ok: (ZnEntity text: 'Grüße')) setTransferEncodingChunked; writeOn: out.
    out contents utf8Decoded
    """
    assert str(evaluate(source)).endswith("Transfer-Encoding: chunked\r\n\r\n7\r\nGrüße\r\n0\r\n\r\n")


def test_what_the_system_takes_only_in_parts_arrives_once_and_in_order(evaluate: Evaluate) -> None:
    source = """
    | listener client server bytes text part received done |
    listener := Socket newTCP listenOn: 0 backlogSize: 1 interface: #[127 0 0 1]; yourself.
    client := ZdcSocketStream openConnectionToHost: #[127 0 0 1] port: listener localPort timeout: 20.
    server := ZdcSocketStream on: (listener waitForAcceptFor: 20).
    done := Semaphore new.
    bytes := (ByteArray new: 4000) collectWithIndex: [ :each :index | index \\\\ 251 ].
    text := bytes asString.
    [ 2000 timesRepeat: [ client nextPutAll: bytes; flush ]. client close. done signal ] fork.
    (Delay forMilliseconds: 50) wait.
    part := ByteArray new: 4000.
    received := 0.
    2000 timesRepeat: [
        server readInto: part startingAt: 1 count: 4000.
        part asString = text ifTrue: [ received := received + 1 ] ].
    done wait.
    server close.
    listener closeAndDestroy.
    received
    """
    assert evaluate(source) == 2000
