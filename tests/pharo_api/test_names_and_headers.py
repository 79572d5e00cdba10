"""Variables, globals, headers and protocols."""

from pathlib import Path

import pytest

from pharo_api.allowed import read_allowed
from pharo_api.small_projects import assert_are, check, class_file


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("^ NoSuchClass", ["error: unknown class or global NoSuchClass [12,13,14]"]),
        ("^ colour", ["error: colour is not declared"]),
        ("colour := 1", ["error: colour is not declared"]),
        ("arg := 1", ["error: assignment to the argument arg"]),
        ("| a b | a := 1. ^ 2", ["a is assigned but never read", "b is unused"]),
        ("Transcript := 1. Object := 2", ["assignment to the class Object"]),
        ("| a a | ^ a", ["error: a is declared twice"]),
        ("^ [ :self | 1 ]", ["error: self is reserved"]),
        ("^ [ :arg | arg ]", ["warning: argument arg shadows one of an outer scope"]),
        ("^ arg. ^ 2", ["warning: statements after ^ are never reached"]),
    ],
)
def test_names_have_to_be_declared_and_used(tmp_path: Path, body: str, found: list[str]) -> None:
    assert_are(check(tmp_path, body), *found)


def test_variables_of_the_class_are_known_and_not_shadowed(tmp_path: Path) -> None:
    variables = "\t#instVars : [\n\t\t'size',\n\t\t'#slot => WeakSlot'\n\t],\n\t#classVars : [ 'Default' ],\n"
    body = "| size | size := slot. Default := size. ^ [ :slot | slot ]"
    assert_are(
        check(tmp_path, {"Foo.class.st": class_file(body, extra=variables)}),
        "size shadows a variable",
        "slot shadows a variable",
    )


def test_class_headers_are_checked(tmp_path: Path) -> None:
    text = class_file("^ arg", superclass="NoSuch").replace('"\nA comment.\n"\n', "")
    assert_are(
        check(tmp_path, {"Bar.class.st": text.replace("accessing", "as yet unclassified")}),
        "unknown superclass NoSuch",
        "has no class comment",
        "should be named Foo.class.st",
        "no method category",
    )


ODD = "NoSuchClass fooBarBaz. Date numerator. ^ self fooBarQux"


def test_names_that_are_not_allowed_are_reported(tmp_path: Path) -> None:
    assert len(check(tmp_path, ODD)) == 4


def test_listed_names_are_allowed(tmp_path: Path) -> None:
    file = tmp_path / "allowed"
    names = "# a comment\nNoSuchClass  # loaded later\nfooBarBaz\n#fooBarQux\nDate class>>#numerator\n"
    file.write_text(names, "utf-8")
    assert check(tmp_path, ODD, read_allowed(file)) == []
