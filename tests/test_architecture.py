"""The import table of ARCHITECTURE.md, and the order of the packages of the practice image."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRONT_END = ROOT / "src" / "pharo_mcp"
PRACTICE = ROOT / "src" / "pharo_practice"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROOMS = ["reading", "model", "tonel", "machine", "compiling", "primitives"]
"""The packages of the practice image; each imports only itself and those before it."""

ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.M)


def words(cell: str) -> set[str]:
    """The names in a cell of the table; a dash means none."""
    return set(re.findall(r"\w+", cell))


IMAGE_ROOMS = (
    "hints",
    "loading",
    "replies",
    "errors",
    "connection_files",
    "connection",
    "endpoints",
    "images",
)
"""In the order in which they may import each other; the client, its questions and its watch come last."""
SECTION = ARCHITECTURE.split("## Who may import whom")[1].split("## ")[0]
TABLE = {package: (words(ours), words(outside)) for package, ours, outside in ROW.findall(SECTION)}
MODULES = sorted(FRONT_END.rglob("*.py"))


def package_of(module: Path) -> str:
    """The row of the table that a module belongs to."""
    return module.relative_to(FRONT_END).parts[0].removesuffix(".py")


def statements(module: Path) -> Iterator[tuple[str, list[str], int]]:
    """What each import of a module imports from (absolutely), which names, and its line."""
    package = module.relative_to(ROOT / "src").parent.parts
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, [], node.lineno) for alias in names)
            case ast.ImportFrom(module=name, level=level, names=names):
                above = package[: len(package) - level + 1] if level else ()
                source = ".".join([*above, *filter(None, [name])])
                yield source, [alias.name for alias in names], node.lineno


def imports(module: Path) -> Iterator[tuple[str, int]]:
    """Every absolute name that a module imports from, with its line."""
    for source, names, line in statements(module):
        ours = [name for name in names if source == "pharo_mcp" and name in TABLE]
        yield from ((f"{source}.{name}", line) for name in ours)
        if len(ours) < len(names) or not names:
            yield source, line


def name_of(module: Path) -> str:
    """The dotted name under which a module is imported."""
    return ".".join(module.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def dependencies(folder: Path) -> dict[str, set[str]]:
    """The modules of a package that each of its modules imports, those for type checking included."""
    modules = {name_of(module): module for module in folder.rglob("*.py")}
    return {
        name: {
            f"{source}.{each}" if f"{source}.{each}" in modules else source
            for source, names, _ in statements(module)
            for each in names or [""]
        }
        & set(modules) - {name}
        for name, module in modules.items()
    }


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, be it by way of others (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    pending: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        pending.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
            if other in pending:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == order[name]:
            place = pending.index(name)
            group = sorted(pending[place:])
            del pending[place:]
            if len(group) > 1:
                found.append(group)

    for name in graph:
        if name not in order:
            visit(name)
    return found


def room_of(name: str) -> int:
    """Where the room of one of the practice image's modules stands in the order; the top comes last."""
    parts = name.split(".")
    return ROOMS.index(parts[1]) if len(parts) > 1 and parts[1] in ROOMS else len(ROOMS)


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
        elif top not in outside and top not in sys.stdlib_module_names:
            yield f"{where}: {mine} may not import {name}"


def test_every_package_has_its_row() -> None:
    assert {package_of(module) for module in MODULES} - {"__init__"} == set(TABLE)


@pytest.mark.parametrize(
    "module", [module for module in MODULES if package_of(module) in TABLE], ids=lambda path: path.stem
)
def test_a_module_imports_only_what_its_row_allows(module: Path) -> None:
    assert list(crossings(module)) == []


def test_a_row_allows_only_what_is_imported() -> None:
    used: dict[str, set[str]] = {package: set() for package in TABLE}
    for module in MODULES:
        for name, _ in imports(module):
            used.setdefault(package_of(module), set()).add(name.removeprefix("pharo_mcp.").split(".")[0])
    assert {package: (ours | outside) - used[package] for package, (ours, outside) in TABLE.items()} == {
        package: set() for package in TABLE
    }


def test_every_module_at_the_top_of_the_practice_image_is_named() -> None:
    top = sorted(module.stem for module in PRACTICE.glob("*.py") if not module.stem.startswith("__"))
    assert f"(`{'`, `'.join(top)}`)" in ARCHITECTURE


def test_httpx_and_tenacity_are_imported_by_one_module() -> None:
    importers = {
        module.relative_to(FRONT_END).as_posix()
        for module in MODULES
        for name, _ in imports(module)
        if name.split(".")[0] in {"httpx", "tenacity"}
    }
    assert importers == {"image/connection.py"}


