"""Reading Tonel, old and new."""

from pathlib import Path

import pytest

from pharo_practice.tonel.reader import TonelError, files_in, read_file, read_files, read_text

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

{ #category : 'it\\'s {odd}' }
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
    assert (second.is_meta, second.selector, second.protocol) == (False, "+", "it's {odd}")
    assert second.source.endswith("\"]\" '['")


def test_the_older_form_is_read() -> None:
    definition = read_text(OLD, "Greeter.class.st")
    assert definition.names("instVars") == ["a"]
    assert [(method.selector, method.protocol) for method in definition.methods] == [
        ("name:suffix:", "accessing")
    ]


HEAD = "Class { #name : 'Foo' }\n\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Clazz { }", "Foo.st:1: Class, Trait, Extension or Package expected"),
        ("\n\n  Clazz { }", "Foo.st:3: Class, Trait, Extension or Package expected"),
        ("", "Foo.st:1: Class, Trait, Extension or Package expected"),
        ("Class\n\n\n", "Foo.st:4: '{' expected"),
        ("Class { #name 'Foo' }", "Foo.st:1: ':' expected"),
        ("Class {\n#name :\n\n}", "Foo.st:4: a value expected"),
        ("Class {\n#name : 'a'\n\n#type : 'b' }", "Foo.st:4: ',' or '}' expected"),
        ("Class {\n#a : [ 'a',\n\n'b' ", "Foo.st:4: ',' or ']' expected"),
        ("Class {\n3 : 'a' }", "Foo.st:2: a name expected"),
        ("Class {\n#name : 'it''s' }", "Foo.st:2: a quote in a string is written \\', not ''"),
        ("Class {\n#name :\n 'never ends }", "Foo.st:3: the end of this string is missing"),
        ("Class {\n#name : '\\q' }", "Foo.st:2: \\q is not an escape in a string"),
        ("Class {\n#name : '\\u12' }", "Foo.st:2: \\u is not an escape in a string"),
        ("Class {\n#name : '\\ud800' }", "Foo.st:2: half of a surrogate pair in a string"),
        ("Class {\n#a : " + "[" * 60, "Foo.st:2: nested too deeply (more than 50 levels)"),
        (HEAD + "\nFoo >> bar [\n\t^ [ 3\n]", "Foo.st:4: the method's closing bracket is missing"),
        (HEAD + "\nFoo >> bar [ ^ 'never ends ]", "Foo.st:4: the method's closing bracket is missing"),
        (HEAD + "\n\nzork", "Foo.st:5: a method expected"),
        (HEAD + "{ #category : 'a' }\n\n\nzork", "Foo.st:6: a method expected"),
        (HEAD + "{ #category : }\n\nFoo >> a [ ]", "Foo.st:3: a value expected"),
        (HEAD + "Foo >> a", "Foo.st:3: a method with its pattern and [ expected"),
        (HEAD + "Foo >> at: put: [ ]", "Foo.st:3: a method with its pattern and [ expected"),
        (HEAD + "Foo >> [ ^ 3 ]", "Foo.st:3: a method with its pattern and [ expected"),
        (HEAD + "Foo nonsense >> a [ ^ 3 ]", "Foo.st:3: a method expected"),
    ],
)
def test_invalid_tonel_is_reported_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(TonelError) as caught:
        read_text(text, "Foo.st")
    assert str(caught.value) == complaint


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"'it\'s'", "it's"),
        (r"'\\'", "\\"),
        (r"'\u00e9\uD83D\uDE00'", "é😀"),
        (r"'\n\t\r\b\f\/\"'", '\n\t\r\b\f/"'),
        ("'} { [ ] :'", "} { [ ] :"),
        ("'a\nb'", "a\nb"),
        ("\"double 'quotes'\"", "double 'quotes'"),
        ("#symbol", "symbol"),
        ("#Kernel-Classes.v1/a_b", "Kernel-Classes.v1/a_b"),
        ("#'any symbol:'", "any symbol:"),
        ("true", True),
        ("nil", None),
        ("-12", -12),
        ("1.5e3", 1500.0),
        ("[ ]", []),
        ("[ 'a' , #b, [3] ]", ["a", "b", [3]]),
        ("{ #a : { } , 'b' : 3 }", {"a": {}, "b": 3}),
    ],
)
def test_properties_are_ston(written: str, value: object) -> None:
    assert read_text(f"Class {{\n\t#name : 'Foo',\n\t#a : {written}\n}}", "Foo.st").properties["a"] == value


def test_the_lines_of_properties_are_known() -> None:
    definition = read_text(NEW, "Greeter.class.st")
    assert definition.location("superclass") == "Greeter.class.st:6"
    assert definition.location("tag") == "Greeter.class.st:14"
    assert definition.others == {}


def test_methods_of_other_classes_are_known_with_their_lines() -> None:
    definition = read_text(HEAD + "Bar >> a [ ]\n\nFoo >> a [ ]\n\nBar class >> b [ ]", "Foo.st")
    assert definition.others == {"Bar": 3}
    assert [(each.class_name, each.is_meta) for each in definition.methods] == [
        ("Bar", False),
        ("Foo", False),
        ("Bar", True),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "^ #( [ )",
        "^ #( a #( ] [ [ ) $) ') ]' [ )",
        '^ #( ") [" )',
        "^ #[ 1 2 ] , #foo",
        "^ $[",
        "^ '[' , \"[\" ''",
        "^ [ :x | { x. [ ] } ]",
    ],
)
def test_brackets_in_literals_and_comments_do_not_end_a_method(body: str) -> None:
    [method] = read_text(f"{HEAD}Foo >> bar [\n\t{body}\n]\n", "Foo.st").methods
    assert method.source == f"bar\n\t{body}"


def test_files_are_utf_8_with_any_line_ends_and_perhaps_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "Foo.class.st"
    file.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode() + "Foo >> a [\r^ 'é'\r]".encode())
    assert [each.source for each in read_file(file).methods] == ["a\n^ 'é'"]


def test_what_is_not_utf_8_is_reported_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "Foo.class.st"
    file.write_bytes(HEAD.encode() + b"Foo >> a [ ^ '\xe9' ]")
    with pytest.raises(TonelError, match=r"Foo.class.st:3: not UTF-8 \(byte 16rE9\)"):
        read_file(file)


def test_every_file_that_is_not_tonel_is_reported(tmp_path: Path) -> None:
    for name in ("A.class.st", "B.class.st"):
        (tmp_path / name).write_text("nonsense")
    (tmp_path / "package.st").write_text(HEAD)
    (tmp_path / "C.class.st").mkdir()
    with pytest.raises(TonelError) as caught:
        read_files(files_in(tmp_path))
    assert [fault.replace(f"{tmp_path}/", "") for fault in caught.value.faults] == [
        "A.class.st:1: Class, Trait, Extension or Package expected",
        "B.class.st:1: Class, Trait, Extension or Package expected",
        "C.class.st: Is a directory",
        "package.st:1: Package expected, not Class",
    ]


def test_only_tonel_files_that_are_not_hidden_belong_to_a_package(tmp_path: Path) -> None:
    for name in ("A.class.st", "._A.class.st", "README.md", "package.st"):
        (tmp_path / name).write_text(HEAD)
    assert [Path(file).name for file in files_in(tmp_path)] == ["A.class.st", "package.st"]
