"""Judges every line that a server says by every line that it was sent."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from .envelopes import Wrong, checked, is_id_or_null, is_response, no_constant
from .matching import Matching
from .rules import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Members,
    Tools,
    Want,
    agreed,
    answered,
    has,
    is_modern,
    refused,
    want_of,
)
from .strict_json import NotJson, read_json

BATCH = 1000
"""Messages that a batch may have."""
MANY = 1000
"""Requests that may wait at the same time."""
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
TOLD = (
    "notifications/progress",
    "notifications/message",
    "notifications/resources/updated",
    *(f"notifications/{topic}/list_changed" for topic in ("tools", "resources", "prompts")),
)
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
GOODBYE = answered(has(_meta=dict))._replace(modern=True)

Id = str | int | None


class Due(NamedTuple):
    """An answer to one message of a batch."""

    request_id: Id
    want: Want


class BatchDue(NamedTuple):
    """The answers to a batch, in its order."""

    dues: list[Due]

    @property
    def optional(self) -> bool:
        """Whether no message of it must be answered."""
        return all(each.want.optional for each in self.dues)

    def admits(self, answers: list[Members]) -> bool:
        """Whether answers are those to this batch."""
        places = {0}
        for answer in answers:
            after = set()
            for start in places:
                for place in range(start, len(self.dues)):
                    request_id, want = self.dues[place]
                    if request_id == answer["id"] and want.admits(answer):
                        after.add(place + 1)
                    if not want.optional:
                        break
            places = after
        return any(all(each.want.optional for each in self.dues[place:]) for place in places)


class Judge:
    """Hears what a client sends, then reads what the server says to it; raises Wrong.

    Where the order of events decides what is right, and a client cannot know it, either is right.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._negotiated: set[str | None] = {None}  # the last handshake; several if that is not certain
        self._due: dict[Id, Matching[Want]] = {}
        self._batches: Matching[BatchDue] = Matching()
        self._listening: dict[Id, bool] = {}  # whether it is certain that it listens
        self._acknowledged: Counter[Id] = Counter()
        self._tokens: set[Id] = set()
        self._repeated: set[Id] = set()
        self._waiting: Counter[Id] = Counter()  # asked in this round

    # What is sent

    def hear(self, line: bytes) -> None:
        """Take one line that is sent, without its newline."""
        if not line.strip(b" \t\r"):
            return
        try:
            value, certain = read_json(line)
        except NotJson:
            self._expect(None, refused(PARSE_ERROR))
            return
        if not certain:
            self._expect(None, refused(PARSE_ERROR)._replace(optional=True))
        if isinstance(value, list) and value and len(value) <= BATCH:
            batch = BatchDue([])
            self._batches.expected.append(batch)  # now, since its messages may cancel one another
            for message in value:
                for due in self._dues(message, certain, in_batch=True):
                    batch.dues.append(Due(*due))
            return
        for request_id, want in self._dues(value, certain):
            self._expect(request_id, want)

    def end_of_input(self) -> None:
        """Nothing more is sent: whoever listens is told that this is over."""
        for request_id, certain in self._listening.items():
            self._expect(request_id, GOODBYE._replace(optional=not certain))

    def _expect(self, request_id: Id, want: Want) -> None:
        self._due.setdefault(request_id, Matching()).expected.append(want)

    def _dues(self, message: Any, certain: bool, *, in_batch: bool = False) -> Iterator[tuple[Id, Want]]:
        """The answer that a message must get, if any."""
        for request_id, want in self._certain_dues(message, certain, in_batch):
            yield request_id, want if certain else want._replace(optional=True)

    def _certain_dues(self, message: Any, certain: bool, in_batch: bool) -> Iterator[tuple[Id, Want]]:
        bad = refused(INVALID_REQUEST)
        if not isinstance(message, dict) or not is_id_or_null(message.get("id")):
            yield None, bad
            return
        request_id = message.get("id")
        if message.get("jsonrpc") != "2.0":
            yield request_id, bad
        elif "method" not in message:
            if not is_response(message):
                could_be = "result" in message or "error" in message
                yield request_id, bad._replace(optional=could_be)
        elif not isinstance(message["method"], str):
            yield request_id, bad
        elif "id" not in message:
            self._take_note(message)
        elif request_id is None or not isinstance(message.get("params"), dict | list | None):
            yield request_id, bad
        elif isinstance(message.get("params"), list):
            yield request_id, refused(INVALID_PARAMS)
        else:
            yield from self._request(request_id, message, certain, in_batch)

    def _request(
        self, request_id: Id, message: Members, certain: bool, in_batch: bool
    ) -> Iterator[tuple[Id, Want]]:
        method, params = message["method"], message.get("params") or {}
        token = params["_meta"].get("progressToken") if isinstance(params.get("_meta"), dict) else None
        if token is not None and is_id_or_null(token):
            self._tokens.add(token)
        taken = refused(INVALID_REQUEST)
        if self._listening.get(request_id):
            yield request_id, taken
            return
        wants = [want_of(method, params, each, self._tools, in_batch=in_batch) for each in self._negotiated]
        want = wants[0]
        for other in wants[1:]:
            want = want.or_else(other)
        # Only a client that waits for each answer knows whether an id is still in use.
        is_free = (
            not self._waiting[request_id]
            and request_id not in self._listening
            and request_id not in self._repeated
        )
        self._begin(request_id, want, is_certain=is_free and certain)
        if method == "initialize" and not in_batch and not is_modern(params) and (version := agreed(params)):
            self._negotiated = {version} if is_free and certain else {*self._negotiated, version}
        if want == Want(modern=True):  # it listens, and is answered in the end
            self._listening[request_id] = is_free and certain
            self._acknowledged[request_id] += 1
            if not is_free:
                yield request_id, taken._replace(optional=True)
            return
        want = want._replace(is_crowded=want.waits and sum(self._waiting.values()) > MANY)
        yield request_id, want if is_free else want.or_else(taken)

    def _begin(self, request_id: Id, want: Want, *, is_certain: bool) -> None:
        if want.waits:
            self._waiting[request_id] += 1
        if not is_certain:
            self._repeated.add(request_id)

    def _take_note(self, message: Members) -> None:
        params = message.get("params")
        if message["method"] != "notifications/cancelled" or not isinstance(params, dict):
            return
        request_id = params.get("requestId")
        if request_id is None or not is_id_or_null(request_id):
            return
        self._listening.pop(request_id, None)
        if request_id in self._due:
            wants = self._due[request_id].expected
            wants[:] = [each._replace(optional=each.optional or each.waits) for each in wants]
        for batch in self._batches.expected:
            for index, (batch_id, want) in enumerate(batch.dues):
                if batch_id == request_id and want.waits:
                    batch.dues[index] = Due(batch_id, want._replace(optional=True))

    # What is said

    @property
    def is_settled(self) -> bool:
        """Whether all came that must."""
        return not self._batches.open and not any(due.open for due in self._due.values())

    def read(self, line: bytes) -> None:
        """Take one line that the server said, without its newline.

        Raises:
            Wrong: If it must not say that.
        """
        try:
            said = json.loads(line.decode("ascii"), parse_constant=no_constant)
        except (ValueError, RecursionError) as error:
            raise Wrong(f"said what is no JSON in ASCII ({error})", line) from error
        if isinstance(said, list):
            self._read_batch(said, line)
        elif isinstance(said, dict) and "method" in said:
            self._read_notification(said, line)
        else:
            self._read_answer(checked(said, line), line)

    def settle(self) -> None:
        """Begin another round; all is answered that must be.

        What was cancelled is not answered any more; but for ids of which that is not certain.
        """
        for request_id, count in self._acknowledged.items():
            if count and request_id not in self._repeated:
                raise Wrong(f"did not acknowledge {request_id!r}")
        self._waiting.clear()
        for request_id in [each for each in self._due if each not in self._repeated]:
            del self._due[request_id]
        batches = self._batches.expected
        self._batches = Matching()
        self._batches.expected += [each for each in batches if self._is_uncertain(each)]

    def _is_uncertain(self, batch: BatchDue) -> bool:
        """Whether a batch that needs no answer may still get one."""
        return batch.optional and any(each.request_id in self._repeated for each in batch.dues)

    def missing(self) -> str:
        """What must still come, in words."""
        single = [json.dumps(request_id) for request_id, due in self._due.items() if due.open]
        batches = [[each.request_id for each in batch.dues] for batch in self._batches.open]
        return f"no answer to {', '.join(single)} {batches or ''}"

    def _read_answer(self, answer: Members, line: bytes) -> None:
        due = self._due.get(answer["id"], Matching())
        if not due.take(answer):
            wanted = "; ".join(map(str, due.expected)) or "nothing"
            raise Wrong(f"said an answer where {wanted} was due", line)

    def _read_batch(self, said: list[Any], line: bytes) -> None:
        if not said or not self._batches.take([checked(each, line) for each in said]):
            raise Wrong("said a batch that answers none", line)

    def _read_notification(self, said: Members, line: bytes) -> None:
        params = said.get("params", {})
        if (
            said.keys() - {"jsonrpc", "method", "params"}
            or said.get("jsonrpc") != "2.0"
            or not isinstance(params, dict)
        ):
            raise Wrong("said a notification that is none", line)
        if said["method"] == ACKNOWLEDGED:
            request_id = params.get("_meta", {}).get(SUBSCRIPTION)
            self._acknowledged[request_id] -= 1
            if self._acknowledged[request_id] < 0:
                raise Wrong("acknowledged what was not asked", line)
        elif said["method"] not in TOLD:
            raise Wrong("said a notification that there is not", line)
        elif said["method"] == TOLD[0] and params.get("progressToken") not in self._tokens:
            raise Wrong("reported to nobody", line)
