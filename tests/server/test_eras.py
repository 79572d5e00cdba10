"""Handshakes and modern requests, in any order that clients use them."""

import json
from typing import Any

import pytest

from pharo_mcp.protocol.revisions import LEGACY_REVISIONS
from server.conversation import MODERN, Conversation, request

EARLY_CAPABILITIES = {
    "tools": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "prompts": {"listChanged": False},
}
LISTS = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "completions": {},
}
TASKS: Any = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
CAPABILITIES = {
    "2025-06-18": {**LISTS, "logging": {}},
    "2025-11-25": {**LISTS, "logging": {}, "tasks": TASKS},
}
EXTENSIONS: Any = {"io.modelcontextprotocol/skills": {}, "io.modelcontextprotocol/tasks": {}}
MODERN_CAPABILITIES = {**LISTS, "extensions": EXTENSIONS}
SERVER_INFO = {"name": "pharo-mcp", "title": "Pharo", "version": "1.2.3"}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_an_old_client_gets_exactly_this(opened: Conversation, revision: str) -> None:
    assert opened.shake_hands(revision) == {
        "protocolVersion": revision,
        "capabilities": EARLY_CAPABILITIES,
        "serverInfo": {"name": "pharo-mcp", "version": "1.2.3"},
        "instructions": "How to use it.",
    }


@pytest.mark.parametrize("revision", CAPABILITIES)
def test_a_newer_client_gets_titles_and_notifications_of_changes(opened: Conversation, revision: str) -> None:
    result = opened.shake_hands(revision)
    assert result["protocolVersion"] == revision
    assert result["serverInfo"] == SERVER_INFO
    assert result["capabilities"] == CAPABILITIES[revision]


@pytest.mark.parametrize("revision", ["1999-01-01", "2026-07-28", "", "2099-01-01"])
def test_an_unknown_revision_is_answered_by_the_newest_legacy_one(
    opened: Conversation, revision: str
) -> None:
    assert opened.shake_hands(revision)["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("params", [{}, {"protocolVersion": 7}])
def test_a_handshake_must_name_a_revision(opened: Conversation, params: dict[str, object]) -> None:
    assert opened.ask("initialize", **params)["error"]["code"] == -32602
    assert opened.ask("tools/list")["error"]["code"] == -32600


def test_a_second_handshake_negotiates_again(opened: Conversation) -> None:
    opened.shake_hands("2025-11-25")
    assert "title" in opened.ask("tools/list")["result"]["tools"][0]
    opened.shake_hands("2025-03-26")
    assert "title" not in opened.ask("tools/list")["result"]["tools"][0]


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "server/discover", "unknown/method"])
def test_before_any_handshake_requests_are_refused(opened: Conversation, method: str) -> None:
    assert opened.ask(method)["error"]["code"] == -32600


def test_before_any_handshake_a_ping_is_answered(opened: Conversation) -> None:
    assert opened.ask("ping")["result"] == {}


def test_requests_sent_with_the_handshake_are_answered(opened: Conversation) -> None:
    first = request(1, "initialize", protocolVersion="2025-03-26")
    pipelined = [first, request(2, "tools/list"), request(3, "prompts/list")]
    opened.send(b"".join(json.dumps(message).encode() + b"\n" for message in pipelined))
    assert [opened.receive()["id"] for _ in range(3)] == [1, 2, 3]


def test_discovery_lists_revisions_and_capabilities(opened: Conversation) -> None:
    assert opened.ask("server/discover", _meta=MODERN)["result"] == {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": MODERN_CAPABILITIES,
        "instructions": "How to use it.",
        "ttlMs": 60_000,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": SERVER_INFO},
    }


@pytest.mark.parametrize(
    ("method", "params", "fresh"),
    [
        ("tools/list", {}, 2_000),
        ("resources/list", {}, 2_000),
        ("resources/templates/list", {}, 2_000),
        ("prompts/list", {}, 2_000),
        ("skills/list", {}, 2_000),
        ("skills/get", {"uri": "skill://greeting/SKILL.md"}, 2_000),
        ("resources/read", {"uri": "pharo://class/Fixed"}, 0),
        ("tools/call", {"name": "echo", "arguments": {"text": "x"}}, None),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}, None),
    ],
)
def test_modern_results_are_complete_and_have_a_time_to_live(
    opened: Conversation, method: str, params: dict[str, Any], fresh: int | None
) -> None:
    result = opened.ask(method, **params, _meta=MODERN)["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"] == {"io.modelcontextprotocol/serverInfo": SERVER_INFO}
    assert result.get("ttlMs") == fresh
    assert result.get("cacheScope") == (None if fresh is None else "private")


def test_legacy_results_have_nothing_modern(talk: Conversation) -> None:
    assert talk.ask("tools/list")["result"].keys() == {"tools"}


def test_an_unknown_modern_revision_is_refused_with_those_that_are_known(opened: Conversation) -> None:
    meta = {**MODERN, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}
    error = opened.ask("tools/list", _meta=meta)["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "1900-01-01"}


@pytest.mark.parametrize("missing", MODERN)
def test_a_modern_request_must_have_all_required_metadata(opened: Conversation, missing: str) -> None:
    meta = {key: value for key, value in MODERN.items() if key != missing}
    error = opened.ask("tools/list", _meta=meta)["error"]
    assert error["code"] == -32602
    assert missing in error["data"]["details"]


def test_other_metadata_does_not_make_a_request_modern(talk: Conversation) -> None:
    result = talk.ask("tools/list", _meta={"progressToken": 1, "example.com/x": {}})["result"]
    assert result.keys() == {"tools"}


def test_initialize_with_modern_metadata_is_refused(
    opened: Conversation,
) -> None:
    error = opened.ask("initialize", protocolVersion="2025-11-25", _meta=MODERN)["error"]
    assert error == {
        "code": -32601,
        "message": "Method not found: initialize",
        "data": {"supported": ["2026-07-28"]},
    }


def test_the_modern_era_has_no_ping_and_the_legacy_era_no_discovery(talk: Conversation) -> None:
    assert talk.ask("ping", _meta=MODERN)["error"]["code"] == -32601
    assert talk.ask("server/discover")["error"]["code"] == -32601


def test_a_client_may_discover_and_then_shake_hands(opened: Conversation) -> None:
    assert "result" in opened.ask("server/discover", _meta=MODERN)
    assert opened.shake_hands("2025-11-25")["protocolVersion"] == "2025-11-25"
    assert opened.ask("tools/list")["result"].keys() == {"tools"}


def test_both_eras_are_served_side_by_side(opened: Conversation) -> None:
    opened.shake_hands("2024-11-05")
    modern = opened.ask("tools/list", _meta=MODERN)["result"]["tools"][0]
    legacy = opened.ask("tools/list")["result"]["tools"][0]
    assert modern.keys() - legacy.keys() == {"title", "annotations"}


def test_discovery_negotiates_nothing(opened: Conversation) -> None:
    opened.ask("server/discover", _meta=MODERN)
    assert opened.ask("tools/list")["error"]["code"] == -32600


@pytest.mark.parametrize("revision", LEGACY_REVISIONS)
def test_a_resource_that_is_missing_has_the_code_of_its_era(opened: Conversation, revision: str) -> None:
    opened.shake_hands(revision)
    legacy = opened.ask("resources/read", uri="pharo://nowhere")["error"]
    modern = opened.ask("resources/read", uri="pharo://nowhere", _meta=MODERN)["error"]
    assert (legacy["code"], modern["code"]) == (-32002, -32602)
    assert legacy["data"] == modern["data"]
    assert legacy["data"]["uri"] == "pharo://nowhere"
