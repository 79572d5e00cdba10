"""What primitives of Zinc and of its streams read and write in one step, compared with the Smalltalk code.

They refuse a stream of an anonymous class, so everything goes through the Smalltalk code there.
"""

from __future__ import annotations

import pytest

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, PrimitiveFailed
from pharo_practice.model.objects import Pointers
from pharo_practice.primitives.buffers import WRITE_POINTER
from pharo_practice.primitives.socket_streams import WRITE_BUFFER
from practice_evaluation import Evaluate, Signalling

ORDINARY = "ZdcSocketStream"
REFUSED = "ZdcSocketStream newAnonymousSubclass"
UNLIMITED = "[ :work | work value ]"

STREAM = """| bytes stream |
bytes := {bytes}.
stream := {stream} on: nil.
(stream instVarNamed: #readBuffer) next: bytes size putAll: bytes startingAt: 1.
"""
REQUEST = """
[ | request |
request := {limit} value: [ ZnRequest readBinaryFrom: stream ].
{{ request method. request method isSymbol. request requestLine version. request uri printString.
   request uri scheme. request uri pathSegments asArray.
   Array streamContents: [ :out | request headersDo: [ :name :value | out nextPut: name; nextPut: value ] ].
   request headers headers limit.
   request entity class name. request contents ifNotNil: [ :some | some asArray ]. request contentLength.
   request contentType printString. stream upToEnd asArray }} ]
    on: Error
    do: [ :error | {{ error class name. error messageText }} ]
"""
READ_LINE = (
    "ZnRequestLine new primReadAtHand: stream "
    "methods: ZnConstants knownHTTPMethods versions: ZnConstants knownHTTPVersions"
)
READ_HEADERS = "ZnHeaders new primReadAtHand: stream limit: 256"
READ_BODY = """(ZnEntityReader new
    headers: (ZnHeaders readFrom: stream);
    stream: stream;
    binary;
    primReadAtHandUpTo: 1000) notNil"""


def arrived(part: bytes, stream: str) -> str:
    """The beginning of an expression: a stream of this class has received some bytes."""
    return STREAM.format(bytes=f"#[{' '.join(map(str, part))}]", stream=stream)


def read(evaluate: Evaluate, request: bytes, stream: str, limit: str = UNLIMITED) -> object:
    """What is read of a request that has arrived in a stream of this class."""
    return evaluate(arrived(request, stream) + REQUEST.format(limit=limit))


def name(part: bytes) -> str:
    return part[:60].decode("latin-1").encode("unicode_escape").decode()


LINES = [b"GET / HTTP/1.1\r\n", b"POST /a-b/C_d/1 HTTP/1.0\r\nrest"]
OTHER_LINES = [
    b"GET / HTTP/1.1",
    b"GET / HTTP/1.1\n",
    b"GET /a/ HTTP/1.1\r\n",
    b"GET /a//b HTTP/1.1\r\n",
    b"GET /a/../b HTTP/1.1\r\n",
    b"GET /a%20b HTTP/1.1\r\n",
    b"GET /a?b=c HTTP/1.1\r\n",
    b"GET http://a:1/b HTTP/1.1\r\n",
    b"GET  / HTTP/1.1\r\n",
    b"BREW / HTTP/1.1\r\n",
    b"get / HTTP/1.1\r\n",
    b"GET / HTTP/1.2\r\n",
]
HEADS = [
    b"Host: x\r\n\r\n",
    b"a-B: 1\r\nc:   2 \r\nD\r\nE: \xe9\rf\r\n\r\nrest",
]
OTHER_HEADS = [
    b"\r\n",
    b"Host: x\r\n",
    b"Host: x\r\n\r",
    b"\r\n\r\n",
    b"\r\nHost: x\r\n\r\n",
    b"Host: x\r\n more\r\n\r\n",
    b" Host: x\r\n\r\n",
    b"Host: x\nA: b\r\n\r\n",
    b"A: 1\r\na: 2\r\n\r\n",
    b"A: 1\r\na: 1\r\n\r\n",
    b"\xe9: 1\r\n\r\n",
]
LENGTH = b"Content-Length: 2\r\n"
TYPE = b"Content-Type: text/plain\r\n"
BODIES = [
    LENGTH + b"Content-Type: application/json\r\n\r\n{}rest",
    LENGTH + b"Content-Type: Text/X-a+b \r\n\r\n{}",
]
OTHER_BODIES = [
    LENGTH + b"\r\nhi",
    LENGTH + b"Content-Type: text/plain; charset=utf-8\r\n\r\nhi",
    LENGTH + b"Content-Type: text\r\n\r\nhi",
    LENGTH + TYPE + b"\r\nh",
    LENGTH + TYPE + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    b"Content-Length: 0\r\n" + TYPE + b"\r\nhi",
    b"Content-Length: +2\r\n" + TYPE + b"\r\nhi",
    b"Content-Length: two\r\n" + TYPE + b"\r\nhi",
    b"Content-Length: 2\r\nContent-Length: 3\r\n" + TYPE + b"\r\nhi!",
    b"Content-Length: 99999999999\r\n" + TYPE + b"\r\nhi",
    TYPE + b"\r\nhi",
]


