"""Lists have one page, which no cursor leads on from."""

import pytest

from server.conversation import Conversation


@pytest.mark.parametrize("cursor", ["2", "", "250", "-250", "x", 250, {}])
@pytest.mark.parametrize(
    "method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]
)
def test_a_cursor_that_no_list_gave_is_refused(talk: Conversation, method: str, cursor: object) -> None:
    assert talk.ask(method, cursor=cursor)["error"]["code"] == -32602


def test_a_cursor_may_be_null(talk: Conversation) -> None:
    assert "result" in talk.ask("tools/list", cursor=None)
