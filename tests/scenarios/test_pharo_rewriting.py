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
TESTED = {
    "AI-Algorithms-Graph": "AI-Algorithms-Graph-Tests",
    "Clap-Core": "Clap-Tests",
    "EnlumineurFormatter": "EnlumineurFormatter-Tests",
    "Geometry": "Geometry-Tests",
    "Hiedra": "Hiedra-Tests",
    "Keymapping-Core": "Keymapping-Tests",
    "Ombu": "Ombu-Tests",
    "Regex-Core": "Regex-Core-Tests",
    "Ring-Core": "Ring-Core-Tests",
    "STON-Core": "STON-Tests",
    "Text-Diff": "Text-Diff-Tests",
}
"""Packages of Pharo that neither the kernel nor these tools depend on, and those of their tests."""
SAME = [
    ("=", "``@a = ``@b", "(``@a = ``@b) yourself"),
    ("==", "``@a == ``@b", "(``@a == ``@b) yourself"),
    ("not", "``@a not", "``@a == false"),
    ("ifTrue:ifFalse:", "``@a ifTrue: ``@b ifFalse: ``@c", "``@a ifFalse: ``@c ifTrue: ``@b"),
    ("ifTrue:", "``@a ifTrue: ``@b", "``@a ifTrue: ``@b ifFalse: [ nil ]"),
    ("ifFalse:", "``@a ifFalse: ``@b", "``@a ifTrue: [ nil ] ifFalse: ``@b"),
    ("and:", "``@a and: ``@b", "``@a ifTrue: ``@b ifFalse: [ false ]"),
    ("or:", "``@a or: ``@b", "``@a ifTrue: [ true ] ifFalse: ``@b"),
    ("+", "``@a + ``@b", "(``@a + ``@b) yourself"),
    (",", "``@a , ``@b", "(``@a , ``@b) yourself"),
    ("size", "``@a size", "``@a size yourself"),
    ("name", "``@a name", "``@a name yourself"),
    ("class", "``@a class", "``@a class yourself"),
    ("at:", "``@a at: ``@k", "(``@a at: ``@k) yourself"),
    ("ifNil:", "``@a ifNil: ``@b", "``@a ifNil: ``@b ifNotNil: [ :pmcMade | pmcMade ]"),
    ("do:", "``@a do: ``@b", "(``@a do: ``@b) yourself"),
    ("asSymbol", "``@a asSymbol", "``@a asString asSymbol"),
    ("value:", "``@a value: ``@b", "(``@a value: ``@b) yourself"),
    ("value", "``@a value", "``@a value yourself"),
    ("new", "``@a new", "``@a new yourself"),
]
"""Selectors, patterns of sends of them, and what means the same."""
SENDERS = """((#( {packages} ) flatCollect: [ :name |
    (PackageOrganizer default packageNamed: name) methods select: [ :method |
        method ast allChildren anySatisfy: [ :node |
            node isMessage and: [ node selector = #'{selector}' and: [ node isCascaded not ] ] ] ] ])
        collect: [ :method | method methodClass name , '>>' , method selector ]) sort
            inject: '' into: [ :all :each | all , each , ' ' ]"""
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


def previewed(client: Client, pattern: str, replacement: str, *only: str) -> str:
    """The preview of a rewriting, which is then carried out."""
    rewriting = {"kind": "rewrite", "pattern": pattern, "replacement": replacement, "only": only}
    preview = answer(client, "refactor", **rewriting)
    number = re.search(r"apply: (\d+)\.$", preview)
    assert number
    answer(client, "refactor", kind="rewrite", apply=int(number[1]))
    return preview


def outcomes(client: Client) -> dict[str, list[str]]:
    """The counts and the failures of the tests of each package."""
    return {
        package: re.findall(
            r"^\d+ tests|\d+ \w[ \w]*(?=[,.])|^\w+: \S+>>\S+",
            re.sub(
                " in [0-9.]+ seconds", "", answer(client, "run_tests", tests=[package], timeout_seconds=60)
            ),
            re.M,
        )
        for package in TESTED.values()
    }


def test_twenty_rewritings_of_fifty_methods_change_what_their_previews_show_and_nothing_else(
    methods: Client,
) -> None:
    sources = answer(methods, "read_code", items=["PmcMadeRoom"])
    answer(methods, "evaluate", expression="pmcMadeMethods := nil")
    assert differences(methods) == ""
    for pattern, replacement in RULES:
        preview = previewed(methods, pattern, replacement, "PmcMade")
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


def test_the_tests_of_rewritten_packages_have_the_same_outcomes_before_after_and_when_it_is_undone(
    client: Client,
) -> None:
    needs(client, "OCParseTreeRewriter", "RBParseTreeRewriter", "ASTParseTreeRewriter")
    packages = " ".join(f"'{name}'" for name in TESTED)
    needed = f"#( {packages} ) allSatisfy: [ :each | PackageOrganizer default hasPackage: each ]"
    if answer(client, "evaluate", expression=needed) != "true":
        pytest.skip("this image has not all of these packages")
    found = re.search(r"^    (\d+): ", answer(client, "list_changes", limit=1), re.M)
    mark = int(found[1]) if found else 0
    before = outcomes(client)
    assert sum(int(counts[0].split()[0]) for counts in before.values()) > 1000
    answer(client, "evaluate", expression="pmcMadeMethods := nil")
    differences(client)
    try:
        for selector, pattern, replacement in SAME:
            senders = SENDERS.format(packages=packages, selector=selector)
            names = answer(client, "evaluate", expression=senders, max_characters=100000).strip("'")
            only = re.findall(r"\S+(?: class)?>>\S+", names)[:50]
            preview = previewed(client, pattern, replacement, *only)
            assert len(only) == 50
            assert "in 50 methods in " in preview, pattern
        assert outcomes(client) == before
    finally:
        answer(client, "undo_change", to=mark)
    assert outcomes(client) == before
    assert differences(client) == ""
