"""Definitions, packages, builders and navigation of the practice image."""

from __future__ import annotations

import pytest

from practice_evaluation import Evaluate

MADE = (
    "(Trait << #TPracticeSample slots: { #kept }; package: 'Practice-Sample') install",
    """(Object << #PracticeSample
        slots: { #first. #second };
        sharedVariables: { #Shared };
        tag: 'Things';
        package: 'Practice-Sample') install""",
    """(PracticeSample << #PracticeUser
        traits: { TPracticeSample };
        slots: { #own };
        package: 'Practice-Sample') install""",
    "(ByteArray << #PracticeBytes layout: ByteLayout; package: 'Practice-Sample') install",
    """(Object << #PracticeMany
        slots: { #a. #b. #c. #d. #e. #f. #g. #h. #i };
        package: 'Practice-Sample') install""",
    "(Object class << PracticeMany class slots: { #only }) install",
)


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> None:
    for source in MADE:
        evaluate(source)


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("Point", "Object << #Point\n\tslots: { #x . #y };\n\ttag: 'BasicObjects';\n\tpackage: 'Kernel'"),
        ("Point class", "Object class << Point class\n\tslots: {}"),
        (
            "PracticeSample",
            "Object << #PracticeSample\n\tslots: { #first . #second };\n\tsharedVariables: { #Shared };\n"
            "\ttag: 'Things';\n\tpackage: 'Practice-Sample'",
        ),
        (
            "PracticeUser",
            "PracticeSample << #PracticeUser\n\ttraits: {TPracticeSample};\n\tslots: { #own };\n"
            "\tpackage: 'Practice-Sample'",
        ),
        ("TPracticeSample", "Trait << #TPracticeSample\n\tslots: { #kept };\n\tpackage: 'Practice-Sample'"),
        (
            "PracticeBytes",
            "ByteArray << #PracticeBytes\n\tlayout: ByteLayout;\n\tslots: {};\n\tpackage: 'Practice-Sample'",
        ),
        (
            "PracticeMany",
            "Object << #PracticeMany\n\tslots: {\n\t\t\t"
            + ".\n\t\t\t".join(f" #{name} " for name in "abcdefghi")
            + "};\n\tpackage: 'Practice-Sample'",
        ),
        ("PracticeMany class", "Object class << PracticeMany class\n\tslots: { #only }"),
        ("ProtoObject", "nil << #ProtoObject\n\tslots: {};\n\ttag: 'Objects';\n\tpackage: 'Kernel'"),
        ("ProtoObject class", "Class class << ProtoObject class\n\tslots: {}"),
    ],
)
def test_a_definition_reads_as_in_pharo(evaluate: Evaluate, name: str, definition: str) -> None:
    assert str(evaluate(f"{name} definitionString")).replace("\r", "\n") == definition


def test_a_definition_makes_what_it_describes(evaluate: Evaluate) -> None:
    source = """
    | definition |
    definition := PracticeSample definitionString.
    (Smalltalk compiler evaluate: definition) install == PracticeSample
        and: [ PracticeSample definitionString = definition ]
    """
    assert evaluate(source) is True


def test_a_changed_class_keeps_its_instances(evaluate: Evaluate) -> None:
    source = """
    | instance |
    instance := PracticeSample basicNew.
    instance instVarNamed: 'second' put: 2.
    (Object << #PracticeSample slots: { #third. #second }; package: 'Practice-Sample') install.
    { instance instVarNamed: 'second'. instance instVarNamed: 'third' }
    """
    assert evaluate(source) == [2, None]


def test_a_class_may_not_have_any_name(evaluate: Evaluate) -> None:
    assert evaluate("[ Object << #lower ] on: Error do: [ :error | error class name ]") == "InvalidGlobalName"


def test_a_package_has_a_name(evaluate: Evaluate) -> None:
    define = (
        "[ (Object << #PracticeNameless package: '') install ] on: Error do: [ :error | error messageText ]"
    )
    assert evaluate(define) == "Cannot have empty or nil package name."


def test_an_anonymous_class_is_in_no_package(evaluate: Evaluate) -> None:
    assert evaluate("Object newAnonymousSubclass package isUndefined") is True
    assert evaluate("Object newAnonymousSubclass package name") == "_UnpackagedPackage"


def test_a_package_knows_its_classes_and_tags(evaluate: Evaluate) -> None:
    package = "(self packageOrganizer packageNamed: 'Practice-Sample')"
    assert evaluate(f"{package} name") == "Practice-Sample"
    assert evaluate(f"{package} definedClasses includes: PracticeSample") is True
    assert evaluate(f"{package} tagNames") == ["Things", "Uncategorized"]
    assert evaluate("PracticeSample package name") == "Practice-Sample"
    assert evaluate("PracticeSample packageTag name") == "Things"
    assert evaluate("PracticeUser packageTag isRoot") is True


def test_a_package_is_the_same_object_each_time(evaluate: Evaluate) -> None:
    assert evaluate("PracticeSample package == PracticeUser package") is True


def test_a_package_knows_the_methods_it_adds_to_others(evaluate: Evaluate) -> None:
    source = """
    self packageOrganizer ensurePackage: 'Practice-Extending'.
    Object compile: 'practiceAdded ^ 1' classified: '*Practice-Extending'.
    (self packageOrganizer packageNamed: 'Practice-Extending') extensionMethods
        collect: [ :each | each selector ]
    """
    assert evaluate(source) == ["practiceAdded"]
    evaluate("(self packageOrganizer packageNamed: 'Practice-Extending') removeFromSystem")
    assert evaluate("3 respondsTo: #practiceAdded") is False


