"""Methods are compared by what they do, not by the names of their variables or their layout."""

from pathlib import Path

import pytest

from pharo_api.copied import LEAST, fingerprint, long_methods, write_table
from pharo_api.small_projects import class_file, method, write_package

LONG = (
    "\t| sum count |\n\tsum := count := 0.\n"
    "\taCollection do: [ :each | sum := sum + each. count := count + 1 ].\n"
    "\tcount = 0 ifTrue: [ ^ self error: 'There are no elements' ].\n\t^ sum / count"
)
RENAMED = (
    '\t| total n |\n\n\t"The mean."\n\ttotal := n := 0.\n\tnumbers do: [ :one |\n\t\ttotal := total + one.\n'
    "\t\tn := n + 1 ].\n\tn = 0\n\t\tifTrue: [ ^ self error: 'There are no elements' ].\n\t^ total / n"
)


def prints(root: Path, pattern: str, body: str) -> list[bytes]:
    """The fingerprints of a method that a class has."""
    folder = write_package(root, {"Foo.class.st": class_file(method(pattern, body))})
    return [each.fingerprint for each in long_methods([folder])]


def test_names_comments_and_layout_do_not_make_another_method(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    ours = prints(tmp_path / "ours", "Foo >> meanOf: numbers", RENAMED)
    assert ours == prints(tmp_path / "theirs", "Foo >> meanOf: aCollection", LONG)
    assert len(ours) == 1


@pytest.mark.parametrize(
    ("old", "new"), [("count + 1", "count + 2"), ("do:", "reverseDo:"), ("sum /", "count /")]
)
def test_another_selector_literal_or_variable_is_another_method(old: str, new: str) -> None:
    assert fingerprint("meanOf: aCollection ", LONG) != fingerprint(
        "meanOf: aCollection ", LONG.replace(old, new)
    )


def test_a_short_method_does_not_count(tmp_path: Path) -> None:
    assert prints(tmp_path, "Foo >> meanOf: numbers", "\t^ numbers average") == []
    assert len("^ numbers average") < LEAST


def test_a_table_holds_methods_of_the_classes_that_both_have(tmp_path: Path) -> None:
    for name in ("theirs", "ours"):
        (tmp_path / name).mkdir()
    other = class_file(method("Bar >> meanOf: aCollection", LONG), "Bar")
    theirs = write_package(
        tmp_path / "theirs",
        {"Foo.class.st": class_file(method("Foo >> meanOf: aCollection", LONG)), "Bar.class.st": other},
    )
    ours = write_package(tmp_path / "ours", {"Foo.class.st": class_file("^ arg")})
    table = tmp_path / "table"
    assert write_table(table, [theirs], [ours]) == 1
    assert table.read_bytes() == fingerprint("meanOf: aCollection ", " ".join(LONG.split()))
