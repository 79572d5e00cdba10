"""The test oracle: it checks every line from the server against all lines that were sent."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from .envelopes import ProtocolViolation, checked, is_id_or_null, is_response, no_constant
from .matching import Matching
from .rules import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ExpectedReply,
    Members,
    Tools,
    agreed,
    answered,
    expected_reply,
    has,
    is_modern,
    refused,
)
from .strict_json import NotJson, as_written, read_json

LONGEST_BATCH = 1000
"""The maximum number of messages in a batch."""
MOST_WAITING = 1000
"""The maximum number of requests that wait at the same time."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
NOTIFICATIONS = (
    "notifications/progress",
    "notifications/message",
    "notifications/resources/updated",
    *(f"notifications/{topic}/list_changed" for topic in ("tools", "resources", "prompts")),
)
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
END_OF_SUBSCRIPTION = answered(has(_meta=dict))._replace(modern=True)

Id = str | int | None


class BatchReply(NamedTuple):
    """The expected reply to one message of a batch."""

    request_id: Id
    expected: ExpectedReply


class ExpectedBatch(NamedTuple):
    """The expected replies to a batch, in its order."""

    replies: list[BatchReply]

    @property
    def optional(self) -> bool:
        """Whether no reply is required."""
        return all(each.expected.optional for each in self.replies)

    def admits(self, answers: list[Members]) -> bool:
        """Whether these are valid answers to the batch."""
        places = {0}
        for answer in answers:
            after = set()
            for start in places:
                for place in range(start, len(self.replies)):
                    request_id, expected = self.replies[place]
                    if request_id == answer["id"] and expected.admits(answer):
                        after.add(place + 1)
                    if not expected.optional:
                        break
            places = after
        return any(all(each.expected.optional for each in self.replies[place:]) for place in places)


