"""Changing classes, methods, protocols and packages of the practice image while they are in use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pharo_practice.machine.machine import Machine
from practice_evaluation import Evaluate, Signalling

PACKAGE = "package: 'Practice-Changing'"
MADE = (
    f"(Object << #PracticeShape slots: {{ #a. #b }}; {PACKAGE}) install",
    f"(PracticeShape << #PracticeSubshape slots: {{ #own }}; {PACKAGE}) install",
    "PracticeShape compile: 'b ^ b' classified: 'accessing'",
    "PracticeShape compile: 'b: x b := x' classified: 'accessing'",
    "PracticeSubshape compile: 'own ^ own' classified: 'accessing'",
)


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> Iterator[None]:
    for source in MADE:
        evaluate(source)
    yield
    evaluate(
        """self packageOrganizer packages
            select: [ :each | each name beginsWith: 'Practice-Chang' ]
            thenDo: [ :each | each removeFromSystem ]"""
    )


def shape(slots: str) -> str:
    return f"(Object << #PracticeShape slots: {{ {slots} }}; {PACKAGE}) install"


@pytest.mark.parametrize("slots", ["#b. #a", "#new. #b", "#a. #new. #b. #more", "#b"])
def test_instances_keep_the_values_of_slots_that_stay(evaluate: Evaluate, slots: str) -> None:
    source = f"""
    | shape sub |
    shape := PracticeShape new b: 2; yourself.
    sub := PracticeSubshape new b: 3; instVarNamed: 'own' put: 4; yourself.
    {shape(slots)}.
    {{ shape b. sub b. sub own. sub class instSize }}
    """
    assert evaluate(source) == [2, 3, 4, slots.count("#") + 1]


def test_instances_are_reshaped_when_their_class_moves_to_another_superclass(evaluate: Evaluate) -> None:
    source = f"""
    | sub |
    sub := PracticeSubshape new instVarNamed: 'own' put: 4; yourself.
    (Object << #PracticeBetween slots: {{ #c }}; {PACKAGE}) install.
    ((Smalltalk globals at: #PracticeBetween) << #PracticeSubshape slots: {{ #own }}; {PACKAGE}) install.
    {{ sub own. sub instVarNamed: 'c'. PracticeShape subclasses asArray.
       sub class superclass subclasses size }}
    """
    assert evaluate(source) == [4, None, [], 1]


def test_class_side_slots_keep_their_values(evaluate: Evaluate) -> None:
    source = """
    PracticeShape class addSlot: (InstanceVariableSlot named: #registry).
    PracticeSubshape instVarNamed: 'registry' put: 1.
    (Object class << PracticeShape class slots: { #first. #registry }) install.
    { PracticeSubshape instVarNamed: 'registry'. PracticeShape class instVarNames }
    """
    assert evaluate(source) == [1, ["first", "registry"]]


def test_slots_and_class_variables_are_added_and_removed_singly(evaluate: Evaluate) -> None:
    source = """
    PracticeShape addInstVarNamed: 'c'; removeInstVarNamed: 'a'; addClassVarNamed: 'Shared'.
    { PracticeShape instVarNames. PracticeShape classVarNames.
      PracticeShape removeClassVarNamed: 'Shared'. PracticeShape classVarNames }
    """
    answer = evaluate(source)
    assert isinstance(answer, list)
    assert (answer[0], answer[1], answer[3]) == (["b", "c"], ["Shared"], [])


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (shape("#a. #a"), "DuplicatedSlotName"),
        (shape("#a. #own"), "DuplicatedSlotName"),
        (f"(PracticeSubshape << #PracticeShape {PACKAGE}) install", "CircularHierarchyError"),
        ("PracticeShape slotNamed: #nowhere", "SlotNotFound"),
        ("PracticeShape rename: #Object", "Error"),
        (
            "self packageOrganizer addPackage: 'Practice-Changing'",
            "PackageConflictError",
        ),
    ],
)
def test_impossible_definitions_are_refused(signalling: Signalling, source: str, error: str) -> None:
    assert signalling(source)[0] == error


def test_a_removed_class_is_undeclared_and_obsolete(evaluate: Evaluate) -> None:
    source = """
    | class instance |
    class := PracticeSubshape.
    instance := class new.
    class removeFromSystem.
    { class name. class isObsolete. instance printString.
      Smalltalk globals includesKey: #PracticeSubshape. PracticeShape subclasses asArray }
    """
    assert evaluate(source) == [
        "AnObsoletePracticeSubshape",
        True,
        "an AnObsoletePracticeSubshape",
        False,
        [],
    ]


def test_names_that_no_method_uses_are_cleaned_out(vm: Machine, evaluate: Evaluate) -> None:
    evaluate("PracticeShape compile: 'other ^ PracticeSubshape' classified: 'testing'")
    evaluate("PracticeSubshape removeFromSystem. Smalltalk image cleanOutUndeclared")
    assert "PracticeSubshape" in vm.undeclared
    evaluate("(PracticeShape >> #other) removeFromSystem. Smalltalk image cleanOutUndeclared")
    assert "PracticeSubshape" not in vm.undeclared


def test_code_that_names_a_removed_class_means_the_new_one_of_that_name(evaluate: Evaluate) -> None:
    evaluate("PracticeShape compile: 'other ^ PracticeSubshape' classified: 'testing'")
    assert evaluate("PracticeShape new other == PracticeSubshape") is True
    evaluate("PracticeSubshape removeFromSystem")
    evaluate(f"(Object << #PracticeSubshape {PACKAGE}) install")
    assert evaluate("PracticeShape new other == PracticeSubshape") is True


def test_a_renamed_class_keeps_its_instances_subclasses_and_references(evaluate: Evaluate) -> None:
    evaluate("PracticeSubshape compile: 'above ^ PracticeShape' classified: 'testing'")
    source = """
    | class instance |
    class := PracticeShape.
    instance := class new.
    class rename: #PracticeForm.
    { instance printString. class class printString. (Smalltalk globals at: #PracticeForm) == class.
      Smalltalk globals includesKey: #PracticeShape. PracticeSubshape superclass name.
      PracticeSubshape new above == class }
    """
    answer = ["a PracticeForm", "PracticeForm class", True, False, "PracticeForm", True]
    assert evaluate(source) == answer


def test_methods_move_between_protocols(evaluate: Evaluate) -> None:
    source = """
    PracticeShape classify: #b under: 'asking'.
    PracticeShape renameProtocol: 'accessing' as: 'telling'.
    { PracticeShape protocolNames asArray sort. (PracticeShape >> #b:) protocolName.
      (PracticeShape >> #b) protocol printString }
    """
    assert evaluate(source) == [["asking", "telling"], "telling", "Protocol (asking) - 1 selector(s)"]


def test_a_protocol_may_be_empty_and_goes_with_its_last_method(evaluate: Evaluate) -> None:
    assert evaluate("PracticeShape addProtocol: 'later'. PracticeShape protocolNames last") == "later"
    source = """
    PracticeShape compile: 'soon' classified: 'later'.
    PracticeShape removeSelector: #soon.
    PracticeShape hasProtocol: #later
    """
    assert evaluate(source) is False


def test_a_method_compiled_again_stays_in_its_protocol(evaluate: Evaluate) -> None:
    assert evaluate("PracticeShape compile: 'b ^ 2'. (PracticeShape >> #b) protocolName") == "accessing"


def test_extensions_belong_to_the_package_their_protocol_begins_with(evaluate: Evaluate) -> None:
    source = """
    self packageOrganizer ensurePackage: 'Practice-Changers'.
    PracticeShape compile: 'first' classified: '*practice-changers-more'.
    PracticeShape compile: 'second' classified: '*Practice-Changing'.
    { (PracticeShape >> #first) package name. (PracticeShape >> #second) protocolName.
      PracticeShape extendingPackages size }
    """
    assert evaluate(source) == ["Practice-Changers", "as yet unclassified", 1]


def test_packages_and_tags_are_made_filled_renamed_and_removed(evaluate: Evaluate) -> None:
    source = """
    | package |
    package := self packageOrganizer ensurePackage: 'Practice-Changeable'.
    package ensureTag: 'LazyBackend'.
    PracticeShape package: 'Practice-Changeable' tag: 'Now'.
    package renameTag: 'Now' to: 'Then'.
    package renameTo: 'Practice-Changed'.
    { package tagNames. PracticeShape package name. PracticeShape packageTag name. PracticeShape category.
      (package removeEmptyTags; tagNames). self packageOrganizer hasPackage: 'Practice-Changeable' }
    """
    answer = [
        ["LazyBackend", "Then"],
        "Practice-Changed",
        "Then",
        "Practice-Changed-Then",
        ["Then"],
        False,
    ]
    assert evaluate(source) == answer


def test_a_removed_package_takes_its_classes_and_extensions_along(evaluate: Evaluate) -> None:
    source = """
    PracticeShape package: 'Practice-Changers'.
    PracticeSubshape compile: 'added' classified: '*Practice-Changers'.
    (self packageOrganizer packageNamed: 'Practice-Changers') removeFromSystem.
    { Smalltalk globals includesKey: #PracticeShape. PracticeSubshape includesSelector: #added }
    """
    assert evaluate(source) == [False, False]


def test_the_class_side_of_a_trait_comes_with_it(evaluate: Evaluate) -> None:
    evaluate(f"(Trait << #TPracticeShape slots: {{ #kept }}; {PACKAGE}) install")
    evaluate("TPracticeShape classTrait compile: 'made ^ 7' classified: 'making'")
    evaluate(f"(Object << #PracticeTraited traits: TPracticeShape; {PACKAGE}) install")
    assert evaluate("{ PracticeTraited made. PracticeTraited instVarNames }") == [7, ["kept"]]
    evaluate("TPracticeShape addInstVarNamed: 'late'")
    assert evaluate("PracticeTraited instVarNames") == ["kept", "late"]


def test_slots_may_be_written_with_their_kind(evaluate: Evaluate) -> None:
    evaluate(shape("#a => InstanceVariableSlot. #b"))
    assert evaluate("PracticeShape instVarNames") == ["a", "b"]


def test_methods_know_what_they_send_read_and_write(evaluate: Evaluate) -> None:
    source = """
    PracticeShape compile: 'sum "adds" ^ b := a + #(1 (#nested)) size' classified: 'testing'.
    { (PracticeShape >> #sum) messages asArray sort. (PracticeShape >> #sum) comment.
      PracticeShape whichSelectorsRead: 'a'. (PracticeShape whichSelectorsWrite: 'b') asArray sort.
      (PracticeShape >> #sum) hasSelector: #nested. #sum implementors notEmpty }
    """
    assert evaluate(source) == [["+", "size"], "adds", ["sum"], ["b:", "sum"], True, True]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("'Object' asClassIfAbsent: [ nil ]", "Object"),
        ("'Nowhere' asClassIfAbsent: [ #none ]", "none"),
        ("'Object' asClassIfPresent: [ :class | class name ]", "Object"),
    ],
)
def test_a_name_is_asked_for_its_class(evaluate: Evaluate, source: str, answer: str) -> None:
    assert evaluate(f"({source}) asString") == answer


def test_a_context_knows_the_temporaries_its_code_can_use(evaluate: Evaluate) -> None:
    assert evaluate(
        """| outer said |
        outer := 1.
        said := OrderedCollection new.
        1 to: 1 do: [ :early | said add: early ].
        1 to: 1 do: [ :index |
            | inner |
            inner := 5.
            #(7) do: [ :each |
                | here |
                here := thisContext.
                here tempNamed: #outer put: 2.
                said addAll: here tempNames.
                said addAll: (#(each index inner outer) collect: [ :name | here tempNamed: name ]).
                said add: ([ here tempNamed: #early ] on: Error do: [ :error | #none ]) ] ].
        said asArray"""
    ) == [1, "outer", "said", "index", "inner", "each", "here", 7, 1, 5, 2, "none"]


def test_a_class_becomes_nothing_else(signalling: Signalling) -> None:
    assert signalling("Object new become: Point")[0] == "PrimitiveFailed"
    assert signalling("Point becomeForward: Rectangle")[0] == "PrimitiveFailed"


@pytest.mark.parametrize(
    "selector", ["ifTrue:", "and:", "or:", "whileTrue", "to:do:", "timesRepeat:", "ifNil:"]
)
def test_selectors_compiled_in_place_have_senders(evaluate: Evaluate, selector: str) -> None:
    evaluate(f"(Object << #PracticeSender {PACKAGE}) install")
    evaluate(
        "PracticeSender compile: 'foo: a (a and: [ a or: [ a ] ]) ifTrue: [ 1 to: 3 do: [ :i | i ] ]. "
        "3 timesRepeat: [ a ifNil: [ ^ 4 ] ]. [ a ] whileTrue'"
    )
    try:
        assert evaluate(f"(PracticeSender >> #foo:) hasSelector: #{selector}") is True
        assert evaluate("(PracticeSender >> #foo:) hasSelector: #ifFalse:") is False
        evaluate("Smalltalk globals flushClassNameCache")
        senders = f"(SystemNavigation default allSendersOf: #{selector})"
        assert evaluate(f"{senders} anySatisfy: [ :each | each methodClass == PracticeSender ]") is True
    finally:
        evaluate("PracticeSender removeFromSystem")


@pytest.mark.parametrize(
    "composition", ["PracticeTrait", "PracticeTraitUser", "PracticeTraitUser + PracticeTrait"]
)
def test_a_trait_does_not_use_itself(evaluate: Evaluate, signalling: Signalling, composition: str) -> None:
    evaluate(f"(Trait << #PracticeTrait {PACKAGE}) install")
    evaluate(f"(Trait << #PracticeTraitUser traits: {{ PracticeTrait }}; {PACKAGE}) install")
    try:
        assert signalling(f"(Trait << #PracticeTrait traits: {composition}; {PACKAGE}) install")[0] == "Error"
        assert evaluate("PracticeTrait class compile: 'make ^ self new'. PracticeTraitUser traits size") == 1
    finally:
        evaluate("{ PracticeTraitUser. PracticeTrait } do: [ :each | each removeFromSystem ]")


def test_a_context_in_a_loop_stands_where_the_loop_is(evaluate: Evaluate) -> None:
    source = """| process |
        process := [ | n | n := 1. n := n + 1. [ true ] whileTrue ] forkAt: 30.
        (Delay forMilliseconds: 2) wait.
        [ process suspendedContext primSourcePosition ] ensure: [ process terminate ]"""
    where = evaluate(source)
    assert isinstance(where, list)
    assert source[where[0] - 1 : where[1]] in ("true", "[ true ] whileTrue")


def test_subclasses_come_level_by_level(evaluate: Evaluate) -> None:
    assert evaluate(
        "(Collection allSubclasses first: Collection subclasses size) asArray = Collection subclasses asArray"
    )


@pytest.fixture
def gone(evaluate: Evaluate) -> Iterator[None]:
    """A class that names itself and answers a pragma was made and removed, the names of classes known."""
    evaluate(f"(Object << #PracticeGone {PACKAGE}) install")
    evaluate("PracticeGone class compile: 'practiceGone <practiceGone> ^ PracticeGone'")
    evaluate("Smalltalk globals flushClassNameCache; allBehaviors. PracticeGone removeFromSystem")
    yield
    evaluate("Smalltalk at: #PracticeGone ifPresent: [ :class | class removeFromSystem ]")
    evaluate("Smalltalk globals flushClassNameCache")


KNOWN = "Smalltalk globals allClasses anySatisfy: [ :each | each name = #PracticeGone ]"
PRAGMAS = "(Pragma allNamed: #practiceGone) collect: [ :each | each methodClass name ]"


@pytest.mark.usefixtures("gone")
def test_a_pragma_of_a_removed_class_is_found_as_its_binding_keeps_it(evaluate: Evaluate) -> None:
    assert evaluate(PRAGMAS) == ["AnObsoletePracticeGone class"]
    assert evaluate("(Pragma allNamed: #practiceGone) first method isInstalled") is True
    assert evaluate("Smalltalk globals includesKey: #PracticeGone") is False
    evaluate(f"(Object << #PracticeGone {PACKAGE}) install")
    assert evaluate(PRAGMAS) == []


@pytest.mark.usefixtures("gone")
def test_a_class_made_again_is_missing_among_the_classes_until_their_names_are_flushed(
    evaluate: Evaluate,
) -> None:
    evaluate(f"(Object << #PracticeGone {PACKAGE}) install")
    evaluate("PracticeGone compile: 'practiceGone ^ PracticeGone'")
    for expected in (False, True):
        assert evaluate(KNOWN) is expected
        assert evaluate("(SystemNavigation new allReferencesTo: PracticeGone binding) notEmpty") is expected
        assert evaluate("(SystemNavigation new allImplementorsOf: #practiceGone) notEmpty") is expected
        evaluate("Smalltalk globals flushClassNameCache")


def test_a_class_that_was_named_before_it_was_made_is_missing_likewise(evaluate: Evaluate) -> None:
    evaluate(f"(Object << #PracticeNaming {PACKAGE}) install")
    evaluate("PracticeNaming compile: 'name ^ PracticeGone'")
    evaluate("Smalltalk globals classNames")
    evaluate(f"(Object << #PracticeGone {PACKAGE}) install")
    try:
        assert evaluate(KNOWN) is False
        assert evaluate("(PracticeNaming >> #name) hasLiteral: PracticeGone binding") is True
        evaluate("Smalltalk globals flushClassNameCache")
        assert evaluate(KNOWN) is True
    finally:
        evaluate("{ PracticeNaming. PracticeGone } do: [ :each | each removeFromSystem ]")


def test_the_names_of_classes_are_sorted_and_those_of_traits_among_them(evaluate: Evaluate) -> None:
    evaluate(f"(Trait << #APracticeTrait {PACKAGE}) install")
    try:
        assert (
            evaluate("Smalltalk globals classNames asArray = Smalltalk globals classNames asArray sort")
            is True
        )
        assert evaluate("Smalltalk globals allClasses includes: APracticeTrait") is True
        assert evaluate("Smalltalk globals nonClassNames includes: #Smalltalk") is True
    finally:
        evaluate("APracticeTrait removeFromSystem")


def test_a_trait_builder_is_for_traits(evaluate: Evaluate, signalling: Signalling) -> None:
    assert evaluate("{ (Trait << #TPractice) isTrait. (Object << #Practice) isTrait }") == [True, False]
    assert evaluate("{ (Trait << #TPractice) isClassOrTrait. (Trait << #TPractice) isBehavior }") == [
        True,
        False,
    ]
    evaluate(f"(Trait << #TPractice {PACKAGE}) install")
    try:
        assert signalling("Trait << #TPractice traits: TPractice; install") == (
            "Error",
            "Cyclic Trait composition",
        )
    finally:
        evaluate("TPractice removeFromSystem")
