"""One session of a client with a practice image of its own, for the examples that call tools."""

from collections.abc import Iterator

import pytest

from programs import Client, environment


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client as a reader of the pages has it, whose practice image has just been started."""
    with Client("--practice", env=environment(tmp_path_factory.mktemp("home"))) as client:
        client.shake_hands()
        yield client
