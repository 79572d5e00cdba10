"""Several live images: one is chosen, by people or by the model, and stale files mislead nobody."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.answers import failure, texts, value, whole
from image.servers import encoded, rude
from image.servers import value as reply
from programs import Client, LiveImage, Practice, environment, start_practice_image


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Practice]]:
    """Two images of one person, of the same name, in folders of their own."""
    home = tmp_path_factory.mktemp("home")
    one, other = (
        start_practice_image(home, folder=tmp_path_factory.mktemp(name)) for name in ("one", "other")
    )
    with one.program, other.program:
        yield [one, other]


@pytest.fixture
def chooser(two: list[Practice]) -> Iterator[Client]:
    with Client(env=two[0].env()) as client:
        client.shake_hands()
        yield client


def place(image: LiveImage) -> str:
    """An image in the words of an answer."""
    return f"{image.connection['name']} at {image.url}, {image.connection['image']}"


def test_without_a_choice_calls_answer_with_the_list_and_how_to_choose(
    two: list[Practice], chooser: Client
) -> None:
    told = failure(chooser.call("evaluate", expression="3 + 4"))
    assert told.startswith("2 images are live and none was chosen, so nothing ran:")
    assert all(image.url in told and image.connection["image"] in told for image in two)
    assert "select_image" in told
    assert "--image NAME" in told


def test_they_are_listed_and_one_is_chosen_by_url_or_image_file(two: list[Practice], chooser: Client) -> None:
    listed = whole(chooser.call("get_status"))
    assert all(image.url in listed for image in two)
    for image, name in zip(two, ("url", "image"), strict=True):
        assert image.url in whole(chooser.call("select_image", name=image.connection[name]))
        assert value(chooser, "PharoMcp current url") == f"'{image.url}'"
        assert f"Image: {place(image)}" in whole(chooser.call("get_status"))


def test_while_several_live_each_answer_that_may_have_changed_something_names_its_image(
    two: list[Practice], chooser: Client
) -> None:
    chooser.call("select_image", name=two[0].url)
    named = f"Image: {place(two[0])}"
    assert texts(chooser.call("evaluate", expression="3 + 4")) == ["7", named]
    assert texts(chooser.call("evaluate", expression="1/0"))[-1].endswith(named)
    assert texts(chooser.call("undo_change", to=0))[-1] == named
    assert named not in whole(chooser.call("get_class", class_name="Object"))


def test_an_image_named_when_pharo_mcp_is_started_needs_no_choice(two: list[Practice]) -> None:
    with Client("--url", two[1].url, env=two[1].env()) as client:
        client.shake_hands()
        assert value(client, "PharoMcp current url") == f"'{two[1].url}'"


def test_stale_files_do_not_mislead(image: LiveImage, home: Path) -> None:
    folder = home / ".pharo-mcp" / "images"
    folder.mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        nobody = f"http://127.0.0.1:{server.getsockname()[1]}"
    with rude(lambda peer, _: peer.sendall(encoded(reply({})))) as stranger:
        for name, told in {
            "gone": {**image.connection, "url": nobody},
            "taken": {**image.connection, "url": stranger.url},
            "restarted": {**image.connection, "token": "0" * 64},
            "elsewhere": {**image.connection, "url": "http://192.0.2.1:80"},
            "live": image.connection,
        }.items():
            (folder / f"{name}.json").write_text(json.dumps(told), "utf-8")
        (folder / "broken.json").write_bytes(b"\xff{")
        with Client(env=environment(home)) as client:
            client.shake_hands()
            assert texts(client.call("evaluate", expression="3 + 4")) == ["7"]
