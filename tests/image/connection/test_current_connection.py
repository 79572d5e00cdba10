"""Who is there is compared with who was there, and told once."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from image.servers import STATUS, Answer, Companion, companion, failure, seven, value
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.images import KnownImage


def who(session: str, name: str = "Pharo13", image_session: str | None = None) -> Answer:
    return lambda _: value({**STATUS, "session": session, "name": name, "imageSession": image_session})


@contextmanager
def after(first: Answer, second: Answer) -> Iterator[ImageClient]:
    """A client that asked one image, lost it, and has asked another."""
    with companion(status=first, evaluate=seven) as one, companion(status=second, evaluate=seven) as two:
        order: list[Companion] = [one, two]
        client = ImageClient(
            KnownImage(lambda until: CompanionConnection.connect(order.pop(0).address, until))
        )
        client.evaluate("3 + 4")
        assert client.take_notice() is None
        one.answers["/evaluate"] = lambda _: failure(401, "unauthorized")
        with pytest.raises(ImageError):
            client.evaluate("3 + 4")
        client.evaluate("3 + 4")
        yield client
        client.close()


def test_a_restart_is_reported_once() -> None:
    with after(who("1"), who("2")) as client:
        notice = client.take_notice()
        assert notice is not None
        assert notice.startswith("The companion in Pharo13, or the image, was restarted")
        assert "object ids and evaluation ids from before are gone" in notice
        assert client.take_notice() is None


def test_a_saved_image_keeps_what_was_there() -> None:
    with after(who("1", image_session="a"), who("2", image_session="a")) as client:
        notice = client.take_notice()
        assert notice is not None
        assert notice.startswith("The companion in Pharo13 was restarted")
        assert "the list of changes are kept" in notice
        assert client.take_notice() is None
    with after(who("1", image_session="a"), who("2", image_session="b")) as client:
        assert (client.take_notice() or "").startswith("The companion in Pharo13, or the image, was")


def test_another_image_is_reported_once() -> None:
    with after(who("1", "Zoo"), who("2", "Ark")) as client:
        notice = client.take_notice()
        assert notice is not None
        assert notice.startswith("The image has changed: it is now Ark at http://127.0.0.1:")
        assert client.take_notice() is None


def test_the_same_image_after_a_lost_connection_is_nothing_to_tell() -> None:
    with after(who("1"), who("1")) as client:
        assert client.take_notice() is None


def test_a_restart_seen_in_the_status_is_reported() -> None:
    with companion(status=who("1"), evaluate=seven) as image:
        client = ImageClient(KnownImage(lambda until: CompanionConnection.connect(image.address, until)))
        assert client.current_image is None
        client.status()
        assert client.current_image == f"Pharo13 at {image.address.url}"
        image.answers["/status"] = who("2")
        client.status()
        assert client.take_notice() is not None
        client.close()
