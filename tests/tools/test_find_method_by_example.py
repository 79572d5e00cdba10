"""Tool `find_method_by_example`."""

import pytest

from image.servers import Remembering, asking, exchange, failure
from pharo_mcp.image import RequestRefused, SmalltalkError
from pharo_mcp.protocol import Call
from pharo_mcp.tools.find_method_by_example import find_method_by_example_tool
from tools.calling import answering, structured_as_described, text

GIVEN: dict[str, object] = {"receiver": "3", "arguments": ["4"], "result": "12"}
NOTHING = {
    "receiverClass": "True",
    "total": 0,
    "items": [],
    "tried": 20,
    "failed": 1,
    "notTried": {"total": 0, "names": []},
    "complete": True,
}
TRIED = (
    "Tried: 20 messages, of which 1 signalled an error; only methods that are known to have no side effects, "
    "on copies."
)


def test_the_methods_found_are_listed_with_their_classes_and_what_was_tried() -> None:
    words = text(find_method_by_example_tool, "method/find", exchange("find_method"), **GIVEN)
    assert words.splitlines() == [
        "2 methods answer the result:",
        "    SmallInteger>>*: 3 * 4",
        "    Integer>>lcm:: 3 lcm: 4",
        "Tried: 102 messages, of which 0 signalled an error; only methods that are known to have no side "
        "effects, on copies.",
        "Not tried: 98 other selectors with 1 argument that SmallInteger understands: aboutToSignalIn:, …",
    ]


def test_an_answer_of_another_class_is_shown() -> None:
    words = text(find_method_by_example_tool, "method/find", exchange("find_method_other_class"), **GIVEN)
    assert "    SequenceableCollection>>,: (#( 1 2 )) , (#( 3 3 )) (answers #(1 2 3 3))" in words.splitlines()


def test_nothing_found_is_said_together_with_what_was_tried() -> None:
    words = text(
        find_method_by_example_tool, "method/find", answering(**NOTHING), receiver="true", result="3"
    )
    assert words.splitlines() == [
        "No method that was tried answers the result. search finds methods by parts of their names.",
        TRIED,
    ]


def test_what_was_cut_is_said() -> None:
    item = {"className": "Object", "selector": "isNil", "expression": "3 isNil"}
    names = [f"is{number}" for number in range(50)]
    cut = NOTHING | {
        "total": 60,
        "items": [item],
        "notTried": {"total": 70, "names": names},
        "complete": False,
    }
    words = text(find_method_by_example_tool, "method/find", answering(**cut), receiver="3", result="false")
    assert words.splitlines() == [
        "60 methods answer the result:",
        "    Object>>isNil: 3 isNil",
        "    and 59 more; an example with another result narrows them down.",
        TRIED,
        "The time was over before all of these were tried.",
        f"Not tried: 70 other selectors with 0 arguments that True understands: {', '.join(names[:20])}, …",
    ]


def test_an_expression_that_took_too_long_is_shown() -> None:
    endless = NOTHING | {"complete": False, "unfinished": "#(1) do: [:x | [true] whileTrue]"}
    words = text(find_method_by_example_tool, "method/find", answering(**endless), receiver="3", result="4")
    assert words.splitlines()[2:] == [
        "Took too long, so nothing was tried after it: #(1) do: [:x | [true] whileTrue]"
    ]
    assert structured_as_described(
        find_method_by_example_tool, "method/find", answering(**endless), receiver="3", result="4"
    )


def test_only_what_is_given_is_sent() -> None:
    find = Remembering(answering(**NOTHING))
    with asking(**{"method/find": find}) as image:
        find_method_by_example_tool(image, structured=False).call({"receiver": "true", "result": "3"}, Call())
    assert find.asked == [{"receiver": "true", "result": "3"}]


def test_a_value_that_is_not_plain_is_refused() -> None:
    with (
        asking(**{"method/find": exchange("find_method_not_plain")}) as image,
        pytest.raises(RequestRefused, match="No messages were sent: receiver is not tried"),
    ):
        image.code.find_method("PmcExampleCircle new", "3")


def test_an_error_in_an_expression_is_reported_with_its_place() -> None:
    with (
        asking(**{"method/find": exchange("find_method_syntax_error")}) as image,
        pytest.raises(SmalltalkError, match=r"arguments\[1\]: .*\(line 1, column 4\)"),
    ):
        image.code.find_method("3", "7", ["4 +"])


def test_a_read_only_image_refuses() -> None:
    with (
        asking(**{"method/find": lambda _: failure(403, "readOnly", "This image is read-only.")}) as image,
        pytest.raises(RequestRefused, match="read-only"),
    ):
        image.code.find_method("3", "7")


def test_it_may_change_the_image() -> None:
    with asking() as image:
        tool = find_method_by_example_tool(image, structured=False)
    assert not tool.annotations.get("readOnlyHint")


@pytest.mark.parametrize("name", ["find_method", "find_method_other_class", "find_method_nothing"])
def test_its_structured_result_matches_its_schema(name: str) -> None:
    assert structured_as_described(find_method_by_example_tool, "method/find", exchange(name), **GIVEN)
