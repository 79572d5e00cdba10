"""Definitions, packages, builders and navigation of the stand-in."""

from __future__ import annotations

import pytest

from standin_evaluation import Evaluate

MADE = (
    "(Trait << #TStandInSample slots: { #kept }; package: 'StandIn-Sample') install",
    """(Object << #StandInSample
        slots: { #first. #second };
        sharedVariables: { #Shared };
        tag: 'Things';
        package: 'StandIn-Sample') install""",
    """(StandInSample << #StandInUser
        traits: { TStandInSample };
        slots: { #own };
        package: 'StandIn-Sample') install""",
    "(ByteArray << #StandInBytes layout: ByteLayout; package: 'StandIn-Sample') install",
    """(Object << #StandInMany
        slots: { #a. #b. #c. #d. #e. #f. #g. #h. #i };
        package: 'StandIn-Sample') install""",
    "(Object class << StandInMany class slots: { #only }) install",
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
            "StandInSample",
            "Object << #StandInSample\n\tslots: { #first . #second };\n\tsharedVariables: { #Shared };\n"
            "\ttag: 'Things';\n\tpackage: 'StandIn-Sample'",
        ),
        (
            "StandInUser",
            "StandInSample << #StandInUser\n\ttraits: {TStandInSample};\n\tslots: { #own };\n"
            "\tpackage: 'StandIn-Sample'",
        ),
        ("TStandInSample", "Trait << #TStandInSample\n\tslots: { #kept };\n\tpackage: 'StandIn-Sample'"),
        (
            "StandInBytes",
            "ByteArray << #StandInBytes\n\tlayout: ByteLayout;\n\tslots: {};\n\tpackage: 'StandIn-Sample'",
        ),
        (
            "StandInMany",
            "Object << #StandInMany\n\tslots: {\n\t\t\t"
            + ".\n\t\t\t".join(f" #{name} " for name in "abcdefghi")
            + "};\n\tpackage: 'StandIn-Sample'",
        ),
        ("StandInMany class", "Object class << StandInMany class\n\tslots: { #only }"),
        ("ProtoObject", "nil << #ProtoObject\n\tslots: {};\n\ttag: 'Objects';\n\tpackage: 'Kernel'"),
        ("ProtoObject class", "Class class << ProtoObject class\n\tslots: {}"),
    ],
)
def test_a_definition_reads_as_in_pharo(evaluate: Evaluate, name: str, definition: str) -> None:
    assert str(evaluate(f"{name} definitionString")).replace("\r", "\n") == definition


def test_a_definition_makes_what_it_describes(evaluate: Evaluate) -> None:
    source = """
    | definition |
    definition := StandInSample definitionString.
    (Smalltalk compiler evaluate: definition) install == StandInSample
        and: [ StandInSample definitionString = definition ]
    """
    assert evaluate(source) is True


def test_a_changed_class_keeps_its_instances(evaluate: Evaluate) -> None:
    source = """
    | instance |
    instance := StandInSample basicNew.
    instance instVarNamed: 'second' put: 2.
    (Object << #StandInSample slots: { #third. #second }; package: 'StandIn-Sample') install.
    { instance instVarNamed: 'second'. instance instVarNamed: 'third' }
    """
    assert evaluate(source) == [2, None]


def test_a_class_may_not_have_any_name(evaluate: Evaluate) -> None:
    assert evaluate("[ Object << #lower ] on: Error do: [ :error | error class name ]") == "InvalidGlobalName"


def test_a_package_knows_its_classes_and_tags(evaluate: Evaluate) -> None:
    package = "(self packageOrganizer packageNamed: 'StandIn-Sample')"
    assert evaluate(f"{package} name") == "StandIn-Sample"
    assert evaluate(f"{package} definedClasses includes: StandInSample") is True
    assert evaluate(f"{package} tagNames") == ["Things", "Uncategorized"]
    assert evaluate("StandInSample package name") == "StandIn-Sample"
    assert evaluate("StandInSample packageTag name") == "Things"
    assert evaluate("StandInUser packageTag isRoot") is True


def test_a_package_is_the_same_object_each_time(evaluate: Evaluate) -> None:
    assert evaluate("StandInSample package == StandInUser package") is True


def test_a_package_knows_the_methods_it_adds_to_others(evaluate: Evaluate) -> None:
    source = """
    self packageOrganizer ensurePackage: 'StandIn-Extending'.
    Object compile: 'standInAdded ^ 1' classified: '*StandIn-Extending'.
    (self packageOrganizer packageNamed: 'StandIn-Extending') extensionMethods
        collect: [ :each | each selector ]
    """
    assert evaluate(source) == ["standInAdded"]
    evaluate("(self packageOrganizer packageNamed: 'StandIn-Extending') removeFromSystem")
    assert evaluate("3 respondsTo: #standInAdded") is False


def test_packages_are_found_whatever_the_case_of_their_letters(evaluate: Evaluate) -> None:
    assert evaluate("(self packageOrganizer packageNamed: 'standin-sample') name") == "StandIn-Sample"
    assert evaluate("self packageOrganizer packageNamed: 'nowhere' ifAbsent: [ 'none' ]") == "none"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Object", "Object"),
        ("Object class", "Object class"),
        ("TStandInSample", "TStandInSample"),
        ("Nowhere", None),
    ],
)
def test_classes_are_found_by_name(evaluate: Evaluate, name: str, found: str | None) -> None:
    shown = evaluate(f"(Smalltalk globals classOrTraitNamed: '{name}') ifNotNil: [ :class | class name ]")
    assert shown == found


def test_implementors_senders_and_references_are_found(evaluate: Evaluate) -> None:
    evaluate("StandInSample compile: 'standInAsked ^ self standInTold: Socket' classified: 'testing'")
    evaluate("StandInSample class compile: 'standInTold: x' classified: 'testing'")
    assert evaluate("(SystemNavigation new allImplementorsOf: #standInTold:) first printString") == (
        "StandInSample class>>#standInTold:"
    )
    assert evaluate("(SystemNavigation new allSendersOf: #standInTold:) first printString") == (
        "StandInSample>>#standInAsked"
    )
    assert (
        evaluate(
            "((SystemNavigation new allReferencesTo: (Smalltalk globals associationAt: #Socket)) collect: "
            "[ :each | each selector ]) includes: #standInAsked"
        )
        is True
    )


def test_a_sum_and_a_difference_of_traits_read_as_they_were_written(evaluate: Evaluate) -> None:
    traits = "TStandInSample + (TStandInOther - {#gone})"
    evaluate("(Trait << #TStandInOther package: 'StandIn-Sample') install")
    evaluate(f"(Object << #StandInSum traits: {traits}; package: 'StandIn-Sample') install")
    definition = str(evaluate("StandInSum definitionString"))
    assert f"traits: {{{traits}}}" in definition
    again = "(Smalltalk compiler evaluate: StandInSum definitionString) install definitionString"
    assert evaluate(again) == definition