def test_an_init_is_a_docstring() -> None:
    """The root's names the version, too."""
    inits = [module for module in MODULES if module.stem == "__init__" and module.parent != FRONT_END]
    assert not [module for module in inits if len(ast.parse(module.read_text("utf-8")).body) != 1]


def test_no_two_classes_have_one_name() -> None:
    statements = [node for module in MODULES for node in ast.parse(module.read_text("utf-8")).body]
    names = Counter(node.name for node in statements if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("folder", [FRONT_END, PRACTICE], ids=lambda path: path.name)
def test_no_modules_import_each_other(folder: Path) -> None:
    assert circles(dependencies(folder)) == []


def test_a_circle_of_imports_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": set()}
    assert circles(graph) == [["a", "b", "c"]]


def test_a_room_of_the_practice_image_imports_no_later_one() -> None:
    assert [
        f"{name} imports {other}"
        for name, others in dependencies(PRACTICE).items()
        for other in others
        if room_of(other) > room_of(name)
    ] == []


def test_every_room_of_the_practice_image_is_in_the_order() -> None:
    assert {module.parent.name for module in PRACTICE.rglob("*/__init__.py")} == set(ROOMS)
    assert f"`{'` → `'.join(ROOMS)}`" in ARCHITECTURE


def test_a_room_of_the_image_client_imports_no_later_one() -> None:
    def rank(name: str) -> int:
        room = name.removeprefix("pharo_mcp.image").strip(".").split(".")[0]
        return IMAGE_ROOMS.index(room) if room in IMAGE_ROOMS else len(IMAGE_ROOMS)

    image = FRONT_END / "image"
    upward = [
        f"{module.relative_to(image)}:{line} imports {name}"
        for module in image.rglob("*.py")
        for name, line in imports(module)
        if name.startswith("pharo_mcp.image.")
        and rank(name) > rank(f"pharo_mcp.image.{module.relative_to(image).with_suffix('').parts[0]}")
    ]
    assert upward == []


def test_the_practice_image_and_the_front_end_do_not_import_each_other() -> None:
    assert not [
        name for module in PRACTICE.rglob("*.py") for name, _ in imports(module) if "pharo_mcp" in name
    ]
    assert not [name for module in MODULES for name, _ in imports(module) if "pharo_practice" in name]


def test_the_practice_image_knows_nothing_of_the_companion() -> None:
    sources = [path for path in PRACTICE.rglob("*") if path.suffix in {".py", ".st"}]
    assert sources
    assert not [path for path in sources if re.search(r"\bT?Pmc|PharoMcp", path.read_text("utf-8"))]


def test_nothing_is_canned_for_an_expression() -> None:
    """The front end never looks at what an expression says."""
    suspicious = re.compile(r"3 \+ 4|1/0|OrderedCollection")
    offering = [path for path in MODULES if package_of(path) in {"tools", "image", "server", "app"}]
    assert not [path for path in offering if suspicious.search(path.read_text("utf-8"))]


def test_the_endpoints_that_need_no_job_are_named() -> None:
    """An endpoint does its work in a job, itself or by a method that it sends, or runs an evaluation."""
    [sentence] = re.findall(r"^The exceptions answer at once or only wait.*$", ARCHITECTURE, re.M)
    alone = set()
    for file in (ROOT / "pharo").glob("*/*Endpoints.class.st"):
        methods = re.findall(r"^\w+ >> (\w+:?).*? \[\n(.*?)^\]", file.read_text("utf-8"), re.M | re.S)
        working = {"run:"} | {selector for selector, code in methods if "inJob" in code}
        for _, code in methods:
            path = re.search(r"^\t<(?:gets|reads|changes): '([^']+)'>", code, re.M)
            sent = re.findall(r"\bself (\w+:?)", code)
            if path and "inJob" not in code and working.isdisjoint(sent):
                alone.add(path[1])
    assert set(re.findall(r"`(/\w+)`", sentence)) == alone


@pytest.mark.parametrize(
    "span", sorted(set(re.findall(r"`([^`\n]+)`", ARCHITECTURE.rpartition("## Kinds")[2])))
)
def test_each_name_in_the_prose_exists(span: str) -> None:
    """Classes of the companion, files and folders, and classes of the front end."""
    if re.fullmatch(r"Pmc\w+", span):
        assert list((ROOT / "pharo").rglob(f"{span}.class.st"))
    elif re.fullmatch(r"(?:\w+/)*\w+\.py|(?:image|tests|src|scripts)/[\w-]+", span):
        assert (ROOT / span).exists() or (FRONT_END / span).exists()
    elif found := re.fullmatch(r"(?:\w+\.)?((?:[A-Z][a-z]+){2,})(?:\.\w+)?", span):
        assert any(f"class {found[1]}" in module.read_text("utf-8") for module in MODULES)
