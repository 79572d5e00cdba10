"""The companion's packages are in an order, and none knows a later one; the first works alone."""

import re
from pathlib import Path

from companion.printing import COMPANION, printed

FACADE = (COMPANION / "PharoMcp-Core" / "PharoMcp.class.st").read_text("utf-8")
BASELINE = (COMPANION / "BaselineOfPharoMcp" / "BaselineOfPharoMcp.class.st").read_text("utf-8")
NAMES = re.compile(r"'(PharoMcp-\w+)'")
PRODUCT = NAMES.findall(FACADE.partition("packageNames [")[2].partition("\n]")[0])
"""The packages without tests, in their order."""
TESTS = [*(f"{name}-Tests" for name in PRODUCT), "PharoMcp-Tests"]
"""A package of tests may use all packages before it in this order, and its own subject."""
TEXT = re.compile(r'"[^"]*"|\'(?:[^\']|\'\')*\'')
SUPERCLASS = re.compile(r"#superclass : '(\w+)'")


def sources(package: str) -> dict[str, str]:
    """The code of each file of a package without comments and strings, but with the superclass."""
    code = {}
    for file in (COMPANION / package).glob("*.*.st"):
        text = file.read_text("utf-8")
        code[file.name] = " ".join([TEXT.sub("''", text), *SUPERCLASS.findall(text)])
    return code


def known_too_early(order: list[str]) -> list[str]:
    """Each name in a package that a later package defines: of a class, or of a method added to a class."""
    later: set[str] = set()
    found = []
    for package in reversed(order):
        code = sources(package)
        for file, text in sorted(code.items()):
            words = set(re.findall(r"\w+:?", text))
            found += [f"{package}: {file} names {name}" for name in sorted(words & later)]
        later |= {file.partition(".")[0] for file in code if not file.endswith(".extension.st")}
        for file, text in code.items():
            if file.endswith(".extension.st"):
                later |= set(re.findall(r">> (\w+:?)", text))
    return found


def test_every_package_is_in_the_order() -> None:
    folders = {folder.name for folder in COMPANION.iterdir() if (folder / "package.st").exists()}
    assert {*PRODUCT, *TESTS, "BaselineOfPharoMcp"} == folders


def test_the_baseline_has_the_same_order() -> None:
    assert NAMES.findall(BASELINE.partition("inOrder [")[2].partition("\n]")[0]) == PRODUCT


def test_no_package_knows_a_later_one() -> None:
    assert not known_too_early(PRODUCT)


def test_no_package_of_tests_knows_a_later_one() -> None:
    order = [name for package in PRODUCT for name in (package, f"{package}-Tests")]
    found = known_too_early([*order, "PharoMcp-Tests"])
    assert not [line for line in found if "Tests: " in line]


def lines_of_code(text: str) -> int:
    """Return the lines in the methods of a file, without blanks, comments, patterns and closing brackets."""
    code = re.sub(r"\$.|'(?:[^']|'')*'|\"[^\"]*\"", lambda part: part[0][:1].strip('"'), text)
    methods = re.split(r"^\{ #category : .*\}$", code, flags=re.MULTILINE)[1:]
    return sum(line.strip() not in ("", "]") for each in methods for line in each.splitlines()) - len(methods)


def test_the_first_package_is_small() -> None:
    files = list((COMPANION / PRODUCT[0]).glob("*.class.st"))
    assert len(files) <= 60
    assert sum(lines_of_code(file.read_text("utf-8")) for file in files) <= 2300


def evaluated_in_core(home: Path, expression: str) -> str:
    """What an expression prints in a practice image that has only the first package."""
    return printed(home, expression, load=COMPANION / PRODUCT[0])


EVALUATION = """
| server headers body request |
server := PmcServer new.
headers := Dictionary newFromPairs: {{
    'host'. '127.0.0.1'. 'content-type'. 'application/json'. 'authorization'. 'Bearer ' , server token hex }}.
body := PmcJsonWriter write: (Dictionary newFromPairs: #( 'expression' '{}' 'onError' '{}' )).
request := PmcRequest new
    method: 'POST'; path: '/evaluate'; headers: headers; body: body utf8Encoded; yourself.
((PmcDispatcher for: server) answer: request) content printString
"""


def test_the_first_package_evaluates_alone(tmp_path: Path) -> None:
    assert "'printString'->'7'" in evaluated_in_core(tmp_path, EVALUATION.format("3 + 4", "report"))


def test_without_the_debugger_an_error_ends_the_evaluation(tmp_path: Path) -> None:
    said = evaluated_in_core(tmp_path, EVALUATION.format("1 / 0", "pause"))
    assert "ZeroDivide" in said
    assert "this image has no PharoMcp-Debugging" in said


def test_an_endpoint_of_another_package_is_said_not_to_be_loaded(tmp_path: Path) -> None:
    refusal = "(PmcRefusal unknownEndpoint: '/search') messageText"
    assert "PharoMcp-Browsing" in evaluated_in_core(tmp_path, refusal)
