"""The data: rows of names, made from sources, the same each time."""

import gzip
import json
from pathlib import Path

import pytest

from pharo_api.classes import COLUMNS, ClassInfo, Side, from_row, to_row
from pharo_api.index_maker import Source, make_index
from pharo_api.pharo_version import INDEXED, data_file, pharo_version
from pharo_api.small_projects import class_file, method, write_package

PROPERTIES = {
    "name": "Bar",
    "super": "Object",
    "instvars": ["size"],
    "classvars": [],
    "classinstvars": [],
    "pools": [],
}


def write_filetree(root: Path) -> None:
    """A package in the FileTree format, with one class."""
    folder = root / "Old.package" / "Bar.class"
    (folder / "instance").mkdir(parents=True)
    (folder / "properties.json").write_text(json.dumps(PROPERTIES), "utf-8")
    (folder / "instance" / "at.put..st").write_text("accessing\nat: key put: value\n\t^ value", "utf-8")


@pytest.mark.parametrize("version", INDEXED)
def test_the_data_name_their_source_and_their_columns(version: str) -> None:
    with gzip.open(data_file(version), "rt", encoding="utf-8") as stream:
        heading = stream.readline().rstrip("\n")
    assert heading.startswith(f"# Pharo {version}: ")
    assert heading.endswith(f"; columns: {COLUMNS}")


def test_a_class_and_its_row_hold_the_same() -> None:
    for info in list(pharo_version("13").classes.values())[::100]:
        assert from_row(to_row(info)) == info


def test_an_index_is_made_of_both_formats(tmp_path: Path) -> None:
    source = class_file(method("Foo >> one", "\t^ 1") + method("Foo class >> make", "\t^ self new"))
    write_package(tmp_path, {"Foo.class.st": source})
    write_filetree(tmp_path)
    classes = make_index(tmp_path / "index", "Pharo 0: two packages", [Source("here", tmp_path)])
    assert sorted(classes) == ["Bar", "Foo"]
    assert classes["Foo"].selectors == {Side.INSTANCE: {"one"}, Side.CLASS: {"make"}}
    assert classes["Bar"].selectors[Side.INSTANCE] == {"at:put:"}
    assert (classes["Bar"].package, classes["Bar"].instance_variables) == ("Old", {"size"})
    written = gzip.decompress((tmp_path / "index").read_bytes()).decode().splitlines()
    assert [from_row(row) for row in written[1:]] == sorted(classes.values(), key=lambda info: info.package)


def test_extensions_are_added_to_their_class_whichever_is_read_first(tmp_path: Path) -> None:
    extension = "Extension { #name : 'Foo' }\n\n" + method("Foo >> two", "\t^ 2", "*Pkg")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    write_package(tmp_path / "a", {"Foo.extension.st": extension})
    write_package(tmp_path / "b", {"Foo.class.st": class_file(method("Foo >> one", "\t^ 1"))})
    for order in ("ab", "ba"):
        classes = make_index(tmp_path / "index", "", [Source(each, tmp_path / each) for each in order])
        assert classes["Foo"].selectors[Side.INSTANCE] == {"one", "two"}
        assert classes["Foo"].origin == "b"


def test_the_same_names_give_the_same_bytes(tmp_path: Path) -> None:
    write_filetree(tmp_path)
    files = [tmp_path / "first", tmp_path / "second"]
    for file in files:
        make_index(file, "Pharo 0", [Source("here", tmp_path)])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_tests_of_test_packages_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "Foo-Tests"
    folder.mkdir()
    source = method("FooTest >> testOne", "\t^ 1") + method("FooTest >> helper", "\t^ 1")
    (folder / "package.st").write_text("Package { #name : 'Foo-Tests' }\n", "utf-8")
    (folder / "FooTest.class.st").write_text(class_file(source, "FooTest"), "utf-8")
    classes = make_index(tmp_path / "index", "", [Source("here", tmp_path)])
    assert classes["FooTest"].selectors[Side.INSTANCE] == {"helper"}


def test_a_class_that_is_only_extended_is_not_known() -> None:
    assert not ClassInfo("Foo").is_known
