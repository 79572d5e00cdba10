"""Looking up what the image says of itself: its documentation, and how others use a method."""

from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.playing import mark
from scenarios.test_pharo_refactorings import answer

LENDING = """\
"
I keep loans, each until its due date.
"
Object << #Library
    package: 'Lending'

Library >> feeFor: aNumber [
    "Answer the fee for a loan that is late."

    "#( 2 3 ) sum >>> 6"

    ^ aNumber * 2
]

Library >> isOpen [

    ^ (self feeFor: 3) = 6
]
"""


@pytest.fixture(autouse=True)
def lending(client: Client) -> Iterator[None]:
    before = mark(client)
    answer(client, "edit_code", text=LENDING)
    yield
    client.call("undo_change", to=before)


def test_documentation_is_found_by_words_and_its_examples_are_tried(client: Client) -> None:
    found = answer(client, "search", kind="documentation", query="fees of late loans", package="Lending")
    assert found.splitlines() == [
        "1 documented place:",
        "    Library>>feeFor: (Lending): Answer the fee for a loan that is late.",
        "        #( 2 3 ) sum >>> 6 (does not hold here: answers 5)",
    ]


def test_a_use_is_shown_with_its_source(client: Client) -> None:
    used = answer(client, "search", kind="usage", query="feeFor:", package="Lending")
    assert used.splitlines()[:2] == ["1 use:", "    Library>>isOpen (Lending):"]
    assert "^ (self feeFor: 3) = 6" in used