@pytest.mark.parametrize(
    ("message", "parts"), [(READ_LINE, LINES), (READ_HEADERS, HEADS), (READ_BODY, BODIES)]
)
def test_an_ordinary_part_of_a_request_is_read_in_one_step(
    evaluate: Evaluate, message: str, parts: list[bytes]
) -> None:
    assert [part for part in parts if not evaluate(arrived(part, ORDINARY) + message)] == []


@pytest.mark.parametrize(("message", "parts"), [(READ_LINE, OTHER_LINES), (READ_HEADERS, OTHER_HEADS)])
def test_any_other_part_is_left_to_the_smalltalk_code(
    evaluate: Evaluate, message: str, parts: list[bytes]
) -> None:
    assert [part for part in parts if evaluate(arrived(part, ORDINARY) + message)] == []


@pytest.mark.parametrize("body", OTHER_BODIES, ids=name)
def test_any_other_body_is_left_to_the_smalltalk_code(evaluate: Evaluate, body: bytes) -> None:
    assert evaluate(arrived(body, ORDINARY) + READ_BODY) is False


@pytest.mark.parametrize("line", [*LINES, *OTHER_LINES], ids=name)
def test_a_request_line_is_read_as_in_smalltalk(evaluate: Evaluate, line: bytes) -> None:
    request = line + b"\r\n"
    assert read(evaluate, request, ORDINARY) == read(evaluate, request, REFUSED)


@pytest.mark.parametrize("head", [*HEADS, *OTHER_HEADS, *BODIES, *OTHER_BODIES], ids=name)
def test_headers_and_a_body_are_read_as_in_smalltalk(evaluate: Evaluate, head: bytes) -> None:
    request = b"POST /a HTTP/1.1\r\n" + head
    assert read(evaluate, request, ORDINARY) == read(evaluate, request, REFUSED)


@pytest.mark.parametrize(
    ("limit", "signalled"),
    [
        (
            "[ :work | ZnMaximumNumberOfDictionaryEntries value: 1 during: work ]",
            ["ZnTooManyDictionaryEntries", "More than 1 entries"],
        ),
        (
            "[ :work | ZnOptions globalDefault clone at: #maximumEntitySize put: 1; during: work ]",
            ["ZnEntityTooLarge", None],
        ),
    ],
)
def test_limits_hold_as_in_smalltalk(evaluate: Evaluate, limit: str, signalled: list[str]) -> None:
    request = b"POST /a HTTP/1.1\r\n" + BODIES[0]
    found = [read(evaluate, request, stream, limit) for stream in (ORDINARY, REFUSED)]
    assert found[0] == found[1]
    assert isinstance(found[0], list)
    assert found[0][0] == signalled[0]


def test_a_subclass_reads_headers_in_its_own_way(signalling: Signalling) -> None:
    kind = "kind := ZnHeaders newAnonymousSubclass. kind compile: 'at: aName add: any ^ self error: #seen'. "
    source = arrived(HEADS[0], ORDINARY).replace("| bytes stream |", "| bytes stream kind |")
    assert signalling(f"[ {source}{kind}kind new readFrom: stream ] value") == ("Error", "seen")


RESPONSES = [
    "ZnResponse noContent",
    "ZnResponse ok: (ZnEntity json: '{}')",
    "ZnResponse ok: (ZnEntity bytes: #[1 2 255])",
    "(ZnResponse ok: (ZnEntity text: 'hi')) setConnectionClose; yourself",
    "ZnResponse statusLine: (ZnStatusLine ok reason: 'Fine'; yourself)",
]
OTHER_RESPONSES = [
    "ZnResponse statusCode: 299",
    "ZnResponse ok: (ZnEntity text: (String with: (Character value: 233)))",
    "ZnResponse ok: (ZnEntity text: (String with: (Character value: 955)))",
    "(ZnResponse ok: (ZnEntity text: 'hi')) setTransferEncodingChunked; yourself",
    "ZnResponse noContent in: [ :it | it headers at: 'A' add: 'b'; at: 'A' add: 'c'. it ]",
    "ZnResponse newAnonymousSubclass noContent",
    "ZnRequest get: 'http://localhost/a'",
]


def written(evaluate: Evaluate, response: str, stream: str) -> object:
    """The bytes that a response consists of, without its date."""
    return evaluate(
        f"""| stream response |
        stream := {stream} on: nil.
        response := {response}.
        response headers removeKey: 'Date' ifAbsent: [ ].
        response writeOn: stream.
        {{ (stream instVarNamed: #writeBuffer) contents asArray. response printString }}"""
    )


