"""Classes that stand in for Pharo's have nothing that Pharo's lack."""

from collections.abc import Sequence
from pathlib import Path

from pharo_api.pharo_version import VERSIONS, pharo_version
from pharo_api.small_projects import assert_are, class_file, method, short_lines, write_package
from pharo_api.subset_check import check_subset
from pharo_api.tonel_reader import tonel_files


def beyond(
    root: Path,
    source: str,
    name: str = "Object",
    superclass: str = "ProtoObject",
    numbers: Sequence[str] = VERSIONS,
) -> list[str]:
    """What a class has that Pharo lacks."""
    folder = write_package(root, {f"{name}.class.st": class_file(source, name, superclass)})
    return short_lines(check_subset(tonel_files(folder), [pharo_version(each) for each in numbers]))


def test_selectors_that_pharo_has_are_not_found(tmp_path: Path) -> None:
    both = method("Object >> printString", "\t^ ''") + method("Object class >> new", "\t^ nil")
    assert beyond(tmp_path, both) == []


def test_a_selector_that_pharo_lacks_is_an_error(tmp_path: Path) -> None:
    source = method("Object >> fooBarBaz", "\t^ ''") + method("Object class >> fooBar", "\t^ ''")
    assert_are(
        beyond(tmp_path, source),
        "error: in Pharo, Object does not understand #fooBarBaz [12,13,14]",
        "error: in Pharo, Object class does not understand #fooBar [12,13,14]",
    )


def test_a_primitive_of_our_own_may_have_any_name(tmp_path: Path) -> None:
    assert beyond(tmp_path, method("Object >> primFooBar", "\t^ ''", "private")) == []


def test_a_class_that_pharo_lacks_is_an_error(tmp_path: Path) -> None:
    source = method("FooBar >> foo", "\t^ 3")
    assert_are(beyond(tmp_path, source, "FooBar"), "error: Pharo has no class FooBar [12,13,14]")


def test_a_class_inherits_from_what_it_inherits_from_in_pharo(tmp_path: Path) -> None:
    source = method("Point >> x", "\t^ 3")
    found = beyond(tmp_path, source, "Point", "Collection")
    assert_are(found, "error: Point inherits from Collection, in Pharo from Object [12,13,14]")


def test_classes_of_one_version_are_checked_against_that_version(tmp_path: Path) -> None:
    twelve, thirteen = (pharo_version(each).classes for each in ("12", "13"))
    only_now = next(
        info for name, info in sorted(thirteen.items()) if info.kind == "class" and name not in twelve
    )
    source = method(f"{only_now.name} >> printString", "\t^ ''")
    assert beyond(tmp_path, source, only_now.name, only_now.superclass, ["13"]) == []
