"""What is offered, and what becomes of an image's errors."""

import json
import re
from pathlib import Path
from time import monotonic
from typing import Any, cast

import pytest

from image.servers import (
    STATUS,
    TOKEN,
    Answer,
    Companion,
    Remembering,
    Reply,
    asking,
    companion,
    exchange,
    failure,
    nobodys_port,
    seven,
    value,
)
from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.app.instructions import instructions
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import FoundImages, at
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Catalog, TextContent, ToolError
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.tools.all import FORMER_NAMES, TOOLS


@pytest.fixture
def catalog() -> Catalog:
    """What is offered of an image that is not there."""
    return catalog_for(ImageClient(at(Address(nobodys_port(), "none"))))


def text(catalog: Catalog, tool: str, **arguments: object) -> str:
    """The text of an error result."""
    found = catalog.find_tool(tool)
    assert found is not None
    result = found.call(arguments, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text


def test_all_of_it_has_a_name_and_words_for_the_model(catalog: Catalog) -> None:
    everything: tuple[Any, ...] = (*catalog.tools, *catalog.resources, *catalog.templates, *catalog.prompts)
    for offered in everything:
        assert offered.name
        assert len(offered.description) > 40


def test_every_tool_declares_its_effects_and_its_arguments(catalog: Catalog) -> None:
    for tool in catalog.tools:
        listed = tool.encode(NEWEST_LEGACY)
        assert "readOnlyHint" in tool.annotations or "destructiveHint" in tool.annotations
        assert "`zork` is not a known argument" in text(catalog, tool.name, zork=1)
        properties = tool.input_schema.definition["properties"]
        assert isinstance(properties, dict)
        assert all(each["description"] for each in properties.values())
        assert "outputSchema" not in listed


def test_an_image_that_is_not_there_is_an_error_result_of_every_tool(catalog: Catalog) -> None:
    given: dict[str, dict[str, object]] = {
        "commit": {"message": "Open"},
        "edit_code": {"remove": ["Zoo"]},
        "evaluate": {"expression": "3 + 4"},
        "export_package": {"package_name": "Zoo", "folder": "/zoo"},
        "get_class": {"class_name": "Object"},
        "get_evaluation": {"evaluation_id": "e-1"},
        "import_package": {"folder": "/zoo"},
        "debug_show": {"evaluation_id": "e-1"},
        "debug_step": {"evaluation_id": "e-1", "action": "over"},
        "find_objects": {"relation": "holders", "object_id": "o-1"},
        "inspect_object": {"object_id": "o-1"},
        "load_project": {"baseline": "Zoo", "repository": "tonel:///zoo"},
        "refactor": {"kind": "rename_class", "class_name": "Zoo", "new_name": "Ark"},
        "profile": {"expression": "3 + 4"},
        "run_tests": {"tests": ["Zoo"]},
        "search": {"query": "Zoo", "kind": "classes"},
        "select_image": {"name": "Zoo"},
        "stop_evaluation": {"all": True},
        "undo_change": {"to": 0},
    }
    for tool in catalog.tools:
        required = cast(list[str], tool.input_schema.definition.get("required", []))
        arguments = given.get(tool.name) or dict.fromkeys(required, "Zoo")
        assert "nothing listens there" in text(catalog, tool.name, **arguments)


def test_and_an_error_of_every_resource_and_prompt_with_its_kind(catalog: Catalog) -> None:
    for uri in (
        *(resource.uri for resource in catalog.resources if not resource.uri.startswith("skill:")),
        "pharo://class/Object",
        "pharo://class/Object/method/at:put:",
        "pharo://class/Object/class/method/new",
        "pharo://package/Zoo",
        "pharo://evaluation/e-1",
    ):
        read = catalog.find_reader(uri)
        assert read is not None
        with pytest.raises(ToolError, match="nothing listens there") as raised:
            read(Call())
        assert raised.value.kind == "unreachable"
    given = {"className": "Object", "selector": "yourself", "packageName": "Zoo"}
    for prompt in catalog.prompts:
        blanks = {one.name: given[one.name] for one in prompt.arguments if one.required}
        with pytest.raises(ToolError, match="nothing listens there"):
            prompt.get(blanks or {prompt.arguments[0].name: "ObjectTest"}, Call())


@pytest.mark.parametrize(
    ("name", "first_line"),
    [
        ("evaluate_zero_divide", "ZeroDivide"),
        ("evaluate_not_understood", "MessageNotUnderstood: #foo was sent to nil"),
        ("evaluate_syntax_error", "Syntax error: Variable or expression expected (line 2, column 10)"),
        ("evaluate_undeclared", "Undeclared variable: zork (line 1, column 1)"),
        ("evaluate_halt", "Halt"),
        ("evaluate_timeout", "The evaluation was terminated after 0.5 seconds."),
    ],
)
def test_the_cause_is_in_the_first_line_of_the_text(name: str, first_line: str) -> None:
    with asking(evaluate=exchange(name)) as image:
        assert text(catalog_for(image), "evaluate", expression="x").splitlines()[0] == first_line


def test_structured_errors_have_their_parts() -> None:
    with asking(**{"class": exchange("class_unknown")}) as image:
        tool = catalog_for(image).find_tool("get_class")
        assert tool is not None
        with pytest.raises(ToolError) as raised:
            tool.handler({"class_name": "PmcExampleCircel"}, Call())
    assert raised.value.kind == "unknownClass"
    assert raised.value.details["near"] == ["PmcExampleCircle"]


def test_read_only_leaves_only_what_can_change_nothing() -> None:
    image = ImageClient(at(Address(1, "none")))
    tools = [tool.name for tool in catalog_for(image, read_only=True).tools]
    assert tools == [row.name for row in TOOLS if row.reads_only]


def test_read_only_leaves_out_the_prompt_that_runs_tests() -> None:
    image = ImageClient(at(Address(1, "none")))
    everything, reading = catalog_for(image).prompts, catalog_for(image, read_only=True).prompts
    left_out = {prompt.name for prompt in everything} - {prompt.name for prompt in reading}
    assert left_out == {"fix-failing-tests"}


def test_all_tools_are_listed_or_only_the_core() -> None:
    image = ImageClient(at(Address(1, "none")))
    names = [row.name for row in TOOLS]
    assert [tool.name for tool in catalog_for(image).tools if tool.listed] == names
    core = catalog_for(image, tools="core").tools
    assert [tool.name for tool in core] == names
    assert [tool.name for tool in core if tool.listed] == [row.name for row in TOOLS if row.core]


def test_tools_that_are_not_listed_can_be_called() -> None:
    core = catalog_for(ImageClient(at(Address(nobodys_port(), "none"))), tools="core")
    assert "nothing listens there" in text(core, "get_status")


def test_a_read_only_session_gives_a_reason_for_each_tool_that_it_does_not_have() -> None:
    catalog = catalog_for(ImageClient(at(Address(1, "none"))), read_only=True)
    changing = {row.name for row in TOOLS if not row.reads_only}
    assert catalog.left_out.keys() == changing | FORMER_NAMES.keys()
    assert all(
        catalog.left_out[name].startswith(f"{name} can change the image, and this session is read-only.")
        for name in changing
    )


def test_the_name_of_an_earlier_tool_is_answered_with_what_to_use_now() -> None:
    catalog = catalog_for(ImageClient(at(Address(1, "none"))))
    said = catalog.find_tool_or_reason("compile_method")
    assert said == "There is no compile_method: use edit_code. Nothing ran."


def test_a_session_with_chosen_tools_has_no_others_and_teaches_no_others() -> None:
    image = ImageClient(at(Address(1, "none")))
    catalog = catalog_for(image, tools="evaluate, get_evaluation")
    assert [tool.name for tool in catalog.tools if tool.listed] == ["evaluate", "get_evaluation"]
    absent = {row.name for row in TOOLS} - {"evaluate", "get_evaluation"}
    assert catalog.left_out.keys() == absent | FORMER_NAMES.keys()
    assert catalog.left_out["search"].startswith("search is not among the tools of this session.")
    descriptions = {tool.name: tool.description for tool in catalog.tools}
    assert descriptions["evaluate"].endswith("Undeclared variables are kept.")
    words = instructions("evaluate,get_evaluation", read_only=False)
    assert "Try ideas with `evaluate`." in words
    assert [row.name for row in TOOLS if f"`{row.name}`" in words] == ["evaluate", "get_evaluation"]
    assert "evaluation_id" not in instructions("evaluate", read_only=False)


@pytest.mark.parametrize("tools", ["all", "core"])
def test_the_instructions_explain_the_work_and_the_tools_that_are_not_listed(tools: str) -> None:
    all_tools = tools == "all"
    words = instructions(tools, read_only=False)
    assert "Answers are complete: what was changed, by its number" in words
    assert "Most tasks take few calls" in words
    assert "tools, resources, prompts and skills of its own" in words
    unlisted = [row for row in TOOLS if not row.core]
    assert all((row.name in words) is not all_tools for row in unlisted)
    reading = instructions(tools, read_only=True)
    assert "read-only" in reading
    assert not [row.name for row in TOOLS if not row.reads_only and f"`{row.name}`" in reading], (
        "nobody is taught what the session does not have"
    )
    assert all((row.name in reading) is (row.reads_only and not all_tools) for row in unlisted)
    assert len(words.encode()) < 2048, "clients cut what is longer: docs/clients.md"


def test_no_core_tool_sends_a_model_to_one_that_may_not_be_listed(catalog: Catalog) -> None:
    unlisted = [row.name for row in TOOLS if not row.core]
    core = {row.name for row in TOOLS if row.core}
    for tool in catalog.tools:
        if tool.name in core:
            assert [name for name in unlisted if re.search(rf"\b{name}\b", tool.description)] == []


def test_a_refusal_of_an_image_that_may_only_be_read_is_explained() -> None:
    def refuse(_: object) -> Reply:
        return failure(403, "readOnly", "This image may only be read.")

    with asking(evaluate=refuse) as image:
        words = text(catalog_for(image), "evaluate", expression="3 + 4")
    assert words.startswith("This image may only be read.\nNothing ran: ")
    assert "PharoMcp startReadOnly" in words


def test_an_image_that_refuses_an_argument_names_it_as_the_tool_does() -> None:
    words = "timeoutSeconds must be more than 0: omit it, or set testTimeoutSeconds."
    with asking(tests=lambda _: failure(400, "badRequest", words)) as image:
        told = text(catalog_for(image), "run_tests", tests=["ZooTest"])
    assert told == "timeout_seconds must be more than 0: omit it, or set test_timeout_seconds."


def test_names_of_code_stay_as_they_are_in_a_refusal() -> None:
    words = "Zoo has no method named className."
    with asking(tests=lambda _: failure(404, "unknownMethod", words)) as image:
        ran = text(catalog_for(image), "run_tests", tests=["Zoo>>className"])
    assert ran.startswith(words)


def test_a_companion_without_an_endpoint_is_reported_as_too_old() -> None:
    def refuse(_: object) -> Reply:
        return failure(404, "unknownEndpoint", "There is no endpoint /inspect.")

    with asking(inspect=refuse) as image:
        words = text(catalog_for(image), "inspect_object", object_id="o-1")
    assert words.startswith("There is no endpoint /inspect.\nThe companion in the image is older")


def contents(catalog: Catalog, tool: str, **arguments: object) -> list[str]:
    """The texts that a tool answers."""
    found = catalog.find_tool(tool)
    assert found is not None
    result = found.call(arguments, Call())
    return [content.text for content in result.contents if isinstance(content, TextContent)]


def in_session(session: str) -> Answer:
    return lambda _: value({**STATUS, "session": session})


def test_a_restart_is_reported_once_after_a_result_or_an_error() -> None:
    with companion(evaluate=exchange("evaluate_zero_divide")) as there:
        image = ImageClient(at(there.address))
        catalog = catalog_for(image)
        for session in ("one", "two"):
            there.answers["/status"] = in_session(session)
            image.status()
        first, *rest = contents(catalog, "evaluate", expression="x")
        assert first.startswith("ZeroDivide")
        assert [each.startswith("The companion in ") for each in rest] == [True]
        assert len(contents(catalog, "evaluate", expression="x")) == 1
        there.answers["/status"] = in_session("three")
        image.status()
        there.answers["/class"] = lambda _: failure(404, "unknownClass", "There is no Zork.")
        [words] = contents(catalog, "get_class", class_name="Zork")
        assert words.startswith(
            "There is no Zork.\nsearch with kind classes finds classes by part of their names.\n\nThe comp"
        )
        image.close()


def test_while_several_images_live_what_may_change_one_names_it(tmp_path: Path) -> None:
    def announce(image: Companion, name: str) -> None:
        told = {"url": image.address.url, "token": TOKEN, "name": name, "system": "Pharo", "image": "/x"}
        (tmp_path / f"{name}.json").write_text(json.dumps(told), "utf-8")

    with companion(evaluate=seven, version=exchange("version")) as one, companion() as other:
        announce(one, "Zoo")
        image = ImageClient(FoundImages(str(tmp_path)))
        catalog = catalog_for(image)
        assert contents(catalog, "evaluate", expression="3 + 4") == ["7"]
        announce(other, "Ark")
        named = f"Image: Pharo13 at {one.address.url}"
        assert contents(catalog, "evaluate", expression="3 + 4") == ["7", named]
        assert len(contents(catalog, "get_version")) == 1
        one.answers["/evaluate"] = lambda _: failure(400, "badRequest", "No.")
        assert contents(catalog, "evaluate", expression="3 + 4") == [f"No.\n\n{named}"]
        image.close()


def test_half_a_surrogate_pair_is_refused_in_words_that_name_the_argument(catalog: Catalog) -> None:
    words = text(catalog, "evaluate", expression="'\ud83d'")
    assert words == "`expression` is not valid Unicode: character 2 is an unpaired surrogate. Nothing ran."


def test_an_empty_name_of_a_class_is_refused(catalog: Catalog) -> None:
    assert "`class_name`" in text(catalog, "get_class", class_name="")


def test_all_is_over_before_the_call_must_be_answered() -> None:
    evaluate, evaluation = Remembering(seven), Remembering(seven)
    with asking(evaluate=evaluate, evaluation=evaluation) as image:
        catalog = catalog_for(image)
        for name, arguments in (
            ("evaluate", {"expression": "3 + 4", "timeout_seconds": 100}),
            ("get_evaluation", {"evaluation_id": "e-1", "wait_seconds": 45}),
        ):
            tool = catalog.find_tool(name)
            assert tool is not None
            tool.call(arguments, Call(deadline=monotonic() + 12))
    for [body] in (evaluate.asked, evaluation.asked):
        assert 6 < body["waitSeconds"] <= 7
