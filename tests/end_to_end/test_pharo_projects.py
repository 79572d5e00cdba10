"""What only a real Pharo shows of tests, projects and pictures: `pytest -m image`."""

import base64
from pathlib import Path

import pytest

from end_to_end.answers import value, whole
from programs import Client, LiveImage

pytestmark = [pytest.mark.image, pytest.mark.parametrize("image", ["image"], indirect=True)]

BASELINE = """Class {
	#name : 'BaselineOfE2EZoo',
	#superclass : 'BaselineOf',
	#category : 'BaselineOfE2EZoo',
	#package : 'BaselineOfE2EZoo'
}

{ #category : 'baselines' }
BaselineOfE2EZoo >> baseline: spec [

	<baseline>
	spec for: #common do: [ spec package: 'E2EZoo' ]
]
"""
ANIMAL = """Class {
	#name : 'E2EAnimal',
	#superclass : 'Object',
	#category : 'E2EZoo',
	#package : 'E2EZoo'
}

{ #category : 'accessing' }
E2EAnimal >> legs [

	^ 4
]
"""


@pytest.fixture
def folder(image: LiveImage) -> Path:
    """A folder beside the image, where it may write."""
    folder = Path(image.connection["image"]).parent / "e2e"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("selector", ["testHalts", "testForksWhatFails", "testLoops"])
def test_a_rude_test_fails_and_leaves_no_debugger_behind(client: Client, selector: str) -> None:
    told = whole(
        client.call("run_tests", class_name="PmcExampleRudeTests", selector=selector, test_timeout_seconds=1)
    )
    assert f"PmcExampleRudeTests>>{selector}" in told
    assert "Open debuggers" not in whole(client.call("get_status"))


def test_a_project_is_loaded_by_metacello(client: Client, folder: Path) -> None:
    for package, name, source in (
        ("BaselineOfE2EZoo", "BaselineOfE2EZoo", BASELINE),
        ("E2EZoo", "E2EAnimal", ANIMAL),
    ):
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "package.st").write_text(f"Package {{ #name : '{package}' }}\n", "utf-8")
        (folder / package / f"{name}.class.st").write_text(source, "utf-8")
    (folder / ".properties").write_text("{\n\t#format : #tonel\n}\n", "utf-8")
    told = whole(client.call("load_project", baseline="E2EZoo", repository=f"tonel://{folder.as_posix()}"))
    assert "E2EZoo" in told
    assert value(client, "(Smalltalk globals at: #E2EAnimal) new legs") == "4"


def test_a_package_comes_back_as_it_was_exported(client: Client, folder: Path) -> None:
    value(client, "(Object << #E2ESent package: 'E2E-Sent') install. 7")
    value(client, "(Smalltalk globals at: #E2ESent) compile: 'legs ^ 4' classified: 'accessing'. 7")
    sent = whole(client.call("export_package", package_name="E2E-Sent", folder=str(folder)))
    assert sent.startswith("Package E2E-Sent is in ")
    assert (folder / "E2E-Sent" / "E2ESent.class.st").exists()
    value(client, "(Smalltalk globals at: #E2ESent) removeFromSystem. 7")
    received = whole(client.call("import_package", folder=str(folder), packages=["E2E-Sent"]))
    assert "E2E-Sent" in received
    assert value(client, "(Smalltalk globals at: #E2ESent) new legs") == "4"


def test_the_repositories_of_iceberg_are_listed(client: Client) -> None:
    assert not client.call("list_repositories").get("isError")


def test_a_picture_of_the_world_is_no_wider_than_asked_for(client: Client) -> None:
    if "User interface: none" in whole(client.call("get_status")):
        pytest.skip("this image has no user interface")
    picture, _ = client.call("take_screenshot", max_width=400)["content"]
    png = base64.b64decode(picture["data"])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert 0 < int.from_bytes(png[16:20]) <= 400
