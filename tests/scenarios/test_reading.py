"""What a client attaches or puts to the model: resources and prompts with the real code in them."""

import json
from typing import Any

import pytest

from programs import Client


def read(client: Client, uri: str) -> str:
    """The text of a resource."""
    [contents] = client.request("resources/read", uri=uri)["result"]["contents"]
    assert contents["uri"] == uri
    text: str = contents["text"]
    return text


def prompt(client: Client, name: str, **arguments: str) -> str:
    """The text of a prompt."""
    [message] = client.request("prompts/get", name=name, arguments=arguments)["result"]["messages"]
    text: str = message["content"]["text"]
    return text


@pytest.mark.parametrize(
    ("uri", "beginning"),
    [
        ("pharo://class/Integer/method/%2F", "/ aNumber"),
        ("pharo://class/Dictionary/method/at:ifAbsent:", "at: key ifAbsent: aBlock"),
        ("pharo://class/Dictionary/method/at%3AifAbsent%3A", "at: key ifAbsent: aBlock"),
        ("pharo://class/OrderedCollection/class/method/new:", "new: "),
    ],
)
def test_a_method_is_read_by_its_selector_encoded_or_not(client: Client, uri: str, beginning: str) -> None:
    assert read(client, uri).startswith(beginning)


def test_unknown_names_are_reported_with_similar_ones(client: Client) -> None:
    error = client.request("resources/read", uri="pharo://class/Dictionary/method/at:put")["error"]
    assert error["code"] == -32002
    assert "at:put:" in error["data"]["details"]


@pytest.mark.parametrize(
    ("uri", "members"),
    [
        ("pharo://package/Collections-Stack", {"name", "tags", "extensions", "testClasses"}),
        ("pharo://system/status", {"product", "version", "session", "running"}),
        ("pharo://changes", {"total", "changes", "dropped"}),
        ("pharo://class/Stack", {"definition", "comment", "protocols"}),
    ],
)
def test_the_rest_is_json(client: Client, uri: str, members: set[str]) -> None:
    told: Any = json.loads(read(client, uri))
    assert members <= told.keys()


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("review-class", {"className": "Stack"}, "push: anObject"),
        ("explain-class", {"className": "Stack"}, "push: anObject"),
        ("write-tests", {"className": "Stack"}, "push: anObject"),
        ("refactor-method", {"className": "Stack", "selector": "push:"}, "push: anObject"),
        ("explore-package", {"packageName": "Collections-Stack"}, "- Stack: "),
        ("fix-failing-tests", {"className": "PmcExampleTests"}, "Got 3 instead of 4."),
    ],
)
def test_a_prompt_carries_the_code_as_it_is_in_the_image(
    client: Client, name: str, arguments: dict[str, str], code: str
) -> None:
    assert code in prompt(client, name, **arguments)
