"""The import table of ARCHITECTURE.md, held against the code."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRONT_END = ROOT / "src" / "pharo_mcp"
STAND_IN = ROOT / "src" / "pharo_standin"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.M)


def words(cell: str) -> set[str]:
    """The names in a cell of the table; a dash means none."""
    return set(re.findall(r"\w+", cell))


TABLE = {
    package: (words(ours), words(outside))
    for package, ours, outside in ROW.findall((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
}
MODULES = sorted(FRONT_END.rglob("*.py"))


def package_of(module: Path) -> str:
    """The row of the table that a module belongs to."""
    return module.relative_to(FRONT_END).parts[0].removesuffix(".py")


def imports(module: Path) -> Iterator[tuple[str, int]]:
    """Every absolute name that a module imports, with its line; relative imports made absolute."""
    package = module.relative_to(ROOT / "src").parent.parts
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module=name, level=0):
                yield name or "", node.lineno
            case ast.ImportFrom(module=name, level=level):
                above = package[: len(package) - level + 1]
                yield ".".join([*above, *filter(None, [name])]), node.lineno


def crossings(module: Path) -> Iterator[str]:
    """What a module imports against the table, in sentences."""
    mine = package_of(module)
    ours, outside = TABLE[mine]
    for name, line in imports(module):
        where = f"{module.relative_to(ROOT)}:{line}"
        top, *rest = name.split(".")
        if top == "pharo_mcp":
            if rest and rest[0] not in ours | {mine}:
                yield f"{where}: {mine} may not import {name}"
            if len(rest) > 1 and rest[0] != mine:
                yield f"{where}: import from pharo_mcp.{rest[0]}, not from its modules ({name})"
        elif top not in outside and top not in sys.stdlib_module_names:
            yield f"{where}: {mine} may not import {name}"


def test_every_package_has_its_row() -> None:
    assert {package_of(module) for module in MODULES} - {"__init__"} == set(TABLE)


@pytest.mark.parametrize(
    "module", [module for module in MODULES if module.parent != FRONT_END], ids=lambda path: path.stem
)
def test_a_module_imports_only_what_its_row_allows(module: Path) -> None:
    assert list(crossings(module)) == []


def test_httpx_and_tenacity_are_imported_by_one_module() -> None:
    importers = {
        module.relative_to(FRONT_END).as_posix()
        for module in MODULES
        for name, _ in imports(module)
        if name.split(".")[0] in {"httpx", "tenacity"}
    }
    assert importers == {"image/http.py"}


def test_the_stand_in_and_the_front_end_do_not_import_each_other() -> None:
    assert not [
        name for module in STAND_IN.rglob("*.py") for name, _ in imports(module) if "pharo_mcp" in name
    ]
    assert not [name for module in MODULES for name, _ in imports(module) if "pharo_standin" in name]


def test_the_stand_in_knows_nothing_of_the_companion() -> None:
    sources = [path for path in STAND_IN.rglob("*") if path.suffix in {".py", ".st"}]
    assert sources
    assert not [path for path in sources if re.search(r"\bT?Pmc|PharoMcp", path.read_text("utf-8"))]


def test_nothing_is_canned_for_an_expression() -> None:
    """The front end never looks at what an expression says."""
    suspicious = re.compile(r"3 \+ 4|1/0|OrderedCollection")
    offering = [path for path in MODULES if path.parent.name in {"tools", "image", "server", "app"}]
    assert not [path for path in offering if suspicious.search(path.read_text("utf-8"))]
