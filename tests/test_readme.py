"""The tests that the README files here name are there, and the tables in them are complete."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
COMPANION = TESTS.parent / "pharo"
README = (TESTS / "README.md").read_text("utf-8")


def test_every_test_that_is_named_exists() -> None:
    """A name that goes on with dots is the beginning of one."""
    named = re.findall(r"`(?:[a-z_]+/)?(test_[a-z_]+(?:\.py)?|Pmc\w+Test)", README)
    files = {file.name: file.read_text("utf-8") for file in TESTS.rglob("test_*.py")}
    there = {*files, *(file.name.partition(".")[0] for file in COMPANION.glob("*Tests/*.class.st"))}
    sources = "\n".join(files.values())
    assert named
    assert not [name for name in named if name not in there and f"def {name}" not in sources]


def test_every_folder_of_tests_is_in_the_table() -> None:
    table = README.partition("| folder |")[2].partition("\n\n")[0]
    named = {
        name for row in re.findall(r"^\| (`.*?`) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)
    }
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert named == folders


def test_every_script_is_in_the_page_for_contributors() -> None:
    page = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8")
    scripts = {
        path.name for path in (TESTS.parent / "scripts").iterdir() if path.is_file() and not path.suffix
    }
    assert not [name for name in sorted(scripts - {"demo"}) if f"scripts/{name}" not in page]


def test_the_readme_says_how_many_classes_the_companion_adds() -> None:
    page = (TESTS.parent / "README.md").read_text("utf-8")
    [about] = re.findall(r"It adds about (\d+) classes", page)
    packages = [folder for folder in COMPANION.glob("PharoMcp-*") if not folder.name.endswith("Tests")]
    classes = [file for folder in packages for file in folder.glob("*.class.st")]
    assert abs(len(classes) - int(about)) < 10
