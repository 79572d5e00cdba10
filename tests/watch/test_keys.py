"""What the keys of the screen do in an image, and what the person is told."""

from image.servers import Remembering, Reply, asking, failure, value
from pharo_mcp.watch.application import Notice, stop, undo


def test_stopping_says_how_many_were_stopped() -> None:
    stops = Remembering(lambda _: value({"stopped": ["e-1", "e-2"], "frozen": []}))
    with asking(stop=stops) as client:
        assert stop(client, None) == Notice("Stopped evaluations: 2")
        stop(client, "e-1")
    assert stops.asked == [{"all": True}, {"evaluation": "e-1"}]


def test_an_evaluation_that_could_only_be_suspended_is_named() -> None:
    with asking(stop=lambda _: value({"stopped": ["e-1"], "frozen": ["e-1"]})) as client:
        notice = stop(client, "e-1")
    assert notice.failed
    assert "e-1" in notice.text


def test_an_image_that_is_open_for_reading_only_refuses() -> None:
    def refusal(_: object) -> Reply:
        return failure(403, "readOnly", "This image is open for reading only.")

    with asking(stop=refusal, undo=refusal) as client:
        for notice in (stop(client, None), undo(client, 3, confirm=None)):
            assert notice.failed
            assert "reading only" in notice.text


def test_undoing_what_the_image_depends_on_names_the_key_that_confirms_it() -> None:
    undos = Remembering(
        lambda _: failure(400, "confirmation", "The image depends on Object>>at:."),
        lambda _: value({"evaluation": "e-1", "undone": [3], "changes": [4], "elapsed": 0.1}),
    )
    with asking(undo=undos) as client:
        refused = undo(client, 3, confirm=None)
        assert refused.failed
        assert "press U" in refused.text
        assert undo(client, 3, confirm=True) == Notice("Change 3 is undone.")
    assert [body.get("confirm") for body in undos.asked] == [None, True]


def test_undoing_twice_says_so() -> None:
    already = {"evaluation": "e-1", "undone": [], "undoneBy": 4, "elapsed": 0.1}
    with asking(undo=lambda _: value(already)) as client:
        assert undo(client, 3, confirm=None) == Notice("Change 3 is already undone, by change 4.")
