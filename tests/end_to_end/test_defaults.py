"""What an answer shows without being asked: both ends of a stack, and what failed, by its cause."""

import re

from end_to_end.answers import failure, value, whole
from programs import Client
from smalltalk_text import class_text, code, method_text

RECURSION = (
    "| down | down := nil. "
    "down := [ :n | n = 0 ifTrue: [ 1 / 0 ] ifFalse: [ down value: n - 1 ] ]. down value: 999"
)


def test_a_recursion_is_one_frame_and_the_expression_is_the_last(client: Client) -> None:
    told = failure(client.call("evaluate", expression=RECURSION)).splitlines()
    stack = [line for line in told[told.index("Stack:") + 1 :] if line.startswith("    ")]
    assert [line for line in stack if line.endswith(" 999 more of the same")]
    assert stack[-1].startswith("    3 UndefinedObject>>DoIt -- ")
    assert len(stack) == 4


def test_failures_with_one_cause_have_one_stack_without_frames_of_sunit(client: Client) -> None:
    tests = {f"test{n}": f"test{n}\n\tself gate open" for n in range(5)}
    try:
        client.call("edit_code", text="TestCase << #E2EGateTest package: 'E2E'")
        sources = [*tests.values(), "gate\n\t^ self fetch: nil", "fetch: anObject\n\t^ anObject gates first"]
        sources.append("testX\n\tself assert: true")
        text = code(*(method_text("E2EGateTest", each) for each in sources))
        assert whole(client.call("edit_code", text=text)).startswith("Added E2EGateTest>>")
        told = whole(client.call("run_tests", tests=["E2EGateTest"]))
    finally:
        value(
            client,
            "Smalltalk globals removeClassNamed: #E2EGateTest. self packageOrganizer removePackage: 'E2E'. 7",
        )
    assert re.match(r"6 tests(?: in [\d.]+ seconds)?: 1 passed, 5 errors\.", told)
    assert told.count("Object)>>doesNotUnderstand: #gates") == 1
    assert "The same exception at the same place in 4 others: E2EGateTest>>test1, " in told
    assert "(TestCase)>>" not in told
    assert "testX" not in told


def test_the_source_of_a_class_is_read_page_by_page(client: Client) -> None:
    methods: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(100):
        arguments = {
            "items": ["OrderedCollection"],
            "detail": "source",
            "max_characters": 5_000,
            **cursor,
        }
        page = whole(client.call("read_code", **arguments))
        methods += re.findall(r"^OrderedCollection(?: class)? >> ([^[]+) \[", page, re.M)
        if not (found := re.search(r"next_cursor: (p\d+)$", page)):
            break
        cursor = {"cursor": found[1]}
    expression = "OrderedCollection selectors size + OrderedCollection class selectors size"
    assert len(methods) == int(value(client, expression))
    assert {"removeFirst", "removeLast"} <= set(methods)


def test_with_keep_going_a_method_that_fails_loses_no_other_and_one_number_undoes_all(client: Client) -> None:
    text = code(
        class_text("E2EZoo", package="E2E"),
        *(method_text("E2EZoo", source) for source in ("open ^ 1", "close ^ ", "size ^ 3")),
        method_text("E2EZoo class", "opened ^ self new open"),
    )
    refused = failure(client.call("edit_code", text=text))
    assert refused.startswith("Nothing was changed.\n\nE2EZoo>>close: Syntax error: ")
    assert value(client, "Smalltalk globals includesKey: #E2EZoo") == "false"
    told = failure(client.call("edit_code", text=text, keep_going=True))
    assert told.startswith("Created E2EZoo.\nAdded E2EZoo>>open, E2EZoo>>size, E2EZoo class>>opened.")
    assert value(client, "E2EZoo opened + E2EZoo new size") == "4"
    number = re.search(r"^Change (\d+)\.", told, re.M)
    assert number, told
    client.call("undo_change", change=int(number[1]))
    assert value(client, "Smalltalk globals includesKey: #E2EZoo") == "false"
