"""Messages that nobody understands are found, others are not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pharo_api.classes import Side
from pharo_api.pharo_version import pharo_version
from pharo_api.small_projects import assert_are, check, class_file, method


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("^ arg fooBarBazQux: 3", ["13:7: error: nobody implements #fooBarBazQux: [12,13,14]"]),
        (
            "self first. super first. ^ arg",
            ["Foo does not understand #first", "Object does not understand #first"],
        ),
        (
            "Date numerator. ZnServer startDefaultOn: 1701. ^ Date today",
            ["Date class does not understand #numerator"],
        ),
        ("^ 3 first", ["SmallInteger does not understand #first"]),
        ("^ 'abc' numerator", ["ByteString does not understand #numerator"]),
        ("^ thisContext numerator", ["Context does not understand #numerator"]),
        (
            "| d | d := Semaphore new. d numerator. ^ d wait",
            ["Semaphore does not understand #numerator"],
        ),
        (
            "^ OrderedCollection new add: 1; numerator; yourself",
            ["OrderedCollection does not understand #numerator"],
        ),
    ],
)
def test_a_known_receiver_has_to_understand_its_messages(tmp_path: Path, body: str, found: list[str]) -> None:
    assert_are(check(tmp_path, body), *found)


@pytest.mark.parametrize(
    "body",
    [
        "| d | d := Semaphore new. d := arg. ^ d numerator",
        "| d | d := Dictionary new. d at: 1 put: 2. ^ d , arg",
        "| s | s := WriteStream on: String new. s nextPutAll: 'a'; print: arg. ^ s contents -> #(1 2) sum",
        "self class name size. Smalltalk globals at: #Foo ifAbsent: [ nil ]",
        "Foo new run: 3. Foo name. Foo subclasses. ^ arg",
        "(Smalltalk at: #NoSuchClass ifAbsent: [ Object ]) perform: #noSuchSelector with: 1",
        "[ arg ] on: Error, ZeroDivide do: [ :e | e return: 1 ]",
    ],
)
def test_messages_that_are_or_may_be_understood_are_not_found(tmp_path: Path, body: str) -> None:
    assert check(tmp_path, body) == []


def test_a_selector_of_one_version_alone_is_found_in_the_other(tmp_path: Path) -> None:
    twelve, thirteen = (pharo_version(each).understood("Object", Side.INSTANCE) for each in ("12", "13"))
    only_now = min(each for each in thirteen.selectors - twelve.selectors if each.isalpha())
    [found] = check(tmp_path, f"^ 3 {only_now}")
    assert found.endswith(f"#{only_now} [12]")


def test_selectors_that_only_subclasses_implement_are_warnings(tmp_path: Path) -> None:
    below = class_file(method("Bar >> onlyBelow", "\t^ self numerator"), "Bar", "Foo")
    assert_are(
        check(tmp_path, {"Foo.class.st": class_file("^ self onlyBelow"), "Bar.class.st": below}),
        "Bar does not understand #numerator",
        "warning: only subclasses of Foo implement #onlyBelow",
    )


def test_selectors_of_traits_are_understood(tmp_path: Path) -> None:
    trait = method("TFoo >> fromTrait", "\t^ self anyOne") + method("TFoo class >> make", "\t^ self new")
    user = class_file(
        "Foo make. self fromTrait. ^ self class make numerator",
        extra="\t#traits : 'TFoo',\n\t#classTraits : 'TFoo classTrait',\n",
    )
    files = {"TFoo.trait.st": class_file(trait, "TFoo", kind="Trait"), "Foo.class.st": user}
    assert check(tmp_path, files) == []


def extending(pattern: str, body: str, protocol: str = "*Pkg") -> Mapping[str, str]:
    """A package that extends Integer, and a class."""
    text = "Extension { #name : 'Integer' }\n\n" + method(f"Integer >> {pattern}", body, protocol)
    return {"Integer.extension.st": text, "Foo.class.st": class_file("^ 3 fooTwice + 3 sqrt")}


def test_the_methods_of_extensions_are_checked_and_understood(tmp_path: Path) -> None:
    files = extending("fooTwice", "\t^ self * 2 + self fooThrice")
    assert_are(check(tmp_path, files), "nobody implements #fooThrice")


def test_an_extension_is_in_the_protocol_of_its_package(tmp_path: Path) -> None:
    files = extending("fooTwice", "\t^ self abs", "math")
    assert_are(check(tmp_path, files), "its category should be '*Pkg'")


def test_an_extension_does_not_replace_a_method_of_pharos(tmp_path: Path) -> None:
    files = {**extending("sqrt", "\t^ self abs"), "Foo.class.st": class_file("^ 3 sqrt")}
    assert_are(check(tmp_path, files), "Integer>>#sqrt replaces a method that exists already [12,13,14]")


def test_a_deprecated_method_is_a_warning(tmp_path: Path) -> None:
    old = method("Bar >> old", "\tself deprecated: 'Use new.'. ^ 3") + method("Bar class >> make", "\t^ 3")
    files = {"Bar.class.st": class_file(old, "Bar"), "Foo.class.st": class_file("^ Bar new old")}
    assert_are(check(tmp_path, files), "warning: Bar>>#old is deprecated [12,13,14]")
