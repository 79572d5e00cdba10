"""Loading packages: what is loaded, what is skipped, and what is wrong."""

from pathlib import Path

import pytest

from pharo_practice.compiling.compiler import evaluate as run
from pharo_practice.loading import LoadError, load
from pharo_practice.machine.machine import Machine
from practice_evaluation import Evaluate, Signalling

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


def a_class(name: str, superclass: str = "'Object'", more: str = "") -> str:
    """A class definition; what ``more`` says is on line 4."""
    return f"Class {{\n\t#name : '{name}',\n\t#superclass : {superclass},\n\t{more}#package : 'Zoo'\n}}\n"


def a_trait(name: str, more: str = "") -> str:
    return f"Trait {{\n\t#name : '{name}',\n\t{more}#package : 'Zoo'\n}}\n"


def package(name: str, **files: str) -> dict[str, str]:
    """The files of a package; those of classes and of traits by their names."""
    kinds = {each: "trait" if text.startswith("Trait") else "class" for each, text in files.items()}
    return {
        f"{name}/package.st": f"Package {{ #name : '{name}' }}",
        **{f"{name}/{each}.{kinds[each]}.st": text for each, text in files.items()},
    }


def refusal(vm: Machine, folder: Path) -> str:
    """Why a folder is not loaded; nothing of it is."""
    before = set(vm.classes), set(vm.packages), set(vm.globals)
    with pytest.raises(LoadError) as caught:
        load(vm, folder)
    assert (set(vm.classes), set(vm.packages), set(vm.globals)) == before
    return str(caught.value).replace(f"{folder}/", "").replace(str(folder), ".")


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
        loaded = load(vm, tmp_path)
        assert [*loaded.lines()] == ["Loaded Loading-One (1 trait) and Loading-Two (2 classes)"]
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
        assert [*load(vm, tmp_path / "One").packages] == ["One"]
        assert evaluate("OneA new printString") == "an OneA"
        assert "OtherA" not in vm.classes
    finally:
        run(vm, "OneA removeFromSystem")


FAULTS = [
    (
        {
            "ZooA": a_class("ZooA", "'ZooB'"),
            "ZooB": a_class("ZooB", "'ZooA'"),
            "ZooC": a_class("ZooC", "'ZooB'"),
        },
        [
            "ZooA.class.st:3: ZooA would inherit from itself",
            "ZooB.class.st:3: ZooB would inherit from itself",
        ],
    ),
    ({"Zoo": a_class("Zoo", "'Zoo'")}, ["Zoo.class.st:3: Zoo would inherit from itself"]),
    (
        {"Magnitude": a_class("Magnitude", "'Integer'")},
        ["Magnitude.class.st:3: Magnitude would inherit from itself"],
    ),
    (
        {
            "TA": a_trait("TA", "#traits : 'TB',"),
            "TB": a_trait("TB", "#traits : 'TC + TA',"),
            "TC": a_trait("TC"),
        },
        ["TA.trait.st:3: TA would use itself", "TB.trait.st:3: TB would use itself"],
    ),
    ({"Zoo": a_class("Zoo", more="#traits : '3 +',")}, ["Zoo.class.st:4: 3 + is not a trait composition"]),
    (
        {"Zoo": a_class("Zoo", more="#traits : '3 zork',")},
        ["Zoo.class.st:4: a trait composition of the practice"],
    ),
    (
        {"Zoo": a_class("Zoo", more="#traits : 'TestAsserter',")},
        ["Zoo.class.st:4: TestAsserter is not a trait"],
    ),
    (
        {"Zoo": a_class("Zoo", more="#classTraits : 'TA classTrait - { 3 }',"), "TA": a_trait("TA")},
        ["Zoo.class.st:4: a selector in a trait composition is a symbol"],
    ),
    (
        {"Zoo": a_class("Zoo", more="#traits : 'TA @ { #a }',"), "TA": a_trait("TA")},
        ["Zoo.class.st:4: an alias in a trait composition is written #new -> #old"],
    ),
    ({"Zoo": a_class("Zoo", "'TA'"), "TA": a_trait("TA")}, ["Zoo.class.st:3: TA is not a class"]),
    ({"Set": a_trait("Set")}, ["Set.trait.st:2: Set is a class in the image"]),
    (
        {"Smalltalk": a_class("Smalltalk")},
        ["Smalltalk.class.st:2: Smalltalk is a global of the image, and not a class"],
    ),
    (
        {"Zoo": "Class {\n\t#superclass : 'Object'\n}"},
        ["Zoo.class.st:1: the name of the class (#name) is missing"],
    ),
    ({"Zoo": "Class {\n\t#name : 'Zoo'\n}"}, ["Zoo.class.st:2: the superclass (#superclass) is missing"]),
    ({"Zoo": a_class("not a name")}, ["Zoo.class.st:2: not a name is not a name of a class"]),
    ({"Zoo": a_class("zoo")}, ["Zoo.class.st:2: zoo is not a name of a class"]),
    (
        {"Zoo": a_class("Zoo", more="#instVars : 'a b',")},
        ["Zoo.class.st:4: #instVars must be a list of names"],
    ),
    ({"Zoo": a_class("Zoo", more="#traits : [ 'TA' ],")}, ["Zoo.class.st:4: #traits must be a text"]),
    (
        {"Zoo": a_class("Zoo", more="#instVars : [ 'a b' ],")},
        ["Zoo.class.st:4: a b is not the name of a variable"],
    ),
    (
        {"Zoo": a_class("Zoo", more="#instVars : [ 'self' ],")},
        ["Zoo.class.st:4: self is not the name of a variable"],
    ),
    (
        {"Zoo": a_class("Zoo", more="#classVars : [ 'A', 'A' ],")},
        ["Zoo.class.st:4: there are two variables A"],
    ),
    ({"Zoo": "Class {\n\n\n\t#name 'Zoo'\n}"}, ["Zoo.class.st:4: ':' expected"]),
    (
        {"Zoo": "\n\nPackage { #name : 'Zoo' }"},
        ["Zoo.class.st:1: Class, Trait or Extension expected, not Package"],
    ),
    ({"Zoo": "\n\nnonsense"}, ["Zoo.class.st:3: Class, Trait, Extension or Package expected"]),
    (
        {"Zoo": a_class("Zoo") + "\n\n\nZoo >> a [\n\t^ [ 3\n]"},
        ["Zoo.class.st:9: the method's closing bracket is missing"],
    ),
]


