"""Reading Tonel, old and new, and loading it."""

from pathlib import Path

import pytest

from pharo_practice.compiling.evaluation import evaluate as run
from pharo_practice.image import LoadError, load
from pharo_practice.machine.machine import Machine
from pharo_practice.tonel.reader import TonelError, read_text
from practice_evaluation import Evaluate, Signalling

NEW = """\"
I say \"\"hello\"\".
\"
Class {
	#name : 'Greeter',
	#superclass : 'Object',
	#instVars : [
		'name',
		'#other => WeakSlot'
	],
	#classVars : [ 'Count' ],
	#category : 'Greeting-Core',
	#package : 'Greeting',
	#tag : 'Core'
}

{ #category : 'accessing' }
Greeter class >> named: aString [

	^ self new name: aString
]

{ #category : 'it''s odd' }
Greeter >> + other [
	^ ']' , #($] $[) printString , "]" '['
]
"""

OLD = """Class {
	#name : #Greeter,
	#superclass : #Object,
	#instVars : [ #a ],
	#category : #'Greeting-Core'
}

{ #category : #accessing }
Greeter >> name: aString suffix: anotherString [
	^ [ :x | x ] value: aString
]
"""


def test_the_present_form_is_read() -> None:
    definition = read_text(NEW, "Greeter.class.st")
    assert (definition.kind, definition.name) == ("Class", "Greeter")
    assert definition.comment == 'I say "hello".'
    assert definition.names("instVars") == ["name", "#other => WeakSlot"]
    assert definition.text("tag") == "Core"
    first, second = definition.methods
    assert (first.is_meta, first.selector, first.protocol) == (True, "named:", "accessing")
    assert first.source == "named: aString\n\n\t^ self new name: aString"
    assert (second.is_meta, second.selector, second.protocol) == (False, "+", "it's odd")
    assert second.source.endswith("\"]\" '['")


def test_the_older_form_is_read() -> None:
    definition = read_text(OLD, "Greeter.class.st")
    assert definition.names("instVars") == ["a"]
    assert [(method.selector, method.protocol) for method in definition.methods] == [
        ("name:suffix:", "accessing")
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Clazz { }", "expected on line 1"),
        ("Class { #name 'Foo' }", "':' expected"),
        ("Class { #name : 'Foo' }\n\nFoo >> bar [\n\t^ [ 3\n]", "closing bracket is missing"),
        ("Class { #name : 'Foo' }\n\nzork", "Foo.st:1: a method expected"),
    ],
)
def test_invalid_tonel_is_reported_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(TonelError, match=complaint):
        read_text(text, "Foo.st")


FIRST = """Trait {
	#name : 'TLoud',
	#instVars : [ 'volume' ],
	#package : 'Loading-One'
}

{ #category : 'x' }
TLoud >> shout [
	^ self word asUppercase
]

{ #category : 'x' }
TLoud >> word [
	^ 'trait'
]

{ #category : 'x' }
TLoud class >> loudly [
	^ self new shout
]
"""
SECOND = """Class {
	#name : 'Loud',
	#superclass : 'Loudest',
	#traits : 'TLoud - { #word }',
	#classTraits : 'TLoud classTrait',
	#classInstVars : [ 'started' ],
	#package : 'Loading-Two'
}

{ #category : 'x' }
Loud class >> initialize [
	started := Loudest instVarNames size
]

{ #category : 'x' }
Loud class >> started [
	^ started
]

{ #category : 'x' }
Loud >> word [
	^ 'own ' , volume printString
]

{ #category : 'x' }
Loud >> faulty [
	^ 3 +
]
"""
THIRD = """Class {
	#name : 'Loudest',
	#superclass : 'Object',
	#instVars : [ 'one' ],
	#package : 'Loading-Two'
}
"""
EXTENSION = """Extension { #name : 'Integer' }

{ #category : '*Loading-Two' }
Integer >> loudly [
	^ self + 1
]
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_packages_are_loaded_in_any_order(
    vm: Machine, tmp_path: Path, evaluate: Evaluate, signalling: Signalling
) -> None:
    write(
        tmp_path,
        {
            "Loading-Two/package.st": "Package { #name : 'Loading-Two' }",
            "Loading-Two/Loud.class.st": SECOND,
            "Loading-Two/Loudest.class.st": THIRD,
            "Loading-Two/Integer.extension.st": EXTENSION,
            "Loading-One/package.st": "Package { #name : 'Loading-One' }",
            "Loading-One/TLoud.trait.st": FIRST,
        },
    )
    try:
        assert load(vm, tmp_path) == ["Loading-One", "Loading-Two"]
        assert evaluate("Loud loudly") == "OWN NIL"
        assert evaluate("Loud started") == 1
        assert evaluate("Loud allInstVarNames") == ["one", "volume"]
        assert evaluate("{ (Loud >> #shout) origin name. (Loud >> #word) isFromTrait }") == ["TLoud", False]
        assert evaluate("{ 3 loudly. (Integer >> #loudly) package name }") == [4, "Loading-Two"]
        assert signalling("Loud new faulty")[0] == "RuntimeSyntaxError"
    finally:
        run(vm, "Integer removeSelector: #loudly")
        for name in ("Loud", "Loudest", "TLoud"):
            run(vm, f"(Smalltalk globals at: #{name}) removeFromSystem")


def test_loaded_sources_have_the_line_endings_of_the_image(
    vm: Machine, tmp_path: Path, evaluate: Evaluate
) -> None:
    written = """"\nOne.\nTwo.\n"
Class { #name : 'Lines', #superclass : 'Object', #package : 'Lines' }

{ #category : 'accessing' }
Lines >> text [

	^ 'a
b'
]
"""
    write(tmp_path, {"Lines/package.st": "Package { #name : 'Lines' }", "Lines/Lines.class.st": written})
    try:
        load(vm, tmp_path)
        assert evaluate("Lines comment") == "One.\rTwo."
        assert evaluate("(Lines >> #text) sourceCode") == "text\r\r\t^ 'a\rb'"
        assert evaluate("Lines new text") == "a\rb"
    finally:
        run(vm, "Lines removeFromSystem")


def test_loading_reports_what_the_practice_image_lacks(vm: Machine, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Lacking/package.st": "Package { #name : 'Lacking' }",
            "Lacking/A.class.st": "Class { #name : 'LackingA', #superclass : 'Zork', #package : 'Lacking' }",
        },
    )
    with pytest.raises(LoadError, match=r"no class Zork \(Pharo may\)"):
        load(vm, tmp_path)
    vm.classes.pop("LackingA", None)
    vm.globals.pop("LackingA", None)


def test_a_folder_without_packages_is_reported(vm: Machine, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no Tonel package"):
        load(vm, tmp_path)


def test_a_folder_that_is_a_package_is_loaded_alone(vm: Machine, evaluate: Evaluate, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "One/package.st": "Package { #name : 'One' }",
            "One/A.class.st": "Class { #name : 'OneA', #superclass : 'Object', #package : 'One' }",
            "Other/package.st": "Package { #name : 'Other' }",
            "Other/A.class.st": "Class { #name : 'OtherA', #superclass : 'Object', #package : 'Other' }",
        },
    )
    try:
        assert load(vm, tmp_path / "One") == ["One"]
        assert evaluate("OneA new printString") == "an OneA"
        assert "OtherA" not in vm.classes
    finally:
        run(vm, "OneA removeFromSystem")
