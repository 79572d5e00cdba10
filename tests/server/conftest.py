"""Conversations that end with their test."""

from collections.abc import Iterator

import pytest

from server.conversation import Conversation


@pytest.fixture
def opened() -> Iterator[Conversation]:
    """A conversation in which nothing was said yet."""
    conversation = Conversation()
    yield conversation
    conversation.connection.close()
    conversation.wait_for_the_end()


@pytest.fixture
def talk(opened: Conversation) -> Conversation:
    """A conversation after the newest legacy handshake."""
    opened.shake_hands()
    return opened