@pytest.mark.parametrize(("files", "faults"), FAULTS)
def test_what_is_wrong_is_reported_with_file_and_line_and_nothing_is_loaded(
    vm: Machine, tmp_path: Path, files: dict[str, str], faults: list[str]
) -> None:
    write(tmp_path, package("Zoo", **files))
    head, *found = refusal(vm, tmp_path).split("\n  ")
    assert head == "cannot load .; nothing was loaded"
    assert [line for line, _ in zip(found, faults, strict=True) if line.startswith("Zoo/")] == found
    assert [line.startswith(f"Zoo/{fault}") for line, fault in zip(found, faults, strict=True)] == [
        True
    ] * len(faults)


def test_all_that_is_wrong_is_reported_at_once(vm: Machine, tmp_path: Path) -> None:
    write(
        tmp_path,
        package("Zoo", A=a_class("a"), B="Trait { }", C=a_class("C", "'C'")) | package("Zog", D="what"),
    )
    (tmp_path / "Zoo" / "E.class.st").write_bytes(b'\n"\xe9"')
    assert refusal(vm, tmp_path).split("\n  ")[1:] == [
        "Zog/D.class.st:1: Class, Trait, Extension or Package expected",
        "Zoo/E.class.st:2: not UTF-8 (byte 16rE9)",
    ]
    (tmp_path / "Zoo" / "E.class.st").unlink()
    (tmp_path / "Zog" / "D.class.st").unlink()
    assert refusal(vm, tmp_path).split("\n  ")[1:] == [
        "Zoo/A.class.st:2: a is not a name of a class",
        "Zoo/B.trait.st:1: the name of the class (#name) is missing",
        "Zoo/C.class.st:3: C would inherit from itself",
    ]


def test_hidden_files_are_left_alone_as_in_pharo(vm: Machine, tmp_path: Path) -> None:
    write(tmp_path, package("Zoo", ZooA=a_class("ZooA")))
    (tmp_path / "Zoo" / "._ZooA.class.st").write_bytes(b"\0\5\x16\7\xff")
    try:
        assert [*load(vm, tmp_path).lines()] == ["Loaded Zoo (1 class)"]
    finally:
        run(vm, "ZooA removeFromSystem")


EXTENSION_OF_LACKING = "Extension { #name : 'Morph' }\n\n{ #category : '*Zoo' }\nMorph >> zoo [\n\t^ 3\n]\n"
NEEDS = [
    (a_class("Zoo", "'Morph'"), "class Morph (the practice image has none, Pharo may): Zoo/Zoo.class.st:3"),
    (
        a_class("Zoo", more="#traits : 'TZork + (TZork - { #a })',"),
        "trait TZork (the practice image has none, Pharo may): Zoo/Zoo.class.st:4 and 1 more place",
    ),
    (
        a_class("Zoo", more="#instVars : [ 'a', '#cache => WeakSlot' ],"),
        "variables of the kind WeakSlot (the practice image has none, Pharo may): Zoo/Zoo.class.st:4",
    ),
    (
        a_class("Zoo", more="#classVars : [ '#Cache => (OddVariable with: 3)' ],"),
        "variables of the kind OddVariable (the practice image has none, Pharo may): Zoo/Zoo.class.st:4",
    ),
    (
        a_class("Zoo", more="#instVars : [ '#a => LazySlot default: [ 3 ]' ],"),
        "variables of the kind LazySlot (the practice image has none, Pharo may): Zoo/Zoo.class.st:4",
    ),
    (
        a_class("Zoo", more="#type : #zork,"),
        "the layout zork (the practice image has none, Pharo may): Zoo/Zoo.class.st:4",
    ),
    (
        a_class("Zoo", more="#pools : [ 'FreeTypeConstants' ],"),
        "the pool FreeTypeConstants (the practice image has none, Pharo may): Zoo/Zoo.class.st:4",
    ),
    (EXTENSION_OF_LACKING, "class Morph (the practice image has none, Pharo may): Zoo/Zoo.class.st:1"),
    (
        a_class("Zoo") + "\nColor >> zoo [\n\t^ 3\n]\n",
        "class Color (the practice image has none, Pharo may): Zoo/Zoo.class.st:7",
    ),
]


