"""A model at work: one conversation with all tools, in the image that all tests share."""

from collections.abc import Iterator

import pytest

from programs import Client, LiveImage


@pytest.fixture(scope="module")
def client(image: LiveImage) -> Iterator[Client]:
    """One conversation for the tests of a file."""
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield client
