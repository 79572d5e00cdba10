"""Tool `find_objects`."""

from collections.abc import Mapping

import pytest

from image.servers import Remembering, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.measuring import find_objects as find_objects_tool

ANIMAL = {"className": "Zoo", "printString": "a Zoo", "objectId": "o-17"}
HOLDER = {"className": "Array", "printString": "an Array(a Zoo)", "objectId": "o-18"}
NOTE = "Stopped after 1000 of 9000 objects, because the time was over; the others were not looked at."

INSTANCES = {
    "relation": "instances",
    "subject": {"className": "Zoo class", "printString": "Zoo", "objectId": "o-16"},
    "count": 2000,
    "bytes": 48000,
    "items": [{**ANIMAL, "bytes": 24}],
    "notes": [NOTE],
}
SUBINSTANCES = {
    **INSTANCES,
    "relation": "subinstances",
    "count": 1,
    "bytes": 24,
    "classes": [{"className": "PettingZoo", "count": 1, "bytes": 24}],
    "notes": [],
}
HOLDERS = {
    "relation": "holders",
    "subject": ANIMAL,
    "count": 2,
    "items": [{**HOLDER, "by": "element 1"}],
    "own": ["the object table"],
}
PATH = {
    "relation": "path_to_root",
    "subject": ANIMAL,
    "visited": 900,
    "isOurs": False,
    "root": "global TheZoo",
    "items": [{**HOLDER, "by": "its value"}, {**ANIMAL, "by": "element 1"}],
}
OURS = {**PATH, "isOurs": True, "own": ["the object table"]}
ITSELF = {**PATH, "items": []}
NO_PATH = {key: PATH[key] for key in ("relation", "subject", "visited", "isOurs")} | {"notes": [NOTE]}
MARKED = {"relation": "compare", "mark": "here", "count": 9000, "bytes": 81000}
GREW = {"className": "Zoo", "count": 30, "bytes": 720, "countChange": 10, "bytesChange": 240}
SHRANK = {"className": "Bear", "count": 1, "bytes": 16, "countChange": -1, "bytesChange": -1}
COMPARED = {**MARKED, "countChange": 8, "bytesChange": 200, "grew": [GREW], "shrank": [SHRANK]}
NO_PLACE = {
    "relation": "holders",
    "subject": {"className": "SmallInteger", "printString": "3"},
    "notes": ["A SmallInteger has no place in memory."],
}
NO_INSTANCE = {
    "relation": "path_to_root",
    "notes": ["There is no instance of Zoo: nothing keeps one alive."],
}

TEXTS = [
    (
        INSTANCES,
        f"Zoo: 2,000 instances, 48,000 bytes\nThe first:\n    a Zoo (Zoo, o-17), 24 bytes\n{NOTE}",
    ),
    (
        SUBINSTANCES,
        "Zoo: 1 instance, 24 bytes, those of subclasses included\nMost bytes:\n"
        "    PettingZoo: 1, 24 bytes\nInstances:\n    a Zoo (Zoo, o-17), 24 bytes",
    ),
    (
        HOLDERS,
        "2 objects hold a Zoo (Zoo, o-17):\n    an Array(a Zoo) (Array, o-18), by element 1\n"
        "    … and 1 more\nTo see more, raise limit (at most 100).\n"
        "pharo-mcp holds it, too: the object table.",
    ),
    ({**HOLDERS, "count": 0, "items": [], "own": []}, "0 objects hold a Zoo (Zoo, o-17)."),
    (
        PATH,
        "a Zoo (Zoo, o-17) is kept alive by global TheZoo:\n"
        "  its value -> an Array(a Zoo) (Array, o-18)\n    element 1 -> a Zoo (Zoo, o-17)",
    ),
    (ITSELF, "a Zoo (Zoo, o-17) needs nothing to keep it alive: it is global TheZoo."),
    (
        OURS,
        "Only pharo-mcp keeps a Zoo (Zoo, o-17) alive: the object table.\n"
        "evaluate with reset_workspace: true frees it.",
    ),
    (NO_PATH, f"Nothing was found that keeps a Zoo (Zoo, o-17) alive.\n{NOTE}"),
    (
        MARKED,
        "Mark here is set: 9,000 objects, 81,000 bytes. Call compare again to see what has grown since.",
    ),
    (
        COMPARED,
        "Since mark here: +8 objects, +200 bytes; now 9,000 objects, 81,000 bytes.\nGrew:\n"
        "    Zoo: +10 objects, +240 bytes; now 30\nShrank:\n    Bear: -1 object, -1 byte; now 1",
    ),
    (NO_PLACE, "3 (SmallInteger)\nA SmallInteger has no place in memory."),
    (NO_INSTANCE, "There is no instance of Zoo: nothing keeps one alive."),
]


@pytest.mark.parametrize(("reply", "text"), TEXTS)
def test_it_shows_what_was_found(reply: Mapping[str, object], text: str) -> None:
    with asking(objects=lambda _: value(reply)) as image:
        tool = find_objects_tool.make(image)
        relation = {"relation": reply["relation"]}
        subject = {} if reply["relation"] == "compare" else {"object_id": "o-17"}
        result = tool.call({**relation, **subject}, Call())
    assert result.contents == (TextContent(text),)


def test_it_asks_for_what_is_given() -> None:
    find = Remembering(lambda _: value(HOLDERS), lambda _: value(MARKED))
    with asking(objects=find) as image:
        tool = find_objects_tool.make(image)
        tool.call({"relation": "holders", "class_name": "Zoo", "limit": 3}, Call())
        tool.call({"relation": "compare", "mark": "here"}, Call())
    assert find.asked == [
        {"relation": "holders", "className": "Zoo", "limit": 3},
        {"relation": "compare", "mark": "here", "limit": 20},
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"relation": "holders"}, "holders needs either class_name or object_id"),
        ({"relation": "instances", "class_name": "Zoo", "object_id": "o-1"}, "instances needs either"),
        ({"relation": "compare", "class_name": "Zoo"}, "compare looks at all classes"),
        ({"relation": "holders", "class_name": "Zoo", "mark": "here"}, "Only compare has a mark"),
    ],
)
def test_arguments_that_do_not_belong_together_are_refused(
    arguments: Mapping[str, object], reason: str
) -> None:
    with asking() as image:
        result = find_objects_tool.make(image).call(arguments, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.startswith(reason)
