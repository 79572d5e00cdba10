"""What stands around every handler.

Tools that may destroy something ask the person first with `--confirm`; errors of an image become those of
tools, resources and prompts.
"""

from collections.abc import Mapping, Sequence

import pytest

from image.servers import Answer, asking, exchange, failure, nobodys_port
from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.handlers import asks_first, confirming
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.protocol.call import Call, ClientRequest, OnResult
from pharo_mcp.protocol.catalog import (
    Catalog,
    InvalidArguments,
    ResourceNotFound,
    TextContent,
    Tool,
    ToolError,
    ToolResult,
)
from pharo_mcp.protocol.schema import Schema

ASKING = {
    "commit",
    "export_package",
    "import_package",
    "load_project",
    "edit_code",
    "refactor",
    "save_image",
    "undo_change",
}
SCHEMA = Schema(
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "deep": {"type": "boolean", "default": False}},
    }
)
QUESTION = "The assistant wants to use burn with name old. Go on?"


class Person:
    """A client whose person has one answer; None if they never answer."""

    can_ask: Sequence[str] = ("person",)

    def __init__(self, result: Mapping[str, object] | None, evaluation: str | None = None) -> None:
        self.evaluation = evaluation
        self.asked: list[object] = []
        self.withdrawn: list[str | None] = []
        self._result = result

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, on_result: OnResult, seconds: float
    ) -> bool:
        """See AskableClient."""
        [request] = requests
        self.asked.append(request.params["message"])
        if self._result is None:
            return False
        on_result(request, self._result)
        return True

    def withdraw(self, evaluation: str | None) -> None:
        """See AskableClient."""
        self.withdrawn.append(evaluation)


def burn(arguments: Mapping[str, object], call: Call) -> ToolResult:
    return ToolResult.from_text("burnt")


def tool(**annotations: bool) -> Tool:
    made = Tool("burn", "Burns.", SCHEMA, burn, annotations)
    [found] = confirming(Catalog((made,), (), (), ())).tools
    return found


def text_of(result: ToolResult) -> str:
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text


def accepted(answer: bool) -> Mapping[str, object]:
    return {"action": "accept", "content": {"answer": answer}}


def test_it_runs_when_the_person_agrees() -> None:
    person = Person(accepted(answer=True))
    assert text_of(tool().call({"name": "old"}, Call(client=person))) == "burnt"
    assert person.asked == [QUESTION]


@pytest.mark.parametrize("result", [accepted(answer=False), {"action": "decline"}, {"action": "cancel"}])
def test_it_does_not_run_when_the_person_does_not_agree(result: Mapping[str, object]) -> None:
    refused = tool().call({"name": "old"}, Call(client=Person(result)))
    assert refused.is_error
    assert "the person at the client did not agree. Nothing was changed." in text_of(refused)


def test_it_does_not_run_when_nobody_answers() -> None:
    person = Person(None)
    refused = tool().call({"name": "old"}, Call(client=person))
    assert refused.is_error
    assert "did not confirm it in time" in text_of(refused)
    assert person.withdrawn == [None]


def test_a_client_that_cannot_ask_is_not_asked() -> None:
    person = Person(None)
    person.can_ask = ("roots",)
    for client in (None, person):
        assert text_of(tool().call({"name": "old"}, Call(client=client))) == "burnt"


def test_a_repeated_request_whose_work_has_begun_is_not_asked_again() -> None:
    person = Person(None, evaluation="e-1")
    assert text_of(tool().call({"name": "old"}, Call(client=person))) == "burnt"


@pytest.mark.parametrize("hint", [{"readOnlyHint": True}, {"destructiveHint": False}])
def test_a_harmless_tool_does_not_ask(hint: dict[str, bool]) -> None:
    person = Person(None)
    assert text_of(tool(**hint).call({"name": "old"}, Call(client=person))) == "burnt"


def test_long_arguments_are_shortened() -> None:
    person = Person(accepted(answer=True))
    tool().call({"name": "x" * 1000, "deep": True}, Call(client=person))
    [asked] = person.asked
    assert str(asked).endswith(f"with name {'x' * 200}…, deep True. Go on?")


