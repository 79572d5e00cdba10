"""What an answer shows without being asked: both ends of a stack, and what failed, by its cause."""

import re

from end_to_end.answers import failure, value, whole
from programs import Client

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
        client.call("define_class", definition="TestCase << #E2EGateTest package: 'E2E'")
        sources = [*tests.values(), "gate\n\t^ self fetch: nil", "fetch: anObject\n\t^ anObject gates first"]
        compiled = whole(
            client.call(
                "compile_methods", class_name="E2EGateTest", sources=[*sources, "testX\n\tself assert: true"]
            )
        )
        assert compiled.startswith("Compiled 8 methods in E2EGateTest.")
        told = whole(client.call("run_tests", class_name="E2EGateTest"))
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
    selectors: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(100):
        page = whole(client.call("get_class", class_name="OrderedCollection", include=["source"], **cursor))
        selectors += re.findall(r"^OrderedCollection(?: class)?>>(\S+) in protocol ", page, re.M)
        if not (found := re.search(r"next_cursor: (p\d+)$", page)):
            break
        cursor = {"cursor": found[1]}
    expression = "OrderedCollection selectors size + OrderedCollection class selectors size"
    assert len(selectors) == int(value(client, expression))
    assert {"add:", "removeFirst", "new:"} <= set(selectors)


def test_a_method_that_fails_loses_no_other_and_one_call_undoes_all(client: Client) -> None:
    client.call("define_class", definition="Object << #E2EZoo package: 'E2E'")
    told = failure(
        client.call("compile_methods", class_name="E2EZoo", sources=["open ^ 1", "close ^ ", "size ^ 3"])
    )
    assert told.startswith("Compiled 2 of 3 methods in E2EZoo; 1 failed.\n\nSource 2:\nSyntax error: ")
    assert value(client, "E2EZoo new open + E2EZoo new size") == "4"
    number = re.search(r"^Changes (\d+)", told, re.M)
    assert number, told
    client.call("undo_change", to=int(number[1]) - 1)
    assert value(client, "E2EZoo selectors size") == "0"
    client.call("undo_change", to=int(number[1]) - 2)
    assert value(client, "Smalltalk globals includesKey: #E2EZoo") == "false"


def test_a_class_with_methods_of_both_sides_is_one_call_and_one_failure_loses_nothing(client: Client) -> None:
    price = {"source": "price: aNumber\n\t^ self new setPrice: aNumber; yourself", "side": "class"}
    sources = ["setPrice: aNumber\n\tprice := aNumber", "bad ^ ", "price\n\t^ price", price]
    parts = {"class_name": "E2EFare", "package": "E2E", "slots": ["price"]}
    previewed = whole(client.call("define_class", **parts, methods=sources, preview=True))
    assert "nothing was compiled" in previewed
    told = failure(client.call("define_class", **parts, methods=sources))
    assert told.startswith("Created the class E2EFare:")
    assert "Compiled 3 of 4 methods in E2EFare; 1 failed." in told
    assert "E2EFare class>>price:" in told
    assert value(client, "(E2EFare price: 7) price") == "7"
    changes = re.search(r"^Changes (\d+)\u2013\d+\.$", told, re.M)
    assert changes, told
    client.call("undo_change", to=int(changes[1]) - 1)
    assert value(client, "Smalltalk globals includesKey: #E2EFare") == "false"
