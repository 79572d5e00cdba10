import logging
from hashlib import sha256
from typing import Any

import pytest

from pharo_mcp.protocol.catalog import Catalog
from programs import PATIENCE
from server.conversation import MODERN, Conversation, Workbench

UNREACHABLE = {"kind": "unreachable", "url": "http://127.0.0.1:1"}


def texts(answer: Any) -> list[str]:
    return [block["text"] for block in answer["result"]["content"]]


def test_lists_keep_the_order_of_the_catalog(talk: Conversation) -> None:
    listed = {
        "tools/list": (
            "tools",
            "name",
            ["echo", "wait", "break", "nonsense", "quick", "fail", "remaining", "count"],
        ),
        "resources/list": ("resources", "uri", ["pharo://class/Fixed"]),
        "resources/templates/list": ("resourceTemplates", "uriTemplate", ["pharo://class/{name}"]),
        "prompts/list": ("prompts", "name", ["greet"]),
        "skills/list": ("skills", "uri", ["skill://greeting/SKILL.md"]),
    }
    for method, (member, key, expected) in listed.items():
        result = talk.ask(method)["result"]
        assert [each[key] for each in result[member]] == expected


def test_a_tool_answers_text(talk: Conversation) -> None:
    talk.call(1, "echo", text="hé")
    assert talk.receive_line() == (
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"h\\u00e9"}],"isError":false}}\n'
    )


def test_arguments_that_do_not_fit_are_a_result_that_names_them(talk: Conversation) -> None:
    talk.call(1, "echo", text=7)
    answer = talk.receive()
    assert answer["result"]["isError"] is True
    assert texts(answer) == ["Invalid arguments for echo: `text` must be a string, not 7."]


def test_a_tool_error_is_a_result_with_its_message(talk: Conversation) -> None:
    talk.call(1, "fail")
    answer = talk.receive()
    assert answer["result"]["isError"] is True
    assert texts(answer) == ["No image answers. Start one."]


@pytest.mark.parametrize("tool", ["break", "nonsense"])
def test_a_bug_is_logged_in_full_and_reported_in_a_sentence(
    talk: Conversation, tool: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        talk.call(1, tool)
        error = talk.receive()["error"]
    assert error == {
        "code": -32603,
        "message": "pharo-mcp failed to answer tools/call; its log on stderr says why",
    }
    [record] = caplog.records
    assert record.exc_info is not None
    assert talk.ask("ping")["result"] == {}


class BrokenWorkbench(Workbench):
    @property
    def catalog(self) -> Catalog:
        raise RuntimeError("nothing can be offered")


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "resources/read", "prompts/get"])
def test_a_bug_in_making_the_catalog_is_reported_like_any_other(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    conversation = Conversation(BrokenWorkbench())
    conversation.shake_hands()
    with caplog.at_level(logging.ERROR):
        error = conversation.ask(method, name="echo", uri="pharo://class/Fixed")["error"]
    assert error["code"] == -32603
    assert "nothing can be offered" in str(caplog.records[0].exc_info)
    assert conversation.ask("ping")["result"] == {}
    assert conversation.rest() == []


@pytest.mark.parametrize(
    ("method", "params", "details"),
    [
        ("tools/call", {}, "name is missing"),
        ("tools/call", {"name": 7}, "name must be a string"),
        ("tools/call", {"name": "nope"}, "no tool is named nope"),
        ("tools/call", {"name": "echo", "arguments": [1]}, "arguments must be an object"),
        ("resources/read", {}, "uri is missing"),
        ("prompts/get", {}, "name is missing"),
        ("prompts/get", {"name": "nope"}, "no prompt is named nope"),
        ("prompts/get", {"name": "greet"}, "prompt greet needs the argument who"),
        (
            "prompts/get",
            {"name": "greet", "arguments": {"who": 7}},
            "argument who of prompt greet must be a string",
        ),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Nobody"}}, "there is nobody"),
        ("prompts/get", {"name": "greet", "arguments": "Ada"}, "arguments must be an object"),
        ("skills/get", {}, "uri is missing"),
        ("skills/get", {"uri": "skill://no/SKILL.md"}, "no skill has the URI skill://no/SKILL.md"),
    ],
)
@pytest.mark.parametrize("meta", [{}, {"_meta": MODERN}], ids=["legacy", "modern"])
def test_missing_and_invalid_params_are_reported(
    talk: Conversation, method: str, params: dict[str, object], details: str, meta: dict[str, object]
) -> None:
    assert talk.ask(method, **params, **meta)["error"] == {
        "code": -32602,
        "message": f"Invalid params: {details}",
        "data": {"details": details},
    }


class GrowingWorkbench(Workbench):
    """Catalog nothing but what it is admitted for anew; counts how often that is."""

    def __init__(self) -> None:
        super().__init__()
        self.admitted = 0

    def updated(self) -> Catalog:
        """What came in the meantime."""
        self.admitted += 1
        return super().catalog

    @property
    def catalog(self) -> Catalog:
        return Catalog(updated=self.updated)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "quick"}),
        ("resources/read", {"uri": "pharo://class/Fixed"}),
        ("resources/read", {"uri": "pharo://class/Object"}),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "A"}},
        ),
        (
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": "pharo://class/{name}"},
                "argument": {"name": "name", "value": "O"},
            },
        ),
    ],
)
def test_an_unknown_name_is_looked_up_once_more_before_it_is_refused(
    method: str, params: dict[str, object]
) -> None:
    workbench = GrowingWorkbench()
    conversation = Conversation(workbench)
    conversation.shake_hands()
    assert "result" in conversation.ask(method, **params)
    assert workbench.admitted == 1
    unknown = {"name": "nope", "uri": "pharo://nope", "ref": {"type": "ref/prompt", "name": "nope"}}
    assert conversation.ask(method, **params | unknown)["error"]["code"] in (-32602, -32002)
    assert workbench.admitted == 2
    conversation.rest()