def test_the_methods_that_a_package_adds_to_others_follow_every_change(evaluate: Evaluate) -> None:
    source = """
    | organizer package seen class |
    organizer := self packageOrganizer.
    package := organizer ensurePackage: 'Practice-Extending'.
    seen := OrderedCollection new.
    class := (Object << #PracticeExtended package: 'Practice-Sample') install.
    class compile: 'practiceAdded ^ 1' classified: '*Practice-Extending'.
    seen add: package extensionMethods size.
    class compile: 'practiceAdded ^ 2' classified: '*Practice-Extending'.
    seen add: (package extensionMethods first == (class >> #practiceAdded)).
    (class >> #practiceAdded) protocol: 'testing'.
    seen add: package extensionMethods size.
    class compile: 'practiceMore ^ 1' classified: '*Practice-Extending'.
    package renameTo: #'Practice-Renamed'.
    seen add: (organizer packageNamed: 'Practice-Renamed') extensionMethods size.
    package addClass: class.
    seen add: package extensionMethods size.
    (organizer packageNamed: 'Practice-Sample') addClass: class.
    class compile: 'practiceMore ^ 1' classified: '*Practice-Renamed'.
    seen add: package extensionMethods size.
    class removeSelector: #practiceMore.
    seen add: package extensionMethods size.
    class compile: 'practiceMore ^ 1' classified: '*Practice-Renamed'.
    seen add: package extensionMethods size.
    class removeFromSystem.
    seen add: package extensionMethods size.
    package removeFromSystem.
    seen asArray
    """
    assert evaluate(source) == [1, True, 0, 1, 0, 1, 0, 1, 0]


def test_packages_are_found_whatever_the_case_of_their_letters(evaluate: Evaluate) -> None:
    assert evaluate("(self packageOrganizer packageNamed: 'practice-sample') name") == "Practice-Sample"
    assert evaluate("self packageOrganizer packageNamed: 'nowhere' ifAbsent: [ 'none' ]") == "none"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Object", "Object"),
        ("Object class", "Object class"),
        ("TPracticeSample", "TPracticeSample"),
        ("Nowhere", None),
    ],
)
def test_classes_are_found_by_name(evaluate: Evaluate, name: str, found: str | None) -> None:
    shown = evaluate(f"(Smalltalk globals classOrTraitNamed: '{name}') ifNotNil: [ :class | class name ]")
    assert shown == found


def test_implementors_senders_and_references_are_found(evaluate: Evaluate) -> None:
    evaluate("PracticeSample compile: 'practiceAsked ^ self practiceTold: Socket' classified: 'testing'")
    evaluate("PracticeSample class compile: 'practiceTold: x' classified: 'testing'")
    assert evaluate("(SystemNavigation new allImplementorsOf: #practiceTold:) first printString") == (
        "PracticeSample class>>#practiceTold:"
    )
    assert evaluate("(SystemNavigation new allSendersOf: #practiceTold:) first printString") == (
        "PracticeSample>>#practiceAsked"
    )
    assert (
        evaluate(
            "((SystemNavigation new allReferencesTo: (Smalltalk globals associationAt: #Socket)) collect: "
            "[ :each | each selector ]) includes: #practiceAsked"
        )
        is True
    )


@pytest.mark.parametrize(
    ("source", "is_sender"),
    [
        ("practiceAsking ^ self practiceSent", True),
        ("practiceAsking ^ 3 practiceSent + 4", True),
        ("practiceAsking self foo. ^ (self practiceSent) foo", True),
        ("practiceAsking ^ [ self practiceSent: 3 ]", False),
        ("practiceAsking | practiceSent | ^ practiceSent", False),
        ("practiceAsking: practiceSent ^ practiceSent", False),
        ("practiceAsking ^ 'self practiceSent'", False),
        ('practiceAsking ^ self foo "^ self practiceSent"', False),
        ("practiceAsking ^ #(self practiceSent)", True),
        ("practiceSent ^ self foo", False),
        ("practiceSent ^ super practiceSent", True),
        ("practiceAsking ^ self practiceSentMore", False),
    ],
)
def test_senders_are_found_whether_or_not_they_have_run(
    evaluate: Evaluate, source: str, *, is_sender: bool
) -> None:
    quoted = source.replace("'", "''")
    found = f"""
    | method found |
    method := PracticeSample >> (PracticeSample compile: '{quoted}').
    found := OrderedCollection new.
    2 timesRepeat: [
        found add: ((SystemNavigation new allSendersOf: #practiceSent) includes: method).
        method literals ].
    PracticeSample removeSelector: method selector.
    found asArray
    """
    assert evaluate(found) == [is_sender, is_sender]


def test_a_sum_and_a_difference_of_traits_read_as_they_were_written(evaluate: Evaluate) -> None:
    traits = "TPracticeSample + (TPracticeOther - {#gone})"
    evaluate("(Trait << #TPracticeOther package: 'Practice-Sample') install")
    evaluate(f"(Object << #PracticeSum traits: {traits}; package: 'Practice-Sample') install")
    definition = str(evaluate("PracticeSum definitionString"))
    assert f"traits: {{{traits}}}" in definition
    again = "(Smalltalk compiler evaluate: PracticeSum definitionString) install definitionString"
    assert evaluate(again) == definition
