"""What only a real Pharo has: its parse tree rewriter, which does what its preview shows: `-m image`."""

import re
from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.test_pharo_refactorings import answer, needs
from smalltalk_text import class_text, code, method_text

pytestmark = [pytest.mark.image, pytest.mark.parametrize("image", ["image"], indirect=True)]

BODIES = [
    'x isNil ifTrue: [ ^ 3 ].  "odd   spaces"\n\t^ x notNil ifTrue: [ x   size ]',
    "^ (x size = 0 and: [ x isEmpty not ]) ifTrue: [ 16rFF ] ifFalse: [ #( 1 2 ) ]",
    '| y | y := x at: 1 ifAbsent: [ nil ].\n\tx do: [ :each | "one" y := each.  ].\n\t^ y == nil',
    "x show: 3; show: 4; cr.\n\t^ (x = nil) | (x ~= nil)",
    "^ x collect: [ :each | each printString ] thenSelect: [ :each | each size > 3 ]",
]
RULES = [
    ("``@a isNil ifTrue: ``@b", "``@a ifNil: ``@b"),
    ("``@a notNil ifTrue: ``@b", "``@a ifNotNil: ``@b"),
    ("``@a size = 0", "``@a isEmpty"),
    ("``@a isEmpty not", "``@a isNotEmpty"),
    ("``@a ifTrue: ``@b ifFalse: ``@c", "``@a ifFalse: ``@c ifTrue: ``@b"),
    ("``@a == nil", "``@a isNil"),
    ("``@a = nil", "``@a isNil"),
    ("``@a ~= nil", "``@a isNotNil"),
    ("``@a | ``@b", "``@a or: [ ``@b ]"),
    ("``@a at: ``@k ifAbsent: [ nil ]", "``@a pmcMadeAt: ``@k"),
    ("``@c do: [ :`each | ``@.Statements ]", "``@c reverseDo: [ :`each | ``@.Statements ]"),
    ("``@c show: 3", "``@c show: 3 + 1"),
    ("``@c show: 4", "``@c print: 4"),
    ("``@a printString", "``@a displayString"),
    ("``@c collect: ``@b thenSelect: ``@d", "(``@c collect: ``@b) select: ``@d"),
    ("``@a size > ``@b", "``@b < ``@a size"),
    ("16rFF", "255"),
    ("x   size", "x numberOfElements"),
    ("y isNil", "y pmcMadeIsNothing"),
    ("``@a pmcMadeIsNothing", "``@a isNil"),
]
# A method that is still the same object has the same source.
CHANGED = """| now new old name |
now := IdentitySet new: 300000.
SystemNavigation new allBehaviors do: [ :class | now addAll: class localMethods ].
pmcMadeMethods ifNil: [ pmcMadeMethods := now ].
new := now reject: [ :each | pmcMadeMethods includes: each ].
old := pmcMadeMethods reject: [ :each | now includes: each ].
pmcMadeMethods := now.
name := [ :method | method methodClass name , '>>' , method selector ].
old := Dictionary newFrom: (old collect: [ :each | (name value: each) -> each sourceCode ] as: Array).
new := Dictionary newFrom: (new collect: [ :each | (name value: each) -> each sourceCode ] as: Array).
String streamContents: [ :stream |
    (old keys asSet addAll: new keys; yourself) asArray sort do: [ :each |
        (old at: each ifAbsent: [ '' ]) = (new at: each ifAbsent: [ '' ]) ifFalse: [
            stream nextPutAll: each; lf; nextPutAll: (old at: each ifAbsent: [ '' ]); lf.
            stream nextPutAll: '=>'; nextPutAll: (new at: each ifAbsent: [ '' ]); lf ] ] ]"""


@pytest.fixture
def methods(client: Client) -> Iterator[Client]:
    """A conversation in which there are fifty methods, until they are undone."""
    needs(client, "OCParseTreeRewriter", "RBParseTreeRewriter", "ASTParseTreeRewriter")
    found = re.search(r"^    (\d+): ", answer(client, "list_changes", limit=1), re.M)
    mark = int(found[1]) if found else 0
    sources = [f"pmcMade{number}: x\n\t{BODIES[number % len(BODIES)]}" for number in range(50)]
    made = [
        class_text("PmcMadeRoom", package="PmcMade"),
        *(method_text("PmcMadeRoom", each) for each in sources),
    ]
    answer(client, "edit_code", text=code(*made))
    yield client
    answer(client, "undo_change", to=mark)


def differences(client: Client) -> str:
    """The methods of the image whose sources differ from what they were last time, with both sources."""
    text = answer(client, "evaluate", expression=CHANGED, max_characters=200000)
    return text.strip("'").replace("''", "'").replace("\r", "\n")


def test_twenty_rewritings_of_fifty_methods_change_what_their_previews_show_and_nothing_else(
    methods: Client,
) -> None:
    sources = answer(methods, "read_code", items=["PmcMadeRoom"])
    answer(methods, "evaluate", expression="pmcMadeMethods := nil")
    assert differences(methods) == ""
    for pattern, replacement in RULES:
        rewriting = {"kind": "rewrite", "pattern": pattern, "replacement": replacement, "only": ["PmcMade"]}
        preview = answer(methods, "refactor", **rewriting)
        number = re.search(r"apply: (\d+)\.$", preview)
        assert number
        answer(methods, "refactor", kind="rewrite", apply=int(number[1]))
        changed = differences(methods)
        shown = re.findall(r"^(PmcMadeRoom>>\S+):$", preview, re.M)
        assert shown
        assert re.findall(r"^(\w+(?: class)?>>\S+)$", changed, re.M) == sorted(shown), pattern
        for line in re.findall(r"^    [-+](.*)$", preview, re.M):
            assert line in changed.split("\n") or f"=>{line}" in changed.split("\n"), (pattern, line)
    assert re.findall(r"^    (\d+): 10 parts, by refactor", answer(methods, "list_changes"), re.M)
    last = max(map(int, re.findall(r"^    (\d+): ", answer(methods, "list_changes"), re.M)))
    answer(methods, "undo_change", to=last - len(RULES))
    assert answer(methods, "read_code", items=["PmcMadeRoom"]) == sources
    assert set(re.findall(r"^(\w+)(?: class)?>>", differences(methods), re.M)) <= {"PmcMadeRoom"}