class SlowlyUpdated(GrowingWorkbench):
    """Looks again for what is missing until it is released."""

    def updated(self) -> Catalog:
        """What came in the meantime."""
        self.started.set()
        self.released.wait_unless(lambda: False)
        return super().updated()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "quick"}),
        ("resources/read", {"uri": "pharo://class/Fixed"}),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}),
        ("skills/get", {"uri": "skill://greeting/SKILL.md"}),
    ],
)
def test_others_are_answered_while_an_unknown_name_is_looked_up(
    method: str, params: dict[str, object]
) -> None:
    workbench = SlowlyUpdated()
    conversation = Conversation(workbench)
    conversation.shake_hands()
    conversation.request(1, method, **params)
    assert workbench.started.wait(PATIENCE)
    conversation.request(2, "ping")
    assert conversation.receive()["id"] == 2
    workbench.released.set()
    answer = conversation.receive()
    assert answer["id"] == 1
    assert "result" in answer
    conversation.rest()


def test_a_resource_is_read(talk: Conversation) -> None:
    assert talk.ask("resources/read", uri="pharo://class/Fixed")["result"] == {
        "contents": [
            {"uri": "pharo://class/Fixed", "mimeType": "text/plain", "text": "read {}", "type": "text"}
        ]
    }


def test_a_resource_is_read_by_its_template(talk: Conversation) -> None:
    [contents] = talk.ask("resources/read", uri="pharo://class/Object%20class")["result"]["contents"]
    assert contents["uri"] == "pharo://class/Object%20class"
    assert contents["text"] == "read {'name': 'Object class'}"


def test_a_missing_resource_is_reported_with_its_uri(talk: Conversation) -> None:
    assert talk.ask("resources/read", uri="pharo://class/Missing")["error"] == {
        "code": -32002,
        "message": "Resource not found: class Missing is not in the image",
        "data": {"details": "class Missing is not in the image", "uri": "pharo://class/Missing"},
    }


def test_a_prompt_is_filled(talk: Conversation) -> None:
    assert talk.ask("prompts/get", name="greet", arguments={"who": "Ada"})["result"] == {
        "description": "A greeting",
        "messages": [{"role": "user", "content": {"type": "text", "text": "Greet Ada."}}],
    }


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": "pharo://class/Unreachable"}),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Unreachable"}}),
    ],
)
def test_resources_and_prompts_report_an_image_that_does_not_answer(
    talk: Conversation, method: str, params: dict[str, object]
) -> None:
    assert talk.ask(method, **params)["error"] == {
        "code": -32603,
        "message": "No image answers. Start one.",
        "data": UNREACHABLE,
    }


def test_the_same_question_has_the_same_bytes_for_an_answer() -> None:
    def transcript() -> list[bytes | None]:
        conversation = Conversation()
        conversation.shake_hands()
        lines = []
        for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]:
            for meta in [{}, {"_meta": MODERN}]:
                conversation.request(method, method, **meta)
                lines.append(conversation.receive_line())
        conversation.end()
        return lines

    assert transcript() == transcript()


def test_a_skill_is_got_as_it_is_listed_with_the_digest_of_its_file(talk: Conversation) -> None:
    uri = "skill://greeting/SKILL.md"
    skill = talk.ask("skills/get", uri=uri)["result"]["skill"]
    assert skill == {
        "uri": uri,
        "frontmatter": {"name": "greeting", "description": "How to greet."},
        "resources": [
            {"uri": uri, "digest": f"sha256:{sha256(b'# Say hello' + bytes([10])).hexdigest()}", "size": 12}
        ],
    }
    assert talk.ask("skills/list")["result"]["skills"] == [skill]
