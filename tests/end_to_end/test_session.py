"""A whole session as a client has it: its process, pharo-mcp, the practice image, and back."""

import json
from pathlib import Path
from typing import Any

import pytest

import pharo_mcp
from programs import Client, LiveImage, environment

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def text(result: Any) -> str:
    return "\n".join(content["text"] for content in result.get("content") or result["contents"])


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_an_early_client_gets_exactly_the_documented_handshake(image: LiveImage, revision: str) -> None:
    with Client(env=image.env()) as client:
        result = client.shake_hands(revision)
    assert result["protocolVersion"] == revision
    assert result["capabilities"] == {
        "tools": {"listChanged": False},
        "resources": {"subscribe": False, "listChanged": False},
        "prompts": {"listChanged": False},
    }
    assert (result["serverInfo"]["name"], result["serverInfo"]["version"]) == (
        "pharo-mcp",
        pharo_mcp.__version__,
    )


@pytest.mark.parametrize("revision", REVISIONS)
def test_three_plus_four_is_seven_in_every_revision(image: LiveImage, revision: str) -> None:
    with Client(env=image.env()) as client:
        client.shake_hands(revision)
        result = client.call("evaluate", expression="3 + 4")
    assert result["content"] == [{"type": "text", "text": "7"}]
    assert not result.get("isError")


def test_an_exception_in_the_image_is_an_error_result_with_its_cause_first(client: Client) -> None:
    result = client.call("evaluate", expression="1/0")
    assert result["isError"] is True
    assert text(result).startswith("ZeroDivide")
    assert "UndefinedObject>>DoIt" in text(result)


def test_the_conversation_goes_on_after_an_error(client: Client) -> None:
    assert client.call("evaluate", expression="nil foo")["isError"] is True
    assert text(client.call("evaluate", expression="'still ' , 'here'")) == "'still here'"


def test_class_details_are_text_that_names_definition_comment_and_protocols(client: Client) -> None:
    details = text(client.call("get_class", class_name="OrderedCollection"))
    for part in (
        "SequenceableCollection << #OrderedCollection",
        "adding",
        "addFirst:",
        "Object",
        "SortedCollection",
    ):
        assert part in details


def test_an_unknown_class_is_an_error_result_with_near_names(client: Client) -> None:
    result = client.call("get_class", class_name="OrderedColection")
    assert result["isError"] is True
    assert "OrderedCollection" in text(result)


def test_get_version_names_image_companion_and_front_end(image: LiveImage, client: Client) -> None:
    answer = text(client.call("get_version"))
    assert image.system in answer
    assert answer.count(pharo_mcp.__version__) >= 2


def test_the_version_resource_is_the_systems_name(image: LiveImage, client: Client) -> None:
    [contents] = client.request("resources/read", uri="pharo://system/version")["result"]["contents"]
    assert contents == {
        "uri": "pharo://system/version",
        "mimeType": "text/plain",
        "text": image.system,
        "type": "text",
    }


def test_the_class_resource_is_json(client: Client) -> None:
    [contents] = client.request("resources/read", uri="pharo://class/OrderedCollection")["result"]["contents"]
    assert contents["mimeType"] == "application/json"
    details = json.loads(contents["text"])
    assert details["name"] == "OrderedCollection"
    assert "SequenceableCollection" in details["superclasses"]


def test_the_review_prompt_carries_the_real_class(client: Client) -> None:
    result = client.request("prompts/get", name="review-class", arguments={"className": "OrderedCollection"})[
        "result"
    ]
    assert result["description"] == "Code review for OrderedCollection"
    [message] = result["messages"]
    assert message["role"] == "user"
    assert message["content"]["text"].startswith("Please review the class OrderedCollection.")
    assert "SequenceableCollection << #OrderedCollection" in message["content"]["text"]


def test_a_byte_order_mark_before_the_first_message_is_ignored(image: LiveImage) -> None:
    with Client(env=image.env()) as client:
        client.write(b"\xef\xbb\xbf")
        client.shake_hands()
        assert text(client.call("evaluate", expression="3 + 4")) == "7"


def test_an_unknown_method_is_named(client: Client) -> None:
    assert client.request("unknown/method")["error"] == {
        "code": -32601,
        "message": "Method not found: unknown/method",
    }


def test_arguments_that_break_the_schema_are_an_error_result_and_reach_no_image(home: Path) -> None:
    with Client("--url", "http://127.0.0.1:9", "--token", "none", env=environment(home)) as client:
        client.shake_hands()
        result = client.call("evaluate", expression=42)
    assert result["isError"] is True
    assert "expression" in text(result)
    assert "string" in text(result)


def test_the_same_question_gets_the_same_bytes(image: LiveImage) -> None:
    transcripts = []
    for _ in range(2):
        with Client(env=image.env()) as client:
            client.shake_hands()
            lines = []
            for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
                client.send({"jsonrpc": "2.0", "id": method, "method": method})
                lines.append(client.read_line())
            transcripts.append(lines)
    assert transcripts[0] == transcripts[1]


def test_every_request_in_flight_is_answered_at_the_end_of_input(image: LiveImage) -> None:
    with Client(env=image.env()) as client:
        client.shake_hands()
        for n in range(20):
            arguments = {"expression": f"(Delay forMilliseconds: 100) wait. {n}"}
            client.send(
                {
                    "jsonrpc": "2.0",
                    "id": n,
                    "method": "tools/call",
                    "params": {"name": "evaluate", "arguments": arguments},
                }
            )
        client.close_input()
        answers = {
            message["id"]: text(message["result"]) for message in (client.receive() for _ in range(20))
        }
        assert answers == {n: str(n) for n in range(20)}
        assert client.read_line() is None
        assert client.wait() == 0


def test_two_front_ends_share_an_image(image: LiveImage) -> None:
    with Client(env=image.env()) as one, Client(env=image.env()) as other:
        one.shake_hands()
        other.shake_hands()
        assert text(one.call("evaluate", expression="6 * 7")) == "42"
        assert text(other.call("evaluate", expression="6 * 7")) == "42"


def test_a_proxy_in_the_environment_changes_nothing(image: LiveImage) -> None:
    proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"), "http://127.0.0.1:9")
    with Client(env=image.env(**proxies)) as client:
        client.shake_hands()
        assert text(client.call("evaluate", expression="3 + 4")) == "7"


def test_the_practice_starts_with_the_front_end_and_ends_with_it(home: Path) -> None:
    with Client("--practice", env=environment(home)) as client:
        client.shake_hands()
        assert text(client.call("evaluate", expression="3 + 4")) == "7"
        assert list((home / ".pharo-mcp" / "images").glob("*.json"))
        client.close_input()
        assert client.wait() == 0
    assert not list((home / ".pharo-mcp" / "images").glob("*.json"))
