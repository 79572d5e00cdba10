"""What the practice image announces when code changes, as the process that changes it sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from practice_evaluation import Evaluate

PACKAGE = "package: 'Practice-Announcing'"


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> Iterator[None]:
    evaluate(f"(Object << #PracticeAnnouncing slots: {{ #a }}; {PACKAGE}) install")
    evaluate(f"(PracticeAnnouncing << #PracticeBelow {PACKAGE}) install")
    evaluate("PracticeAnnouncing compile: 'a ^ a' classified: 'accessing'")
    yield
    evaluate("self packageOrganizer removePackage: 'Practice-Announcing'")
    evaluate("self packageOrganizer removePackage: 'Practice-Announced'")


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
    evaluate(f"(Trait << #TPracticeAnnouncing {PACKAGE}) install")
    evaluate(f"(Object << #PracticeAnnouncing traits: {{ TPracticeAnnouncing }}; {PACKAGE}) install")
    names = announced(evaluate, "TPracticeAnnouncing removeFromSystem")
    assert set(names[:-1]) == {"ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"}
    assert names[-1] == "ClassRemoved"
    assert not evaluate("PracticeAnnouncing hasTraitComposition")
    assert not evaluate("PracticeAnnouncing class hasTraitComposition")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (f"(Object << #PracticeAnnouncingNew {PACKAGE}) install", ["ClassAdded"]),
        (
            "(Object << #PracticeAnnouncingNew package: 'Practice-Announced'; tag: 'Tag') install",
            ["PackageAdded", "PackageTagAdded", "ClassAdded"],
        ),
        (
            "(Object << #PracticeAnnouncingNew package: 'Practice-Announced') install",
            ["PackageAdded", "PackageTagAdded", "ClassAdded"],
        ),
        (
            f"(PracticeAnnouncing << #PracticeBelow slots: {{ #b }}; {PACKAGE}) install",
            ["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(Object << #PracticeBelow {PACKAGE}) install",
            ["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(PracticeAnnouncing << #PracticeBelow slots: {{ #b }}; {PACKAGE}; tag: 'Tag') install",
            ["PackageTagAdded", "ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(PracticeAnnouncing << #PracticeBelow {PACKAGE}; tag: 'Tag') install",
            ["PackageTagAdded", "ClassRepackaged"],
        ),
        (
            "(PracticeAnnouncing << #PracticeBelow slots: { #b }) install",
            ["ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (
            f"(Object << #PracticeAnnouncing slots: {{ #a. #b }}; {PACKAGE}) install",
            [*["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"] * 2],
        ),
        (
            f"(Object << #PracticeAnnouncing slots: {{ #a }}; sharedVariables: {{ #B }}; {PACKAGE}) install",
            ["ClassAdded", "ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
        ),
        (f"(Object << #PracticeAnnouncing slots: {{ #a }}; {PACKAGE}) install", []),
        (
            "(Object << #PracticeAnnouncing slots: { #b }; package: 'Practice-Announced') install",
            [
                *["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
                *["PackageAdded", "PackageTagAdded"],
                *["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"],
            ],
        ),
        (
            "PracticeAnnouncing class addInstVarNamed: 'b'",
            [*["ClassAdded", "ClassModifiedClassDefinition", "ClassModificationApplied"] * 2],
        ),
        ("PracticeAnnouncing comment: 'Said.'", ["ClassCommented"]),
        ("PracticeAnnouncing rename: #PracticeAnnouncer", ["ClassRenamed", "ClassParentRenamed"]),
        ("PracticeBelow removeFromSystem", ["ClassRemoved"]),
        (
            "PracticeAnnouncing package: 'Practice-Announced'",
            ["PackageAdded", "PackageTagAdded", "ClassRepackaged"],
        ),
        ("PracticeAnnouncing compile: 'b' classified: 'new'", ["ProtocolAdded", "MethodAdded"]),
        ("PracticeAnnouncing compile: 'a ^ 1'", ["MethodModified"]),
        (
            "PracticeAnnouncing compile: 'a ^ 1' classified: 'new'",
            ["ProtocolAdded", "ProtocolRemoved", "MethodRecategorized", "MethodModified"],
        ),
        (
            "PracticeAnnouncing classify: #a under: 'new'",
            ["ProtocolAdded", "ProtocolRemoved", "MethodRecategorized"],
        ),
        ("PracticeAnnouncing removeSelector: #a", ["ProtocolRemoved", "MethodRemoved"]),
        (
            "PracticeAnnouncing classify: #a under: '*Practice-Announced'",
            ["ProtocolAdded", "ProtocolRemoved", "PackageAdded", "MethodRepackaged", "MethodRecategorized"],
        ),
        (
            "(self packageOrganizer packageNamed: 'Practice-Announcing') renameTo: 'Practice-Announced'",
            ["PackageRenamed"],
        ),
        ("PracticeAnnouncing compileSilently: 'b' classified: 'new'", []),
    ],
)
def test_a_change_is_announced(evaluate: Evaluate, change: str, names: list[str]) -> None:
    assert announced(evaluate, change) == names


def test_an_announcement_shows_what_was_and_what_is(evaluate: Evaluate) -> None:
    source = f"""
    | seen |
    SystemAnnouncer uniqueInstance
        when: ClassModifiedClassDefinition do: [ :each | seen := each ] for: #practice.
    (Object << #PracticeAnnouncing slots: {{ #b }}; {PACKAGE}) install.
    SystemAnnouncer uniqueInstance unsubscribe: #practice.
    {{ seen classAffected == PracticeAnnouncing. seen oldClassDefinition instVarNames.
       seen newClassDefinition instVarNames. seen packagesAffected first name }}
    """
    assert evaluate(source) == [True, ["a"], ["b"], "Practice-Announcing"]


def test_a_modified_method_comes_with_the_old_one(evaluate: Evaluate) -> None:
    source = """
    | seen |
    SystemAnnouncer uniqueInstance when: MethodModified do: [ :each | seen := each ] for: #practice.
    PracticeAnnouncing compile: 'a ^ 2'.
    SystemAnnouncer uniqueInstance unsubscribe: #practice.
    { seen oldMethod sourceCode. seen newMethod sourceCode. seen selector. seen methodAffected protocolName }
    """
    assert evaluate(source) == ["a ^ a", "a ^ 2", "a", "accessing"]
