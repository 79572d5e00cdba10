"""The measures of a live image, taken in a practice image."""

from benchmark.clients import PipeClient
from benchmark.live_image import call, live_image
from benchmark.measures import Effort
from benchmark.servers import ours
from programs import LiveImage


def classes_left(client: PipeClient) -> str:
    return call(client, "search", {"kind": "classes", "query": "BenchmarkOf"})


def test_every_call_succeeds_and_what_it_changes_is_undone(practice: LiveImage) -> None:
    figures = list(live_image(practice, Effort(rounds=2)))
    assert [figure.name.split()[0] for figure in figures] == [
        "`evaluate`",
        "`edit_code`",
        "`undo_change`",
        "`search`",
        "`find_objects`",
    ]
    with ours(practice).session() as client:
        assert classes_left(client).startswith("No classes found")
