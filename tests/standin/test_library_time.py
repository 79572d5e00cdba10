"""What the practice image answers about time, as Pharo prints it."""

from __future__ import annotations

import pytest

from standin_evaluation import Printing, Signalling

DURATIONS = [
    ("5 seconds", "0:00:00:05"),
    ("90 minutes", "0:01:30:00"),
    ("2 days", "2:00:00:00"),
    ("1 week", "7:00:00:00"),
    ("1500 milliSeconds", "0:00:00:01.5"),
    ("-90 seconds", "-0:00:01:30"),
    ("5 seconds negated", "-0:00:00:05"),
    ("0.25 seconds", "0:00:00:00.25"),
    ("(3/2) seconds", "0:00:00:01.5"),
    ("1 hour + 30 minutes", "0:01:30:00"),
    ("1 hour - 30 minutes", "0:00:30:00"),
    ("1 hour / 2", "0:00:30:00"),
    ("1 hour / 30 minutes", "2"),
    ("1 minute * 3", "0:00:03:00"),
    ("1 hour > 59 minutes", "true"),
    ("60 seconds = 1 minute", "true"),
    ("1 hour asSeconds", "3600"),
    ("1 second asMilliSeconds", "1000"),
    ("1500 milliSeconds asNanoSeconds", "1500000000"),
    ("90 seconds minutes", "1"),
    ("90 seconds seconds", "30"),
    ("(1 hour + 1 second) humanReadablePrintString", "'1 hour 1 second'"),
    ("Duration zero isZero", "true"),
    ("Duration fromString: '0:01:30:00.5'", "0:01:30:00.5"),
    ("5 seconds asDuration storeString", "'(Duration seconds: 5 nanoSeconds: 0)'"),
]

MOMENTS = [
    (
        "DateAndTime year: 2024 month: 2 day: 29 hour: 12 minute: 30 offset: 0 hours",
        "2024-02-29T12:30:00+00:00",
    ),
    ("DateAndTime fromString: '2024-02-29T12:30:15.25+01:00'", "2024-02-29T12:30:15.25+01:00"),
    ("DateAndTime fromString: '2024-02-29T12:30:15Z'", "2024-02-29T12:30:15+00:00"),
    ("(DateAndTime fromString: '2024-02-29T12:30:15+01:00') asUTC", "2024-02-29T11:30:15+00:00"),
    ("(DateAndTime fromString: '2024-02-29T12:30:15-05:30') hour", "12"),
    ("(DateAndTime fromString: '2024-02-29T23:30:00Z') + 1 hour", "2024-03-01T00:30:00+00:00"),
    ("(DateAndTime fromString: '2024-03-01T00:00:00Z') - 1 second", "2024-02-29T23:59:59+00:00"),
    (
        "(DateAndTime fromString: '2024-03-01T00:00:00Z') - (DateAndTime fromString: '2024-02-28T00:00:00Z')",
        "2:00:00:00",
    ),
    ("(DateAndTime fromString: '2024-02-29T12:00:00Z') dayOfWeekName", "#Thursday"),
    ("(DateAndTime fromString: '2024-02-29T12:00:00Z') monthName", "#February"),
    ("(DateAndTime fromString: '2024-02-29T12:00:00Z') dayOfYear", "60"),
    ("(DateAndTime fromString: '2024-02-29T12:00:00Z') isLeapYear", "true"),
    ("(DateAndTime fromString: '2024-02-29T12:00:00Z') asUnixTime", "1709208000"),
    ("(DateAndTime fromUnixTime: 1709208000) asUTC", "2024-02-29T12:00:00+00:00"),
    (
        "(DateAndTime fromString: '2024-02-29T12:00:00+01:00')"
        " = (DateAndTime fromString: '2024-02-29T11:00:00Z')",
        "true",
    ),
    (
        "(DateAndTime fromString: '2024-02-29T12:00:00Z') < (DateAndTime fromString: '2024-02-29T12:00:01Z')",
        "true",
    ),
    ("(DateAndTime fromString: '2024-02-29T12:30:00Z') midnight", "2024-02-29T00:00:00+00:00"),
    ("DateAndTime unixEpoch", "1970-01-01T00:00:00+00:00"),
    ("DateAndTime epoch", "1901-01-01T00:00:00+00:00"),
    ("(DateAndTime fromString: '2024-02-29T12:30:00Z') asTime", "12:30 pm"),
    ("DateAndTime now - DateAndTime now <= 0 seconds", "true"),
    ("DateAndTime now year > 2023", "true"),
    ("Date year: 2024 month: 2 day: 29", "29 February 2024"),
    ("(Date year: 2024 month: 2 day: 29) addDays: 1", "1 March 2024"),
    ("(Date year: 2024 month: 1 day: 31) addMonths: 1", "29 February 2024"),
    ("(Date year: 2024 month: 2 day: 29) yyyymmdd", "'2024-02-29'"),
    ("(Date year: 2024 month: 3 day: 1) - (Date year: 2024 month: 2 day: 1)", "29:00:00:00"),
    ("(Date year: 2024 month: 2 day: 29) weekday", "#Thursday"),
    ("(Date year: 2024 month: 2 day: 29) next", "1 March 2024"),
    ("(Date year: 2024 month: 3 day: 1) isAfter: (Date year: 2024 month: 2 day: 29)", "true"),
    ("(Date year: 2024 day: 60)", "29 February 2024"),
    ("(Date year: 2024 month: 2 day: 29) = (Date year: 2024 month: 2 day: 29)", "true"),
    ("Time hour: 9 minute: 5 second: 7", "9:05:07 am"),
    ("Time hour: 0 minute: 5 second: 0", "12:05 am"),
    ("(Time hour: 15 minute: 30 second: 0) print24", "'15:30:00'"),
    ("Time fromString: '3:30 pm'", "3:30 pm"),
    ("(Time hour: 9 minute: 5 second: 7) asSeconds", "32707"),
    ("(Time hour: 9 minute: 5 second: 7) < Time noon", "true"),
    ("(Month year: 2024 month: 2) daysInMonth", "29"),
    ("Year isLeapYear: 1900", "false"),
    ("Month indexOfMonth: 'mar'", "3"),
    ("(Time millisecondsToRun: [ 1 + 1 ]) >= 0", "true"),
    ("[ 3 + 4 ] timeToRun < 1 minute", "true"),
    ("Time millisecondClockValue isInteger", "true"),
    ("[ 42 ] valueWithin: 10 seconds onTimeout: [ #late ]", "42"),
    ("[ [ true ] whileTrue ] valueWithin: 30 milliSeconds onTimeout: [ #late ]", "#late"),
]

ERRORS = [
    ("DateAndTime year: 2023 month: 2 day: 29", "DateError", "day is after month ends"),
    ("DateAndTime year: 2023 month: 13 day: 1", "DateError", "There is no 13th month"),
    ("Time hour: 24 minute: 0 second: 0", "TimeError", "An hour must be 23 or less"),
]


@pytest.mark.parametrize(("expression", "printed"), DURATIONS)
def test_a_duration_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), MOMENTS)
def test_a_moment_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "error_class", "text"), ERRORS)
def test_what_no_calendar_has_is_signalled_as_in_pharo(
    signalling: Signalling, expression: str, error_class: str, text: str | None
) -> None:
    assert signalling(expression) == (error_class, text)
