"""Nothing that is sent on the wire makes the process crash, hang or answer wrongly; see `judge`.

`scripts/soak --lines` plays as many sessions as one likes.
"""

import os
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wire_fuzz.playing import Place, play
from wire_fuzz.sessions import ENDS, session_by
from wire_fuzz.soaking import session_of, somewhere

pytestmark = pytest.mark.skipif(os.name == "nt", reason="waits for pipes by select")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with somewhere() as place:
        yield place


@settings(
    deadline=None,
    derandomize=True,
    max_examples=8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.randoms(use_true_random=False))
def test_whatever_is_sent_is_answered_rightly(place: Place, random: Random) -> None:
    play(session_by(random, rounds=1), place)


@pytest.mark.parametrize("end", ENDS)
def test_whatever_is_sent_the_process_ends_as_it_should(place: Place, end: str) -> None:
    play(session_by(Random(f"ends with {end}"), end, rounds=4), place)


def test_a_session_is_the_same_for_the_same_seed() -> None:
    assert session_of("7", 3) == session_of("7", 3) != session_of("7", 4)
