"""Asking a modern client: the result of its request names what is needed, and it repeats the request with it.

Source: multi round-trip requests in the specification of 2026-07-28.
"""

import hmac
import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence

from pharo_mcp.protocol.call import ClientRequest, InputRequired, Settle
from pharo_mcp.times import QUESTION_SECONDS
from pharo_mcp.wire.jsonrpc import InvalidParams

KEY = os.urandom(32)
"""The states that this process has given out carry its seal; those of others are refused."""

STALE = "requestState is not valid: it is of another request or process, changed, or too old. Send the \
request without it to begin again"


class ModernClient:
    """A modern client, as one request can ask it: by the responses that came with it; see `protocol.Client`.

    Raises:
        InvalidParams: If the responses or the state are not valid.
    """

    def __init__(self, method: str, params: Mapping[str, object], abilities: Sequence[str]) -> None:
        self.abilities = abilities
        self._responses = _responses_in(params)
        state = params.get("requestState")
        self.evaluation = None if state is None else _evaluation_in(state, _subject(method, params))

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, settle: Settle, seconds: float
    ) -> bool:
        """See `protocol.Client`; what is missing or does not fit is asked for again."""
        answered = [each for each in requests if each.fits(self._responses.get(each.name))]
        for request in answered:
            settle(request, self._responses.pop(request.name))
        if answered:
            return True
        raise InputRequired(requests, evaluation)

    def withdraw(self, evaluation: str | None) -> None:
        """See `protocol.Client`; the client only learns of it when it repeats its request."""


def encode_required(required: InputRequired, method: str, params: Mapping[str, object]) -> dict[str, object]:
    """The result that says what a request needs."""
    return {
        "resultType": "input_required",
        "inputRequests": {request.name: request.encode() for request in required.requests},
        "requestState": _sealed(required.evaluation, _subject(method, params)),
    }


def _responses_in(params: Mapping[str, object]) -> dict[str, dict[str, object]]:
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict) or not all(isinstance(each, dict) for each in responses.values()):
        raise InvalidParams("inputResponses must be an object of results")
    return dict(responses)


def _subject(method: str, params: Mapping[str, object]) -> str:
    """What a state is valid for: repeated, a request must be the same."""
    same = {key: params.get(key) for key in ("name", "uri", "arguments")}
    return json.dumps([method, same], sort_keys=True)


def _sealed(evaluation: str | None, subject: str) -> str:
    payload = json.dumps([evaluation, time.time() + QUESTION_SECONDS, os.urandom(6).hex()]).encode()
    return f"{urlsafe_b64encode(payload).decode()}.{_seal(payload, subject)}"


def _seal(payload: bytes, subject: str) -> str:
    return hmac.new(KEY, payload + b"\n" + subject.encode(), "sha256").hexdigest()


def _evaluation_in(state: object, subject: str) -> str | None:
    encoded, _, seal = str(state).partition(".")
    try:
        payload = urlsafe_b64decode(encoded.encode("ascii"))
        if hmac.compare_digest(seal.encode("ascii"), _seal(payload, subject).encode("ascii")):
            evaluation, end, _ = json.loads(payload)
            if time.time() < end:
                return str(evaluation) if evaluation else None
    except ValueError:
        pass  # not base64, or not ASCII
    raise InvalidParams(STALE)
