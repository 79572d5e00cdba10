"""Numbers, where the machine's fast cases meet the slow ones."""

import pytest

from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("3 + 4", "7"),
        ("(1 << 60) class", "LargePositiveInteger"),
        ("((1 << 60) - 1) class", "SmallInteger"),
        ("(0 - (1 << 60)) class", "SmallInteger"),
        ("(-1 - (1 << 60)) class", "LargeNegativeInteger"),
        ("| x | x := SmallInteger maxVal. x := x + 1. x - 1 = SmallInteger maxVal", "true"),
        ("SmallInteger maxVal * SmallInteger maxVal // SmallInteger maxVal = SmallInteger maxVal", "true"),
        ("100 factorial / 98 factorial", "9900"),
        ("7 // -2", "-4"),
        ("-7 \\\\ 2", "1"),
        ("-7 quo: 2", "-3"),
        ("-7 rem: 2", "-1"),
        ("1 / 3 + (2 / 3)", "1"),
        ("1 / 3 + 0.5", "0.8333333333333333"),
        ("(1/2) = 0.5", "true"),
        ("1 = 1.0", "true"),
        ("1 hash = 1.0 hash", "true"),
        ("| x | x := 1.5. x < 2", "true"),
        ("| x | x := 1/2. x < 2", "true"),
        ("| x | x := 3. x >= 3.0", "true"),
        ("3 = nil", "false"),
        ("3 == 3.0", "false"),
        ("1.5 == 1.5", "true"),
        ("(1 << 70) == (1 << 70)", "false"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("1e100 asInteger printString size", "101"),
        (
            "{ 1e15. 1e16. 123456.789. 1000000.0. 0.0001. 0.00001. -0.0. 1.0e-10 }",
            "#(1000000000000000 10000000000000000 123456.789 1.0e6 0.0001 1.0e-5 -0.0 1.0e-10)",
        ),
        (
            "{ Float nan. Float infinity. Float infinity negated }",
            "{Float nan. Float infinity. Float negativeInfinity}",
        ),
        ("3.14s2", "3.14s2"),
        ("1/3s2 + 1", "1.33s2"),
        ("255 printStringBase: 16", "'FF'"),
        ("(2 raisedTo: 100) printString", "'1267650600228229401496703205376'"),
        ("-5 abs max: 3", "5"),
        ("17 between: 3 and: 20", "true"),
        ("5 bitAnd: 3", "1"),
        ("1 bitShift: -1", "0"),
        ("10 gcd: 4", "2"),
        ("3.7 truncated", "3"),
        ("3.5 rounded", "4"),
        ("-3.7 floor", "-4"),
    ],
)
def test_numbers_are_as_in_pharo(printing: Printing, source: str, printed: str) -> None:
    assert printing(source) == printed


@pytest.mark.parametrize(
    ("source", "signalled"),
    [
        ("1 / 0", ("ZeroDivide", "")),
        ("1 // 0", ("ZeroDivide", "")),
        ("1 \\\\ 0", ("ZeroDivide", "")),
        ("1.0 / 0", ("ZeroDivide", "")),
        ("(1/2) / 0", ("ZeroDivide", "")),
        ("1 < nil", None),
        ("1 + nil", None),
        ("Float nan truncated", None),
    ],
)
def test_impossible_arithmetic_is_an_error(
    signalling: Signalling, source: str, signalled: tuple[str, str] | None
) -> None:
    found = signalling(source)
    assert signalled is None or found == signalled


def test_a_shift_beyond_all_memory_is_an_error(signalling: Signalling) -> None:
    assert signalling("1 bitShift: 100000000000")[0] == "OutOfMemory"


def test_a_printed_integer_of_thousands_of_digits_is_exact(evaluate: Evaluate) -> None:
    assert evaluate("(10 raisedTo: 20000) printString size") == 20_001


def test_roots_of_huge_integers_are_found_at_once(evaluate: Evaluate) -> None:
    assert evaluate("(2 raisedTo: 100000) sqrt = (2 raisedTo: 50000)") is True
    assert evaluate("((3 raisedTo: 60000) nthRootTruncated: 3) = (3 raisedTo: 20000)") is True
    assert evaluate("{ 0. 1. 7. 8. -27 } collect: [ :each | each nthRootTruncated: 3 ]") == [0, 1, 1, 2, -3]
