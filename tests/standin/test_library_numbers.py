"""What the practice image answers about numbers beyond bare arithmetic, as Pharo prints it."""

from __future__ import annotations

import pytest

from standin_evaluation import Printing, Signalling

READING = [
    ("Number readFrom: '42'", "42"),
    ("Number readFrom: '-7'", "-7"),
    ("Number readFrom: '3.25'", "3.25"),
    ("Number readFrom: '0.1'", "0.1"),
    ("Number readFrom: '1.5e-3'", "0.0015"),
    ("Number readFrom: '2e10'", "20000000000"),
    ("Number readFrom: '16rFF'", "255"),
    ("Number readFrom: '2r101'", "5"),
    ("Number readFrom: '3.14s2'", "3.14s2"),
    ("Number readFrom: '-0.0'", "-0.0"),
    ("Number readFrom: '12abc'", "12"),
    ("Number readFrom: '3.'", "3"),
    ("Number readFrom: 'x' ifFail: [ #none ]", "#none"),
    ("Integer readFrom: '42'", "42"),
    ("Integer readFrom: 'FF' base: 16", "255"),
    ("NumberParser isNumber: '12.5'", "true"),
    ("NumberParser isNumber: '12x'", "false"),
    ("NumberParser squeezeNumberOutOfString: 'item 42!'", "42"),
    ("Fraction readFrom: '3/4'", "(3/4)"),
    ("Number readFrom: '123456789012345678901234567890'", "123456789012345678901234567890"),
    ("Number readFrom: '1e-2'", "0.01"),
]

PRINTING = [
    ("255 printStringBase: 16", "'FF'"),
    ("255 hex", "'16rFF'"),
    ("255 printStringHex", "'FF'"),
    ("5 printStringBase: 2", "'101'"),
    ("-255 printStringBase: 16", "'-FF'"),
    ("255 printStringRadix: 16", "'16rFF'"),
    ("7 printPaddedWith: $0 to: 3", "'007'"),
    ("1234 printPaddedWith: $0 to: 3", "'1234'"),
    ("10 printStringPadded: 4", "'0010'"),
    ("10 printStringLength: 4", "'  10'"),
    ("1234567 asStringWithCommas", "'1,234,567'"),
    ("-1234 asStringWithCommas", "'-1,234'"),
    ("1990 printStringRoman", "'MCMXC'"),
    ("3.14159 printShowingDecimalPlaces: 2", "'3.14'"),
    ("(1/3) printShowingDecimalPlaces: 3", "'0.333'"),
    ("2 printShowingDecimalPlaces: 2", "'2.00'"),
    ("-1.5 printShowingDecimalPlaces: 1", "'-1.5'"),
    ("1500000 humanReadableSISizeString", "'1.50 MB'"),
    ("10 storeStringBase: 2", "'2r1010'"),
    ("15 asHexDigit", "$F"),
    ("42 displayString", "'42'"),
]

THEORY = [
    ("10 factorial", "3628800"),
    ("0 factorial", "1"),
    ("12 gcd: 18", "6"),
    ("12 lcm: 18", "36"),
    ("97 isPrime", "true"),
    ("91 isPrime", "false"),
    ("1 isPrime", "false"),
    ("60 primeFactors", "#(2 2 3 5)"),
    ("97 primeFactors", "#(97)"),
    ("Integer primesUpTo: 20", "#(2 3 5 7 11 13 17 19)"),
    ("16 sqrt", "4"),
    ("2 sqrt", "1.4142135623730951"),
    ("17 sqrtFloor", "4"),
    ("(10 raisedTo: 40) sqrt", "100000000000000000000"),
    ("(9/4) sqrt", "(3/2)"),
    ("2 raisedTo: 10", "1024"),
    ("2 ** 10", "1024"),
    ("2 raisedTo: -1", "(1/2)"),
    ("7 raisedTo: 100 modulo: 13", "9"),
    ("27 nthRoot: 3", "3"),
    ("28 nthRootTruncated: 3", "3"),
    ("5 squared", "25"),
    ("7 \\\\ 3", "1"),
    ("-7 \\\\ 3", "2"),
    ("-7 // 3", "-3"),
    ("-7 rem: 3", "-1"),
    ("-7 quo: 3", "-2"),
    ("17 % 5", "2"),
    ("6 isDivisibleBy: 3", "true"),
    ("5 even", "false"),
    ("5 odd", "true"),
    ("100 log", "2.0"),
    ("8 log: 2", "3.0"),
    ("100 floorLog: 10", "2"),
    ("0 cos", "1.0"),
    ("10 numberOfCombinationsTaken: 3", "120"),
    ("90 degreeSin", "1.0"),
    ("25 percent", "(1/4)"),
    ("3 closeTo: 3.0000001", "true"),
]

