"""Projects of a few lines, and what is found in them."""

from collections.abc import Mapping
from pathlib import Path

from pharo_api.findings import Findings
from pharo_api.pharo_version import VERSIONS, pharo_version
from pharo_api.project_check import check_project
from pharo_api.tonel_reader import tonel_files

PACKAGE = "Package { #name : 'Pkg' }\n"


def class_file(
    source: str, name: str = "Foo", superclass: str = "Object", extra: str = "", kind: str = "Class"
) -> str:
    """A Tonel file with these methods; a source without a pattern is the body of one, ``run: arg``."""
    if ">>" not in source:
        source = method(f"{name} >> run: arg", source)
    inherits = f"\t#superclass : '{superclass}',\n" if kind == "Class" else ""
    return (
        f'"\nA comment.\n"\n{kind} {{\n'
        f"\t#name : '{name}',\n{inherits}{extra}\t#category : 'Pkg',\n\t#package : 'Pkg'\n}}\n\n{source}"
    )


def method(pattern: str, body: str, protocol: str = "accessing") -> str:
    """A method as it is written in Tonel; the pattern names the class."""
    return f"{{ #category : '{protocol}' }}\n{pattern} [\n{body}\n]\n"


def write_package(root: Path, files: Mapping[str, str]) -> Path:
    """The folder of a package with these files."""
    folder = root / "Pkg"
    folder.mkdir()
    for name, text in {"package.st": PACKAGE, **files}.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def check(root: Path, files: str | Mapping[str, str], allowed: frozenset[str] = frozenset()) -> list[str]:
    """What is found in some files, or in a class with this method, in all versions."""
    several = {"Foo.class.st": class_file(files)} if isinstance(files, str) else files
    versions = [pharo_version(number) for number in VERSIONS]
    return short_lines(check_project(tonel_files(write_package(root, several)), versions, allowed))


def short_lines(findings: Findings) -> list[str]:
    """Findings without file and hint: ``line:column: severity: message [versions]``."""
    return [
        f"{each.line}:{each.column}: {each.severity}: {each.message} [{','.join(shown.versions)}]"
        for each, shown in sorted(findings.found.items(), key=lambda item: item[0])
    ]


def assert_are(found: list[str], *parts: str) -> None:
    """Assert that each finding has its part, and that there are no others."""
    assert len(found) == len(parts), found
    assert [part for part, text in zip(parts, found, strict=True) if part not in text] == [], found
