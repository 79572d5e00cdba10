"""Nothing that is sent makes the process crash, hang or answer incorrectly; see `oracle`.

`scripts/soak --lines` plays any number of sessions.
"""

import os
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wire_fuzz.playing import Setup, play
from wire_fuzz.sessions import ENDINGS, session_by
from wire_fuzz.soaking import new_setup, session_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="waits for pipes by select")


@pytest.fixture(scope="module")
def setup() -> Iterator[Setup]:
    with new_setup() as setup:
        yield setup


@settings(
    deadline=None,
    derandomize=True,
    max_examples=8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.randoms(use_true_random=False))
def test_all_requests_are_answered_correctly(setup: Setup, random: Random) -> None:
    play(session_by(random, rounds=1), setup)


@pytest.mark.parametrize("end", ENDINGS)
def test_the_process_ends_correctly(setup: Setup, end: str) -> None:
    play(session_by(Random(f"ends with {end}"), end, rounds=4), setup)


def test_a_session_is_the_same_for_the_same_seed() -> None:
    assert session_of("7", 3) == session_of("7", 3) != session_of("7", 4)
