"""What the stand-in announces when code changes, as the process that changes it sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from standin_evaluation import Evaluate

PACKAGE = "package: 'StandIn-Announcing'"


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> Iterator[None]:
    evaluate(f"(Object << #StandInAnnouncing slots: {{ #a }}; {PACKAGE}) install")
    evaluate(f"(StandInAnnouncing << #StandInAnnouncingBelow {PACKAGE}) install")
    evaluate("StandInAnnouncing compile: 'a ^ a' classified: 'accessing'")
    yield
    evaluate("self packageOrganizer removePackage: 'StandIn-Announcing'")
    evaluate("self packageOrganizer removePackage: 'StandIn-Announced'")


def announced(evaluate: Evaluate, change: str) -> list[str]:
    """The names of the classes of what a change announces, in order."""
    source = f"""
    | seen |
    seen := OrderedCollection new.
    SystemAnnouncer uniqueInstance when: Announcement do: [ :each | seen add: each class name ] for: seen.
    [ {change} ] ensure: [ SystemAnnouncer uniqueInstance unsubscribe: seen ].
    seen asArray
    """
    names = evaluate(source)
    assert isinstance(names, list)
    return names


def test_a_trait_that_goes_is_taken_out_of_its_users_first(evaluate: Evaluate) -> None:
    evaluate(f"(Trait << #TStandInAnnouncing {PACKAGE}) install")
    evaluate(f"(Object << #StandInAnnouncing traits: {{ TStandInAnnouncing }}; {PACKAGE}) install")
    names = announced(evaluate, "TStandInAnnouncing removeFromSystem")
    assert set(names[:-1]) == {"ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"}
    assert names[-1] == "ClassRemoved"
    assert not evaluate("StandInAnnouncing hasTraitComposition")
    assert not evaluate("StandInAnnouncing class hasTraitComposition")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (f"(Object << #StandInAnnouncingNew {PACKAGE}) install", ["ClassAdded"]),
        (
            "(Object << #StandInAnnouncingNew package: 'StandIn-Announced'; tag: 'Tag') install",
            ["PackageAdded", "PackageTagAdded", "ClassAdded"],
        ),
        (
            "(Object << #StandInAnnouncingNew package: 'StandIn-Announced') install",
            ["PackageAdded", "PackageTagAdded", "ClassAdded"],
        ),
        (
            f"(StandInAnnouncing << #StandInAnnouncingBelow slots: {{ #b }}; {PACKAGE}) install",
            ["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(Object << #StandInAnnouncingBelow {PACKAGE}) install",
            ["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(StandInAnnouncing << #StandInAnnouncingBelow slots: {{ #b }}; {PACKAGE}; tag: 'Tag') install",
            ["PackageTagAdded", "ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(StandInAnnouncing << #StandInAnnouncingBelow {PACKAGE}; tag: 'Tag') install",
            ["PackageTagAdded", "ClassRepackaged"],
        ),
        (
            "(StandInAnnouncing << #StandInAnnouncingBelow slots: { #b }) install",
            ["ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(Object << #StandInAnnouncing slots: {{ #a. #b }}; {PACKAGE}) install",
            [*["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"] * 2],
        ),
        (
            f"(Object << #StandInAnnouncing slots: {{ #a }}; sharedVariables: {{ #B }}; {PACKAGE}) install",
            ["ClassAdded", "ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (f"(Object << #StandInAnnouncing slots: {{ #a }}; {PACKAGE}) install", []),
        (
            "(Object << #StandInAnnouncing slots: { #b }; package: 'StandIn-Announced') install",
            [
                *["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
                *["PackageAdded", "PackageTagAdded"],
                *["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
            ],
        ),
        (
            "StandInAnnouncing class addInstVarNamed: 'b'",
            [*["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"] * 2],
        ),
        ("StandInAnnouncing comment: 'Said.'", ["ClassCommented"]),
        ("StandInAnnouncing rename: #StandInAnnouncer", ["ClassRenamed", "ClassParentRenamed"]),
        ("StandInAnnouncingBelow removeFromSystem", ["ClassRemoved"]),
        (
            "StandInAnnouncing package: 'StandIn-Announced'",
            ["PackageAdded", "PackageTagAdded", "ClassRepackaged"],
        ),
        ("StandInAnnouncing compile: 'b' classified: 'new'", ["ProtocolAdded", "MethodAdded"]),
        ("StandInAnnouncing compile: 'a ^ 1'", ["MethodModified"]),
        (
            "StandInAnnouncing compile: 'a ^ 1' classified: 'new'",
            ["ProtocolAdded", "ProtocolRemoved", "MethodRecategorized", "MethodModified"],
        ),
        (
            "StandInAnnouncing classify: #a under: 'new'",
            ["ProtocolAdded", "ProtocolRemoved", "MethodRecategorized"],
        ),
        ("StandInAnnouncing removeSelector: #a", ["ProtocolRemoved", "MethodRemoved"]),
        (
            "StandInAnnouncing classify: #a under: '*StandIn-Announced'",
            ["ProtocolAdded", "ProtocolRemoved", "PackageAdded", "MethodRepackaged", "MethodRecategorized"],
        ),
        (
            "(self packageOrganizer packageNamed: 'StandIn-Announcing') renameTo: 'StandIn-Announced'",
            ["PackageRenamed"],
        ),
        ("StandInAnnouncing compileSilently: 'b' classified: 'new'", []),
    ],
)
def test_a_change_is_announced(evaluate: Evaluate, change: str, names: list[str]) -> None:
    assert announced(evaluate, change) == names


def test_an_announcement_shows_what_was_and_what_is(evaluate: Evaluate) -> None:
    source = f"""
    | seen |
    SystemAnnouncer uniqueInstance
        when: ClassModifiedClassDefinition do: [ :each | seen := each ] for: #standIn.
    (Object << #StandInAnnouncing slots: {{ #b }}; {PACKAGE}) install.
    SystemAnnouncer uniqueInstance unsubscribe: #standIn.
    {{ seen classAffected == StandInAnnouncing. seen oldClassDefinition instVarNames.
       seen newClassDefinition instVarNames. seen packagesAffected first name }}
    """
    assert evaluate(source) == [True, ["a"], ["b"], "StandIn-Announcing"]


def test_a_modified_method_comes_with_the_old_one(evaluate: Evaluate) -> None:
    source = """
    | seen |
    SystemAnnouncer uniqueInstance when: MethodModified do: [ :each | seen := each ] for: #standIn.
    StandInAnnouncing compile: 'a ^ 2'.
    SystemAnnouncer uniqueInstance unsubscribe: #standIn.
    { seen oldMethod sourceCode. seen newMethod sourceCode. seen selector. seen methodAffected protocolName }
    """
    assert evaluate(source) == ["a ^ a", "a ^ 2", "a", "accessing"]