@pytest.mark.parametrize("response", [*RESPONSES, *OTHER_RESPONSES])
def test_a_response_is_written_as_in_smalltalk(evaluate: Evaluate, response: str) -> None:
    assert written(evaluate, response, ORDINARY) == written(evaluate, response, REFUSED)


@pytest.mark.parametrize("response", RESPONSES)
def test_an_ordinary_response_is_written_in_one_step(vm: Machine, evaluate: Evaluate, response: str) -> None:
    arguments = [evaluate(response), evaluate(f"{ORDINARY} on: nil")]
    assert PRIMITIVES["responseWrite"](vm, *arguments) is arguments[0]


@pytest.mark.parametrize(
    "response", [*OTHER_RESPONSES, "ZnResponse ok: (ZnEntity json: (String new: 5000 withAll: $x))"]
)
def test_any_other_response_is_left_to_the_smalltalk_code(
    vm: Machine, evaluate: Evaluate, response: str
) -> None:
    stream = evaluate(f"{ORDINARY} on: nil")
    assert isinstance(stream, Pointers)
    with pytest.raises(PrimitiveFailed):
        PRIMITIVES["responseWrite"](vm, evaluate(response), stream)
    assert stream.fields[WRITE_BUFFER].fields[WRITE_POINTER] == 0


HEADERS = """| headers result |
headers := {kind} new.
headers at: 'a-B' put: '1'; at: 'C' add: '2'; at: 'c' add: '3'.
"""


@pytest.mark.parametrize(
    "message",
    [
        "{ headers at: 'A-b'. headers at: 'c' }",
        "headers at: 'x'",
        "{ headers at: 'x' ifAbsent: [ 4 ]. headers at: 'x' ifAbsent: [ 2 + 3 ] }",
        "headers at: 'a-b' ifAbsent: [ 4 ]",
        "{ headers singleAt: 'a-b' ifAbsent: [ 4 ]. headers singleAt: 'c' ifAbsent: [ 4 ] }",
        "{ headers singleAt: 'x' ifAbsent: [ 4 ]. headers singleAt: 'x' ifAbsent: [ 2 + 3 ] }",
        "{ headers includesKey: 'A-B'. headers includesKey: 'x'. headers includesKey: 'é' }",
        "{ headers at: 'a-b' put: 5. headers at: 'é' put: 6. headers at: 'É' }",
        "headers headers limit: 2. headers at: 'a-b' put: 5; at: 'x' put: 6",
        "headers headers limit: 3. headers acceptEntityDescription: (ZnEntity json: 'x')",
        "headers acceptEntityDescription: (ZnEntity json: 'x')",
        "headers acceptEntityDescription: (ZnEntity bytes: #[]);acceptEntityDescription: (ZnEntity json: '')",
        "headers acceptEntityDescription: (ZnEntity json: 'x'); acceptEntityDescription: nil",
        "headers acceptEntityDescription: (ZnEntity json: 'é')",
        "headers acceptEntityDescription: (ZnEntity text: 'x')",
        "headers acceptEntityDescription: (ZnEntity json: nil)",
        "ZnDefaultCharacterEncoder value: ZnCharacterEncoder latin1 "
        "during: [ headers acceptEntityDescription: (ZnEntity json: 'é') ]",
    ],
)
def test_headers_answer_as_in_smalltalk(evaluate: Evaluate, message: str) -> None:
    source = (
        "{beginning} result := [ {message} ] on: Error do: [ :error | "
        "error class name , ' ' , error messageText asString ]. "
        "{{ result == headers ifFalse: [ result printString ]. headers headers associations printString }}"
    )
    found = [
        evaluate(source.format(beginning=HEADERS.format(kind=kind), message=message))
        for kind in ("ZnHeaders", "ZnHeaders newAnonymousSubclass")
    ]
    assert found[0] == found[1]


def test_a_body_remembers_what_its_description_computed(evaluate: Evaluate) -> None:
    source = """| entity |
    entity := ZnEntity json: 'abc'.
    {kind} new at: 'A' put: 'b'; acceptEntityDescription: entity.
    {{ entity instVarNamed: #contentLength. (entity instVarNamed: #encoder) == ZnUTF8Encoder default }}"""
    for kind in ("ZnHeaders", "ZnHeaders newAnonymousSubclass"):
        assert evaluate(source.format(kind=kind)) == [3, True]


def test_a_subclass_of_headers_overrides_how_names_are_written(evaluate: Evaluate) -> None:
    source = """| kind |
    kind := ZnHeaders newAnonymousSubclass.
    kind compile: 'normalizeHeaderKey: aString ^ aString asUppercase'.
    (kind new at: 'a' put: 1; yourself) headers keys asArray"""
    assert evaluate(source) == ["A"]