@pytest.mark.parametrize(("text", "need"), NEEDS)
def test_what_a_package_needs_and_the_practice_image_lacks_is_named(
    vm: Machine, tmp_path: Path, text: str, need: str
) -> None:
    write(tmp_path, package("Zoo", Zoo=text))
    lines = ["cannot load .; nothing was loaded", "Zoo needs", f"  {need}"]
    assert refusal(vm, tmp_path) == "\n  ".join(lines)


def test_packages_that_need_what_is_lacking_are_skipped_with_those_that_need_them(
    vm: Machine, tmp_path: Path
) -> None:
    write(
        tmp_path,
        package("Zoo", ZooA=a_class("ZooA"), TZoo=a_trait("TZoo"))
        | package("Zoo-UI", ZooMorph=a_class("ZooMorph", "'Morph'"), ZooText=a_class("ZooText", "'Text'"))
        | package("Zoo-UI-More", ZooMore=a_class("ZooMore", "'ZooMorph'"))
        | package("Zoo-UI-Tests", ZooMoreTest=a_class("ZooMoreTest", "'ZooMore'"))
        | package("Zoo-Tests", ZooTest=a_class("ZooTest", "'TestCase'")),
    )
    try:
        lines = [line.replace(f"{tmp_path}/", "") for line in load(vm, tmp_path).lines()]
        assert lines == [
            "Loaded Zoo (1 class, 1 trait) and Zoo-Tests (1 class)",
            "Skipped Zoo-UI, which needs",
            "  class Morph (the practice image has none, Pharo may): Zoo-UI/ZooMorph.class.st:3",
            "  class Text (the practice image has none, Pharo may): Zoo-UI/ZooText.class.st:3",
            "Skipped Zoo-UI-More, which needs",
            "  class ZooMorph (Zoo-UI is skipped, too): Zoo-UI-More/ZooMore.class.st:3",
            "Skipped Zoo-UI-Tests, which needs",
            "  class ZooMore (Zoo-UI-More is skipped, too): Zoo-UI-Tests/ZooMoreTest.class.st:3",
        ]
        assert {"ZooA", "ZooTest", "TZoo"} <= vm.classes.keys()
        assert vm.classes.keys().isdisjoint({"ZooMorph", "ZooText", "ZooMore", "ZooMoreTest"})
    finally:
        run(vm, "{ ZooA. ZooTest. TZoo } do: #removeFromSystem")


def test_a_folder_without_package_file_is_named(vm: Machine, tmp_path: Path) -> None:
    write(tmp_path, package("Zoo", ZooA=a_class("ZooA")) | {"Zog/ZogA.class.st": a_class("ZogA")})
    skipped = f"Skipped {tmp_path}/Zog: it has no package.st, so it is not a package"
    try:
        assert [*load(vm, tmp_path).lines()] == ["Loaded Zoo (1 class)", skipped]
    finally:
        run(vm, "ZooA removeFromSystem")
    with pytest.raises(LoadError) as caught:
        load(vm, tmp_path / "Zog")
    assert str(caught.value) == f"no Tonel package in {tmp_path}/Zog\n{skipped}"


def test_packages_one_folder_below_are_pointed_to(vm: Machine, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    write(tmp_path / "src", package("Zoo", ZooA=a_class("ZooA")))
    assert refusal(vm, tmp_path) == "no Tonel package in . (there are some in src)"


def test_a_plain_slot_may_be_written_as_one(vm: Machine, tmp_path: Path, evaluate: Evaluate) -> None:
    more = "#instVars : [ '#a => InstanceVariableSlot', '#b', 'c' ],"
    write(tmp_path, package("Zoo", ZooA=a_class("ZooA", more=more)))
    try:
        load(vm, tmp_path)
        assert evaluate("ZooA instVarNames") == ["a", "b", "c"]
    finally:
        run(vm, "ZooA removeFromSystem")


def test_traits_may_be_listed_in_an_array(vm: Machine, tmp_path: Path, evaluate: Evaluate) -> None:
    files = {
        "TA": a_trait("TZooA"),
        "TB": a_trait("TZooB"),
        "Zoo": a_class("Zoo", more="#traits : '{ TZooA. TZooB }',"),
    }
    write(tmp_path, package("Zoo", **files))
    try:
        load(vm, tmp_path)
        assert evaluate("Zoo traitCompositionString") == "TZooA + TZooB"
    finally:
        run(vm, "{ Zoo. TZooA. TZooB } do: #removeFromSystem")
