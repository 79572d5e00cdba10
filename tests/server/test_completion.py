"""Words for the blanks of prompts and templates."""

import pytest

from server.conversation import MODERN, Conversation

PROMPT = {"type": "ref/prompt", "name": "greet"}
TEMPLATE = {"type": "ref/resource", "uri": "pharo://class/{name}"}


def blank(name: str, begun: object = "A") -> dict[str, object]:
    return {"name": name, "value": begun}


@pytest.mark.parametrize("meta", [{}, {"_meta": MODERN}], ids=["legacy", "modern"])
@pytest.mark.parametrize(("ref", "name"), [(PROMPT, "who"), (TEMPLATE, "name")])
def test_a_blank_is_completed(talk: Conversation, ref: object, name: str, meta: dict[str, object]) -> None:
    result = talk.ask("completion/complete", ref=ref, argument=blank(name), **meta)["result"]
    assert result["completion"] == {
        "values": ["A0", "A1", "A2"],
        "total": 150,
        "hasMore": True,
    }


def test_blanks_that_are_filled_already_are_known(talk: Conversation) -> None:
    context = {"arguments": {"kind": "animal", "wrong": 7}}
    answer = talk.ask("completion/complete", ref=PROMPT, argument=blank("who"), context=context)
    assert answer["result"]["completion"]["values"][0] == "Aanimal0"


@pytest.mark.parametrize(
    ("params", "details"),
    [
        ({"argument": blank("who")}, "ref is missing"),
        ({"ref": "greet", "argument": blank("who")}, "ref must be an object"),
        ({"ref": PROMPT}, "argument is missing"),
        ({"ref": PROMPT, "argument": {"name": "who"}}, "value is missing"),
        ({"ref": PROMPT, "argument": blank("who", 7)}, "value must be a string"),
        ({"ref": PROMPT, "argument": blank("what")}, "no argument is named what"),
        ({"ref": {**PROMPT, "name": "nope"}, "argument": blank("who")}, "no prompt is named nope"),
        (
            {"ref": {**TEMPLATE, "uri": "pharo://nope"}, "argument": blank("name")},
            "no resource or template has the URI pharo://nope",
        ),
        (
            {"ref": {"type": "ref/resource", "uri": "pharo://class/Fixed"}, "argument": blank("name")},
            "no argument is named name",
        ),
        (
            {"ref": {"type": "resource", "uri": "pharo://class/{name}"}, "argument": blank("name")},
            "ref must be a ref/prompt with its name or a ref/resource with its uri",
        ),
        ({"ref": PROMPT, "argument": blank("who"), "context": 7}, "context must be an object"),
    ],
)
def test_invalid_completions_are_refused_with_the_reason(
    talk: Conversation, params: dict[str, object], details: str
) -> None:
    assert talk.ask("completion/complete", **params)["error"] == {
        "code": -32602,
        "message": f"Invalid params: {details}",
        "data": {"details": details},
    }


def test_an_image_that_does_not_answer_is_reported(talk: Conversation) -> None:
    error = talk.ask("completion/complete", ref=PROMPT, argument=blank("who", "Unreachable"))["error"]
    assert (error["code"], error["data"]["kind"]) == (-32603, "unreachable")
