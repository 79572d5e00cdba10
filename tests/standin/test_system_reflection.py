"""Changing classes, methods, protocols and packages of the stand-in while they are in use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from standin_evaluation import Evaluate, Signalling

PACKAGE = "package: 'StandIn-Changing'"
MADE = (
    f"(Object << #StandInShape slots: {{ #a. #b }}; {PACKAGE}) install",
    f"(StandInShape << #StandInSubshape slots: {{ #own }}; {PACKAGE}) install",
    "StandInShape compile: 'b ^ b' classified: 'accessing'",
    "StandInShape compile: 'b: x b := x' classified: 'accessing'",
    "StandInSubshape compile: 'own ^ own' classified: 'accessing'",
)


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> Iterator[None]:
    for source in MADE:
        evaluate(source)
    yield
    evaluate(
        """self packageOrganizer packages
            select: [ :each | each name beginsWith: 'StandIn-Chang' ]
            thenDo: [ :each | each removeFromSystem ]"""
    )


def shape(slots: str) -> str:
    return f"(Object << #StandInShape slots: {{ {slots} }}; {PACKAGE}) install"


@pytest.mark.parametrize("slots", ["#b. #a", "#new. #b", "#a. #new. #b. #more", "#b"])
def test_instances_keep_the_values_of_slots_that_stay(evaluate: Evaluate, slots: str) -> None:
    source = f"""
    | shape sub |
    shape := StandInShape new b: 2; yourself.
    sub := StandInSubshape new b: 3; instVarNamed: 'own' put: 4; yourself.
    {shape(slots)}.
    {{ shape b. sub b. sub own. sub class instSize }}
    """
    assert evaluate(source) == [2, 3, 4, slots.count("#") + 1]


def test_instances_are_reshaped_when_their_class_moves_to_another_superclass(evaluate: Evaluate) -> None:
    source = f"""
    | sub |
    sub := StandInSubshape new instVarNamed: 'own' put: 4; yourself.
    (Object << #StandInBetween slots: {{ #c }}; {PACKAGE}) install.
    ((Smalltalk globals at: #StandInBetween) << #StandInSubshape slots: {{ #own }}; {PACKAGE}) install.
    {{ sub own. sub instVarNamed: 'c'. StandInShape subclasses asArray.
       sub class superclass subclasses size }}
    """
    assert evaluate(source) == [4, None, [], 1]


def test_class_side_slots_keep_their_values(evaluate: Evaluate) -> None:
    source = """
    StandInShape class addSlot: (InstanceVariableSlot named: #registry).
    StandInSubshape instVarNamed: 'registry' put: 1.
    (Object class << StandInShape class slots: { #first. #registry }) install.
    { StandInSubshape instVarNamed: 'registry'. StandInShape class instVarNames }
    """
    assert evaluate(source) == [1, ["first", "registry"]]


def test_slots_and_class_variables_are_added_and_removed_singly(evaluate: Evaluate) -> None:
    source = """
    StandInShape addInstVarNamed: 'c'; removeInstVarNamed: 'a'; addClassVarNamed: 'Shared'.
    { StandInShape instVarNames. StandInShape classVarNames.
      StandInShape removeClassVarNamed: 'Shared'. StandInShape classVarNames }
    """
    answer = evaluate(source)
    assert isinstance(answer, list)
    assert (answer[0], answer[1], answer[3]) == (["b", "c"], ["Shared"], [])


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (shape("#a. #a"), "DuplicatedSlotName"),
        (shape("#a. #own"), "DuplicatedSlotName"),
        (f"(StandInSubshape << #StandInShape {PACKAGE}) install", "CircularHierarchyError"),
        ("StandInShape slotNamed: #nowhere", "SlotNotFound"),
        ("StandInShape rename: #Object", "Error"),
        (
            "self packageOrganizer addPackage: 'StandIn-Changing'",
            "PackageConflictError",
        ),
    ],
)
def test_what_cannot_be_is_refused(signalling: Signalling, source: str, error: str) -> None:
    assert signalling(source)[0] == error


def test_a_removed_class_is_undeclared_and_obsolete(evaluate: Evaluate) -> None:
    source = """
    | class instance |
    class := StandInSubshape.
    instance := class new.
    class removeFromSystem.
    { class name. class isObsolete. instance printString.
      Smalltalk globals includesKey: #StandInSubshape. StandInShape subclasses asArray }
    """
    assert evaluate(source) == ["AnObsoleteStandInSubshape", True, "an AnObsoleteStandInSubshape", False, []]


def test_code_that_names_a_removed_class_means_the_new_one_of_that_name(evaluate: Evaluate) -> None:
    evaluate("StandInShape compile: 'other ^ StandInSubshape' classified: 'testing'")
    assert evaluate("StandInShape new other == StandInSubshape") is True
    evaluate("StandInSubshape removeFromSystem")
    evaluate(f"(Object << #StandInSubshape {PACKAGE}) install")
    assert evaluate("StandInShape new other == StandInSubshape") is True


def test_a_renamed_class_keeps_its_instances_subclasses_and_references(evaluate: Evaluate) -> None:
    evaluate("StandInSubshape compile: 'above ^ StandInShape' classified: 'testing'")
    source = """
    | class instance |
    class := StandInShape.
    instance := class new.
    class rename: #StandInForm.
    { instance printString. class class printString. (Smalltalk globals at: #StandInForm) == class.
      Smalltalk globals includesKey: #StandInShape. StandInSubshape superclass name.
      StandInSubshape new above == class }
    """
    answer = ["a StandInForm", "StandInForm class", True, False, "StandInForm", True]
    assert evaluate(source) == answer


def test_methods_move_between_protocols(evaluate: Evaluate) -> None:
    source = """
    StandInShape classify: #b under: 'asking'.
    StandInShape renameProtocol: 'accessing' as: 'telling'.
    { StandInShape protocolNames asArray sort. (StandInShape >> #b:) protocolName.
      (StandInShape >> #b) protocol printString }
    """
    assert evaluate(source) == [["asking", "telling"], "telling", "Protocol (asking) - 1 selector(s)"]


def test_a_protocol_may_be_empty_and_goes_with_its_last_method(evaluate: Evaluate) -> None:
    assert evaluate("StandInShape addProtocol: 'later'. StandInShape protocolNames last") == "later"
    source = """
    StandInShape compile: 'soon' classified: 'later'.
    StandInShape removeSelector: #soon.
    StandInShape hasProtocol: #later
    """
    assert evaluate(source) is False


def test_a_method_compiled_again_stays_in_its_protocol(evaluate: Evaluate) -> None:
    assert evaluate("StandInShape compile: 'b ^ 2'. (StandInShape >> #b) protocolName") == "accessing"


def test_extensions_belong_to_the_package_their_protocol_begins_with(evaluate: Evaluate) -> None:
    source = """
    self packageOrganizer ensurePackage: 'StandIn-Changers'.
    StandInShape compile: 'first' classified: '*standin-changers-more'.
    StandInShape compile: 'second' classified: '*StandIn-Changing'.
    { (StandInShape >> #first) package name. (StandInShape >> #second) protocolName.
      StandInShape extendingPackages size }
    """
    assert evaluate(source) == ["StandIn-Changers", "as yet unclassified", 1]


def test_packages_and_tags_are_made_filled_renamed_and_removed(evaluate: Evaluate) -> None:
    source = """
    | package |
    package := self packageOrganizer ensurePackage: 'StandIn-Changeable'.
    package ensureTag: 'Later'.
    StandInShape package: 'StandIn-Changeable' tag: 'Now'.
    package renameTag: 'Now' to: 'Then'.
    package renameTo: 'StandIn-Changed'.
    { package tagNames. StandInShape package name. StandInShape packageTag name. StandInShape category.
      (package removeEmptyTags; tagNames). self packageOrganizer hasPackage: 'StandIn-Changeable' }
    """
    answer = [
        ["Later", "Then"],
        "StandIn-Changed",
        "Then",
        "StandIn-Changed-Then",
        ["Then"],
        False,
    ]
    assert evaluate(source) == answer


def test_a_removed_package_takes_its_classes_and_extensions_along(evaluate: Evaluate) -> None:
    source = """
    StandInShape package: 'StandIn-Changers'.
    StandInSubshape compile: 'added' classified: '*StandIn-Changers'.
    (self packageOrganizer packageNamed: 'StandIn-Changers') removeFromSystem.
    { Smalltalk globals includesKey: #StandInShape. StandInSubshape includesSelector: #added }
    """
    assert evaluate(source) == [False, False]


def test_the_class_side_of_a_trait_comes_with_it(evaluate: Evaluate) -> None:
    evaluate(f"(Trait << #TStandInShape slots: {{ #kept }}; {PACKAGE}) install")
    evaluate("TStandInShape classTrait compile: 'made ^ 7' classified: 'making'")
    evaluate(f"(Object << #StandInTraited traits: TStandInShape; {PACKAGE}) install")
    assert evaluate("{ StandInTraited made. StandInTraited instVarNames }") == [7, ["kept"]]
    evaluate("TStandInShape addInstVarNamed: 'late'")
    assert evaluate("StandInTraited instVarNames") == ["kept", "late"]


def test_slots_may_be_written_with_their_kind(evaluate: Evaluate) -> None:
    evaluate(shape("#a => InstanceVariableSlot. #b"))
    assert evaluate("StandInShape instVarNames") == ["a", "b"]


def test_methods_know_what_they_send_read_and_write(evaluate: Evaluate) -> None:
    source = """
    StandInShape compile: 'sum "adds" ^ b := a + #(1 (#nested)) size' classified: 'testing'.
    { (StandInShape >> #sum) messages asArray sort. (StandInShape >> #sum) comment.
      StandInShape whichSelectorsRead: 'a'. (StandInShape whichSelectorsWrite: 'b') asArray sort.
      (StandInShape >> #sum) hasSelector: #nested. #sum implementors notEmpty }
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


def test_two_classes_change_places(evaluate: Evaluate) -> None:
    for name, answer in (("StandInBefore", 1), ("StandInAfter", 2)):
        evaluate(f"(Object << #{name} slots: {{ #value }}; {PACKAGE}) install")
        evaluate(f"(Smalltalk at: #{name}) compile: 'answer ^ {answer}' classified: 'accessing'")
    try:
        assert evaluate(
            """| one |
            one := StandInBefore new.
            StandInBefore become: StandInAfter.
            { one answer. StandInBefore name. StandInBefore new answer. StandInAfter new answer }"""
        ) == [2, "StandInAfter", 2, 1]
        evaluate("StandInBefore become: StandInAfter")
        assert evaluate("StandInBefore new answer") == 1
    finally:
        evaluate("{ StandInBefore. StandInAfter } do: [ :each | each removeFromSystem ]")


def test_a_class_becomes_nothing_else(signalling: Signalling) -> None:
    assert signalling("Object new become: Point")[0] == "PrimitiveFailed"
    assert signalling("Point becomeForward: Rectangle")[0] == "PrimitiveFailed"


@pytest.mark.parametrize(
    "selector", ["ifTrue:", "and:", "or:", "whileTrue", "to:do:", "timesRepeat:", "ifNil:"]
)
def test_selectors_compiled_in_place_have_senders(evaluate: Evaluate, selector: str) -> None:
    evaluate(f"(Object << #StandInSender {PACKAGE}) install")
    evaluate(
        "StandInSender compile: 'foo: a (a and: [ a or: [ a ] ]) ifTrue: [ 1 to: 3 do: [ :i | i ] ]. "
        "3 timesRepeat: [ a ifNil: [ ^ 4 ] ]. [ a ] whileTrue'"
    )
    try:
        assert evaluate(f"(StandInSender >> #foo:) hasSelector: #{selector}") is True
        assert evaluate("(StandInSender >> #foo:) hasSelector: #ifFalse:") is False
        evaluate("Smalltalk globals flushClassNameCache")
        senders = f"(SystemNavigation default allSendersOf: #{selector})"
        assert evaluate(f"{senders} anySatisfy: [ :each | each methodClass == StandInSender ]") is True
    finally:
        evaluate("StandInSender removeFromSystem")


@pytest.mark.parametrize(
    "composition", ["StandInTrait", "StandInTraitUser", "StandInTraitUser + StandInTrait"]
)
def test_a_trait_does_not_use_itself(evaluate: Evaluate, signalling: Signalling, composition: str) -> None:
    evaluate(f"(Trait << #StandInTrait {PACKAGE}) install")
    evaluate(f"(Trait << #StandInTraitUser traits: {{ StandInTrait }}; {PACKAGE}) install")
    try:
        assert signalling(f"(Trait << #StandInTrait traits: {composition}; {PACKAGE}) install")[0] == "Error"
        assert evaluate("StandInTrait class compile: 'make ^ self new'. StandInTraitUser traits size") == 1
    finally:
        evaluate("{ StandInTraitUser. StandInTrait } do: [ :each | each removeFromSystem ]")


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
    evaluate(f"(Object << #StandInGone {PACKAGE}) install")
    evaluate("StandInGone class compile: 'standInGone <standInGone> ^ StandInGone'")
    evaluate("Smalltalk globals flushClassNameCache; allBehaviors. StandInGone removeFromSystem")
    yield
    evaluate("Smalltalk at: #StandInGone ifPresent: [ :class | class removeFromSystem ]")
    evaluate("Smalltalk globals flushClassNameCache")


KNOWN = "Smalltalk globals allClasses anySatisfy: [ :each | each name = #StandInGone ]"
PRAGMAS = "(Pragma allNamed: #standInGone) collect: [ :each | each methodClass name ]"


@pytest.mark.usefixtures("gone")
def test_a_pragma_of_a_removed_class_is_found_as_its_binding_keeps_it(evaluate: Evaluate) -> None:
    assert evaluate(PRAGMAS) == ["AnObsoleteStandInGone class"]
    assert evaluate("(Pragma allNamed: #standInGone) first method isInstalled") is True
    assert evaluate("Smalltalk globals includesKey: #StandInGone") is False
    evaluate(f"(Object << #StandInGone {PACKAGE}) install")
    assert evaluate(PRAGMAS) == []


@pytest.mark.usefixtures("gone")
def test_a_class_made_again_is_missing_among_the_classes_until_their_names_are_flushed(
    evaluate: Evaluate,
) -> None:
    evaluate(f"(Object << #StandInGone {PACKAGE}) install")
    evaluate("StandInGone compile: 'standInGone ^ StandInGone'")
    for expected in (False, True):
        assert evaluate(KNOWN) is expected
        assert evaluate("(SystemNavigation new allReferencesTo: StandInGone binding) notEmpty") is expected
        assert evaluate("(SystemNavigation new allImplementorsOf: #standInGone) notEmpty") is expected
        evaluate("Smalltalk globals flushClassNameCache")


def test_a_class_that_was_named_before_it_was_made_is_missing_likewise(evaluate: Evaluate) -> None:
    evaluate(f"(Object << #StandInNaming {PACKAGE}) install")
    evaluate("StandInNaming compile: 'name ^ StandInGone'")
    evaluate("Smalltalk globals classNames")
    evaluate(f"(Object << #StandInGone {PACKAGE}) install")
    try:
        assert evaluate(KNOWN) is False
        assert evaluate("(StandInNaming >> #name) hasLiteral: StandInGone binding") is True
        evaluate("Smalltalk globals flushClassNameCache")
        assert evaluate(KNOWN) is True
    finally:
        evaluate("{ StandInNaming. StandInGone } do: [ :each | each removeFromSystem ]")


def test_the_names_of_classes_are_sorted_and_those_of_traits_among_them(evaluate: Evaluate) -> None:
    evaluate(f"(Trait << #AStandInTrait {PACKAGE}) install")
    try:
        assert (
            evaluate("Smalltalk globals classNames asArray = Smalltalk globals classNames asArray sort")
            is True
        )
        assert evaluate("Smalltalk globals allClasses includes: AStandInTrait") is True
        assert evaluate("Smalltalk globals nonClassNames includes: #Smalltalk") is True
    finally:
        evaluate("AStandInTrait removeFromSystem")


def test_a_builder_of_traits_says_so(evaluate: Evaluate, signalling: Signalling) -> None:
    assert evaluate("{ (Trait << #TStandIn) isTrait. (Object << #StandIn) isTrait }") == [True, False]
    assert evaluate("{ (Trait << #TStandIn) isClassOrTrait. (Trait << #TStandIn) isBehavior }") == [
        True,
        False,
    ]
    evaluate(f"(Trait << #TStandIn {PACKAGE}) install")
    try:
        assert signalling("Trait << #TStandIn traits: TStandIn; install") == (
            "Error",
            "Cyclic Trait composition",
        )
    finally:
        evaluate("TStandIn removeFromSystem")