POINTS = [
    ("3 @ 4", "(3@4)"),
    ("3 @ -4", "(3@ -4)"),
    ("(3 @ 4) + 1", "(4@5)"),
    ("(3 @ 4) + (1 @ 1)", "(4@5)"),
    ("2 * (3 @ 4)", "(6@8)"),
    ("(3 @ 4) x", "3"),
    ("(3 @ 4) = (3 @ 4)", "true"),
    ("(3 @ 4) < (5 @ 6)", "true"),
    ("(3 @ 4) transposed", "(4@3)"),
    ("(3 @ 4) dotProduct: (1 @ 2)", "11"),
    ("(1 @ 2) max: (2 @ 1)", "(2@2)"),
    ("(0 @ 0) corner: (10 @ 20)", "(0@0) corner: (10@20)"),
    ("((0 @ 0) extent: (10 @ 20)) area", "200"),
    ("((0 @ 0) corner: (10 @ 20)) containsPoint: (5 @ 5)", "true"),
    ("(0 @ 0) distanceTo: (3 @ 4)", "5"),
]

RANDOM = [
    ("(Random seed: 42) next = (Random seed: 42) next", "true"),
    ("(1 to: 100) allSatisfy: [ :i | (10 atRandom between: 1 and: 10) ]", "true"),
    ("| r | r := Random seed: 7. (1 to: 100) allSatisfy: [ :i | r next >= 0 and: [ r next < 1 ] ]", "true"),
    ("#(1 2 3) includes: #(1 2 3) atRandom", "true"),
    ("(Random seed: 3) nextIntegerBetween: 5 and: 5", "5"),
    ("((1 to: 50) asArray shuffledBy: (Random seed: 1)) asSet size", "50"),
    ("UUID new printString size", "36"),
    ("UUID new = UUID new", "false"),
    (
        "(UUID fromString: '4f6e8a9e-1c1d-4e3a-9b0a-0123456789ab') printString",
        "'4f6e8a9e-1c1d-4e3a-9b0a-0123456789ab'",
    ),
    ("UUID nilUUID", "00000000-0000-0000-0000-000000000000"),
    ("UUID new version", "4"),
]

ERRORS = [
    ("-1 factorial", "Error", "Not valid for negative integers"),
    ("Number readFrom: 'abc'", "Error", "Reading a number failed: a digit between 0 and 9 expected"),
    (
        "Number readFrom: '1r5'",
        "Error",
        "Reading a number failed: an integer greater than 1 as valid radix expected",
    ),
    ("Number readFrom: '1e99999'", "Error", None),
    ("1 to: 5 by: 0", "DomainError", None),
    ("Random new nextInteger: 0", "Error", "Range must be positive"),
    ("256 printHexByteOn: (WriteStream on: '')", "Error", "byte value between 0 and 255 expected"),
]


@pytest.mark.parametrize(("expression", "printed"), READING)
def test_a_number_is_read_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), PRINTING)
def test_a_number_is_written_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), THEORY)
def test_a_number_is_computed_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), POINTS)
def test_a_point_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), RANDOM)
def test_what_is_drawn_by_lot_lies_where_pharo_says(
    printing: Printing, expression: str, printed: str
) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "error_class", "text"), ERRORS)
def test_what_a_number_cannot_do_is_signalled_as_in_pharo(
    signalling: Signalling, expression: str, error_class: str, text: str | None
) -> None:
    signalled, described = signalling(expression)
    assert signalled == error_class
    assert text is None or described == text
