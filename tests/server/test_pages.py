"""Lists that are too long for one page, and cursors that lead to the next."""

import pytest

from pharo_mcp.protocol.catalog import Catalog, Resource
from server.conversation import Conversation, Workbench

PAGE = 250


class Library(Workbench):
    """Catalog more resources than one page has."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.uris = [f"pharo://book/{number}" for number in range(size)]

    @property
    def catalog(self) -> Catalog:
        """The books."""
        return Catalog(resources=tuple(Resource(uri, "Book", "One.", self.read) for uri in self.uris))


@pytest.mark.parametrize(("size", "pages"), [(0, 1), (PAGE, 1), (PAGE + 1, 2), (2 * PAGE, 2)])
def test_a_list_comes_in_pages_that_hold_everything_once(size: int, pages: int) -> None:
    library = Library(size)
    conversation = Conversation(library)
    conversation.shake_hands()
    listed: list[str] = []
    more: dict[str, str] = {}
    count = 0
    while count == 0 or more:
        result = conversation.ask("resources/list", **more)["result"]
        listed += [resource["uri"] for resource in result["resources"]]
        count += 1
        more = {"cursor": result["nextCursor"]} if "nextCursor" in result else {}
    conversation.end()
    assert (listed, count) == (library.uris, pages)


@pytest.mark.parametrize("cursor", ["2", "", "250", "-250", "x", 250, {}])
@pytest.mark.parametrize(
    "method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]
)
def test_a_cursor_that_no_list_gave_is_refused(talk: Conversation, method: str, cursor: object) -> None:
    assert talk.ask(method, cursor=cursor)["error"]["code"] == -32602


def test_no_cursor_at_all_means_the_first_page(talk: Conversation) -> None:
    assert "result" in talk.ask("tools/list", cursor=None)