class Oracle:
    """Records what a client sends, and checks what it receives; raises ProtocolViolation.

    If the right answer depends on an order of events that a client cannot know, each of them is accepted.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._has_begun = False
        self._negotiated: set[str | None] = {None}  # by the last handshake; several if it is uncertain
        self._expected: dict[Id, Matching[ExpectedReply]] = {}
        self._batches: Matching[ExpectedBatch] = Matching()
        self._listening: dict[Id, bool] = {}  # subscriptions, and whether each is certain
        self._acknowledged: Counter[Id] = Counter()
        self._tokens: set[Id] = set()
        self._repeated: set[Id] = set()
        self._waiting: Counter[Id] = Counter()  # requests of this round

    # Sending

    def send(self, line: bytes) -> None:
        """Record a line that is sent, without its newline."""
        if not self._has_begun:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip(b" \t\r"):
            return
        self._has_begun = True
        try:
            value, certain = read_json(line)
        except NotJson:
            self._expect(None, refused(PARSE_ERROR))
            return
        if not certain:
            self._expect(None, refused(PARSE_ERROR)._replace(optional=True))
        if isinstance(value, list) and value and len(value) <= LONGEST_BATCH:
            batch = ExpectedBatch([])
            self._batches.expected.append(batch)  # now, because its messages may cancel one another
            for message in value:
                for pair in self._expected_replies(message, certain, in_batch=True):
                    batch.replies.append(BatchReply(*pair))
            return
        for request_id, expected in self._expected_replies(value, certain):
            self._expect(request_id, expected)

    def end_of_input(self) -> None:
        """Expect the end of all subscriptions, because the input has ended."""
        for request_id, certain in self._listening.items():
            self._expect(request_id, END_OF_SUBSCRIPTION._replace(optional=not certain))

    def _expect(self, request_id: Id, expected: ExpectedReply) -> None:
        self._expected.setdefault(request_id, Matching()).expected.append(expected)

    def _expected_replies(
        self, message: Any, certain: bool, *, in_batch: bool = False
    ) -> Iterator[tuple[Id, ExpectedReply]]:
        """The expected reply to a message, if any, with its id."""
        for request_id, expected in self._replies_to_valid_json(message, certain, in_batch):
            yield request_id, expected if certain else expected._replace(optional=True)

    def _replies_to_valid_json(
        self, message: Any, certain: bool, in_batch: bool
    ) -> Iterator[tuple[Id, ExpectedReply]]:
        bad = refused(INVALID_REQUEST)
        if not isinstance(message, dict) or not is_id_or_null(message.get("id")):
            yield None, bad
            return
        request_id = as_written(message.get("id"))
        certain = certain and request_id == message.get("id")
        if message.get("jsonrpc") != "2.0":
            yield request_id, bad
        elif "method" not in message:
            if not is_response(message):
                may_be_response = "result" in message or "error" in message
                yield request_id, bad._replace(optional=may_be_response)
        elif not isinstance(message["method"], str):
            yield request_id, bad
        elif "id" not in message:
            self._notification(message)
        elif request_id is None or not isinstance(message.get("params"), dict | list | None):
            yield request_id, bad
        elif isinstance(message.get("params"), list):
            yield request_id, refused(INVALID_PARAMS)
        else:
            yield from self._request(request_id, message, certain, in_batch)

    def _request(
        self, request_id: Id, message: Members, certain: bool, in_batch: bool
    ) -> Iterator[tuple[Id, ExpectedReply]]:
        method, params = message["method"], message.get("params") or {}
        token = params["_meta"].get("progressToken") if isinstance(params.get("_meta"), dict) else None
        if token is not None and is_id_or_null(token):
            self._tokens.add(as_written(token))
        taken = refused(INVALID_REQUEST)
        if self._listening.get(request_id):
            yield request_id, taken
            return
        alternatives = [
            expected_reply(method, params, each, self._tools, in_batch=in_batch) for each in self._negotiated
        ]
        expected = alternatives[0]
        for other in alternatives[1:]:
            expected = expected.or_else(other)
        # Only a client that waits for each answer knows whether an id is still in use.
        is_free = (
            not self._waiting[request_id]
            and request_id not in self._listening
            and request_id not in self._repeated
        )
        self._begin(request_id, expected, is_certain=is_free and certain)
        if method == "initialize" and not in_batch and not is_modern(params) and (version := agreed(params)):
            self._negotiated = {version} if is_free and certain else {*self._negotiated, version}
        if expected == ExpectedReply(modern=True):  # a subscription, which is answered at the end
            self._listening[request_id] = is_free and certain
            self._acknowledged[request_id] += 1
            if not is_free:
                yield request_id, taken._replace(optional=True)
            return
        expected = expected._replace(is_crowded=expected.waits and sum(self._waiting.values()) > MOST_WAITING)
        yield request_id, expected if is_free else expected.or_else(taken)

    def _begin(self, request_id: Id, expected: ExpectedReply, *, is_certain: bool) -> None:
        if expected.waits:
            self._waiting[request_id] += 1
        if not is_certain:
            self._repeated.add(request_id)

    def _notification(self, message: Members) -> None:
        params = message.get("params")
        if message["method"] != "notifications/cancelled" or not isinstance(params, dict):
            return
        request_id = as_written(params.get("requestId"))
        if request_id is None or not is_id_or_null(request_id):
            return
        self._listening.pop(request_id, None)
        if request_id in self._expected:
            alternatives = self._expected[request_id].expected
            alternatives[:] = [each._replace(optional=each.optional or each.waits) for each in alternatives]
        for batch in self._batches.expected:
            for index, (batch_id, expected) in enumerate(batch.replies):
                if batch_id == request_id and expected.waits:
                    batch.replies[index] = BatchReply(batch_id, expected._replace(optional=True))

    # Receiving

    @property
    def is_answered(self) -> bool:
        """Whether all required answers were received."""
        return not self._batches.open and not any(matching.open for matching in self._expected.values())

    def receive(self, line: bytes) -> None:
        """Check a line from the server, without its newline.

        Raises:
            ProtocolViolation: If it is not an expected one.
        """
        try:
            received = json.loads(line.decode("ascii"), parse_constant=no_constant)
            json.dumps(received, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise ProtocolViolation(
                f"received a line that is not JSON of Unicode in ASCII ({error})", line
            ) from error
        if isinstance(received, list):
            self._read_batch(received, line)
        elif isinstance(received, dict) and "method" in received:
            self._read_notification(received, line)
        else:
            self._read_answer(checked(received, line), line)

    def end_round(self) -> None:
        """End a round, in which all required answers were received.

        Cancelled requests cannot be answered later, unless their ids were used more than once.
        """
        for request_id, count in self._acknowledged.items():
            if count and request_id not in self._repeated:
                raise ProtocolViolation(f"did not acknowledge {request_id!r}")
        self._waiting.clear()
        for request_id in [each for each in self._expected if each not in self._repeated]:
            del self._expected[request_id]
        batches = self._batches.expected
        self._batches = Matching()
        self._batches.expected += [each for each in batches if self._is_uncertain(each)]

    def _is_uncertain(self, batch: ExpectedBatch) -> bool:
        """Whether an optional batch can still be answered."""
        return batch.optional and any(each.request_id in self._repeated for each in batch.replies)

    def missing(self) -> str:
        """The requests without an answer, as text."""
        single = [json.dumps(request_id) for request_id, matching in self._expected.items() if matching.open]
        batches = [[each.request_id for each in batch.replies] for batch in self._batches.open]
        return f"no answer to {', '.join(single)} {batches or ''}"

    def _read_answer(self, answer: Members, line: bytes) -> None:
        matching = self._expected.get(answer["id"], Matching())
        if not matching.take(answer):
            expectations = "; ".join(map(str, matching.expected)) or "nothing"
            raise ProtocolViolation(f"received an answer, expected {expectations}", line)

    def _read_batch(self, received: list[Any], line: bytes) -> None:
        if not received or not self._batches.take([checked(each, line) for each in received]):
            raise ProtocolViolation("received a batch that does not answer any", line)

    def _read_notification(self, received: Members, line: bytes) -> None:
        params = received.get("params", {})
        if (
            received.keys() - {"jsonrpc", "method", "params"}
            or received.get("jsonrpc") != "2.0"
            or not isinstance(params, dict)
        ):
            raise ProtocolViolation("received an invalid notification", line)
        if received["method"] == ACKNOWLEDGED:
            request_id = params.get("_meta", {}).get(SUBSCRIPTION)
            self._acknowledged[request_id] -= 1
            if self._acknowledged[request_id] < 0:
                raise ProtocolViolation("received an acknowledgement without a request", line)
        elif received["method"] not in NOTIFICATIONS:
            raise ProtocolViolation("received an unknown notification", line)
        elif received["method"] == NOTIFICATIONS[0] and params.get("progressToken") not in self._tokens:
            raise ProtocolViolation("received progress with an unknown token", line)