def test_a_preview_does_not_ask() -> None:
    person = Person(None)
    assert text_of(tool().call({"name": "old", "preview": True}, Call(client=person))) == "burnt"


def test_a_tool_of_an_image_asks_whatever_its_arguments_mean() -> None:
    schema = Schema(
        {"type": "object", "properties": {"preview": {"type": "boolean"}, "name": {"type": "string"}}}
    )
    made = Tool("burn", "Burns.", schema, burn)
    [registered] = confirming(Catalog((made,), (), (), ()), built_in=False).tools
    person = Person(accepted(answer=True))
    registered.call({"name": "old", "preview": True}, Call(client=person))
    assert person.asked == ["The assistant wants to use burn with name old, preview True. Go on?"]


def test_the_built_in_tools_that_ask() -> None:
    catalog = catalog_for(ImageClient(at(Address(nobodys_port(), "none"))), confirm=True)
    assert {each.name for each in catalog.tools if asks_first(each)} == ASKING


def test_the_built_in_tools_ask_with_the_option() -> None:
    catalog = catalog_for(ImageClient(at(Address(nobodys_port(), "none"))), confirm=True)
    person = Person({"action": "decline"})
    arguments = {"kind": "rename_class", "class_name": "Zoo", "new_name": "Ark", "preview": False}
    remove = catalog.find_tool("refactor")
    assert remove is not None
    assert "did not agree" in text_of(remove.call(arguments, Call(client=person)))


@pytest.mark.parametrize(
    ("uri", "path", "answer", "message"),
    [
        ("pharo://class/Zork", "class", exchange("class_unknown"), "There is no class or trait named"),
        ("pharo://class/Zoo/method/raduis", "method", exchange("method_unknown"), "Similar names: radius"),
        ("pharo://package/Zork", "package", exchange("package_unknown"), "PharoMcp-Core-Tests"),
        ("pharo://class/%20", "class", lambda _: failure(400, "badRequest", "It is empty."), "It is empty"),
        ("pharo://evaluation/e-1", "evaluation", exchange("evaluation_unknown"), "There is no evaluation"),
    ],
)
def test_a_resource_that_the_image_does_not_know_is_not_found(
    uri: str, path: str, answer: Answer, message: str
) -> None:
    with asking(**{path: answer}) as image:
        read = catalog_for(image).find_reader(uri)
        assert read is not None
        with pytest.raises(ResourceNotFound, match=message):
            read(Call())


@pytest.mark.parametrize(
    ("name", "path", "answer", "arguments"),
    [
        ("explain-class", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("review-class", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("write-tests", "class", exchange("class_unknown"), {"className": "Zork"}),
        ("explore-package", "package", exchange("package_unknown"), {"packageName": "Zork"}),
        ("fix-failing-tests", "tests", exchange("tests_unknown_class"), {"className": "Zork"}),
        ("fix-failing-tests", "tests", exchange("tests_no_test_class"), {"className": "Object"}),
        ("refactor-method", "method", exchange("method_unknown"), {"className": "Zoo", "selector": "raduis"}),
    ],
)
def test_an_argument_of_a_prompt_that_the_image_refuses_is_invalid(
    name: str, path: str, answer: Answer, arguments: dict[str, str]
) -> None:
    with asking(**{path: answer}) as image:
        prompt = catalog_for(image).find_prompt(name)
        assert prompt is not None
        with pytest.raises(InvalidArguments, match=r"[Nn]o |is not a "):
            prompt.get(arguments, Call())


def test_other_errors_of_an_image_are_tool_errors() -> None:
    with asking(**{"class": lambda _: failure(503, "busy", "Too many requests.")}) as image:
        catalog = catalog_for(image)
        prompt, read = catalog.find_prompt("explain-class"), catalog.find_reader("pharo://class/Zoo")
        assert prompt is not None
        assert read is not None
        with pytest.raises(ToolError) as of_prompt:
            prompt.get({"className": "Zoo"}, Call())
        with pytest.raises(ToolError) as of_resource:
            read(Call())
    assert of_prompt.value.kind == of_resource.value.kind == "busy"
