"""What only a real Pharo shows of tests, projects and pictures: `pytest -m image`."""

import base64
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.answers import failure, value, whole
from programs import Client, LiveImage
from smalltalk_text import method_text

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


REMOVE = (
    "#( 'E2EZoo' 'BaselineOfE2EZoo' 'E2E-Sent' ) do: [ :each | self packageOrganizer removePackage: each ]. 7"
)
DEBUGGER = r"(?m)^    o-\d+: debugger "
"""A window in the status, which names a debugger that the user handed over even when it is closed."""


@pytest.fixture
def folder(client: Client, image: LiveImage) -> Iterator[Path]:
    """A folder beside the image, where it may write; what was loaded from there does not stay."""
    folder = Path(image.connection["image"]).parent / "e2e"
    folder.mkdir(exist_ok=True)
    yield folder
    value(client, REMOVE)
    shutil.rmtree(folder)


def lacks(client: Client, name: str) -> bool:
    """Whether an image has no global of that name."""
    return value(client, f"Smalltalk globals includesKey: #{name}") == "false"


@pytest.mark.parametrize("selector", ["testHalts", "testForksWhatFails", "testLoops"])
def test_a_rude_test_fails_and_leaves_no_debugger_behind(client: Client, selector: str) -> None:
    told = whole(client.call("run_tests", tests=[f"PmcExampleRudeTests>>{selector}"], test_timeout_seconds=1))
    assert f"PmcExampleRudeTests>>{selector}" in told
    assert re.search(DEBUGGER, whole(client.call("get_status"))) is None


def write_project(client: Client, folder: Path) -> str:
    """The address of a project that is written into a folder."""
    folder.mkdir(exist_ok=True)
    for package, name, source in (
        ("BaselineOfE2EZoo", "BaselineOfE2EZoo", BASELINE),
        ("E2EZoo", "E2EAnimal", ANIMAL),
    ):
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "package.st").write_text(f"Package {{ #name : '{package}' }}\n", "utf-8")
        (folder / package / f"{name}.class.st").write_text(source, "utf-8")
    (folder / ".properties").write_text("{\n\t#format : #tonel\n}\n", "utf-8")
    if lacks(client, "TonelRepository"):
        pytest.skip("this image reads no Tonel repositories")
    return f"tonel://{folder.as_posix()}"


def test_a_project_is_loaded_by_metacello(client: Client, folder: Path) -> None:
    address = write_project(client, folder)
    told = whole(client.call("load_project", baseline="E2EZoo", repository=address))
    assert told.startswith("Loaded: BaselineOfE2EZoo, E2EZoo.")
    assert value(client, "(Smalltalk globals at: #E2EAnimal) new legs") == "4"


def test_a_project_from_elsewhere_replaces_the_loaded_one_only_if_it_may(
    client: Client, folder: Path
) -> None:
    first, second = (write_project(client, folder / name) for name in ("one", "two"))
    load = {"baseline": "E2EZoo", "repository": second}
    whole(client.call("load_project", baseline="E2EZoo", repository=first))
    refused = failure(client.call("load_project", **load))
    assert "Load Conflict between existing" in refused
    assert "The project was not loaded." in refused
    assert "use_incoming: true" in refused
    assert "Stack" not in refused
    assert not client.call("load_project", **load, use_incoming=True).get("isError")


@pytest.fixture
def sent(client: Client, folder: Path) -> Client:
    """A conversation with an image that has made and exported a package."""
    if lacks(client, "TonelWriter"):
        pytest.skip("this image writes no packages")
    value(client, "(Object << #E2ESent package: 'E2E-Sent') install. 7")
    value(client, "(Smalltalk globals at: #E2ESent) compile: 'legs ^ 4' classified: 'accessing'. 7")
    told = whole(client.call("export_package", package_name="E2E-Sent", folder=str(folder)))
    assert told.startswith("Exported package E2E-Sent to ")
    assert (folder / "E2E-Sent" / "E2ESent.class.st").exists()
    return client


def legs(client: Client) -> str:
    return value(client, "(Smalltalk globals at: #E2ESent) new legs")


def test_a_package_comes_back_as_it_was_exported(sent: Client, folder: Path) -> None:
    received = whole(sent.call("import_package", folder=str(folder), packages=["E2E-Sent"]))
    assert "E2E-Sent" in received
    value(sent, "(Smalltalk globals at: #E2ESent) removeFromSystem. 7")
    again = {"folder": str(folder), "packages": ["E2E-Sent"]}
    assert "E2ESent" in failure(sent.call("import_package", **again))
    sent.call("import_package", **again, overwrite=True)
    assert legs(sent) == "4"


def test_all_classes_and_traits_that_are_missing_are_named_at_once(client: Client, folder: Path) -> None:
    if lacks(client, "TonelReader"):
        pytest.skip("this image reads no packages")
    (folder / ".properties").write_text("{\n\t#format : #tonel\n}\n", "utf-8")
    for package in ("E2EZoo", "E2E-Sent"):
        (folder / package).mkdir()
        (folder / package / "package.st").write_text(f"Package {{ #name : '{package}' }}\n", "utf-8")
    needy = ANIMAL.replace("E2EAnimal", "E2ENeedy").replace(
        "#superclass", "#traits : 'TE2EAway',\n\t#superclass"
    )
    owl = ANIMAL.replace("E2EAnimal", "E2EOwl").replace("'Object'", "'E2EBird'")
    sent = ANIMAL.replace("E2EAnimal", "E2ECow").replace("'Object'", "'E2ECattle'")
    for name, definition in (("E2EAnimal", ANIMAL), ("E2ENeedy", needy), ("E2EOwl", owl)):
        (folder / "E2EZoo" / f"{name}.class.st").write_text(definition, "utf-8")
    (folder / "E2E-Sent" / "E2ECow.class.st").write_text(sent.replace("'E2EZoo'", "'E2E-Sent'"), "utf-8")
    told = failure(client.call("import_package", folder=str(folder)))
    assert "Missing in the image" in told
    assert "E2ENeedy" in told
    assert "The packages need E2EBird, E2ECattle and TE2EAway, which the image does not have: " in told
    assert value(client, "(Smalltalk globals at: #E2EAnimal) new legs") == "4"


def test_unsaved_changes_are_lost_only_with_overwrite(sent: Client, folder: Path) -> None:
    sent.call("edit_code", text=method_text("E2ESent", "legs ^ 6"))
    told = failure(sent.call("import_package", folder=str(folder)))
    assert "E2ESent>>#legs. Nothing was loaded." in told
    assert legs(sent) == "6"
    sent.call("import_package", folder=str(folder), overwrite=True)
    assert legs(sent) == "4"


def test_the_repositories_of_iceberg_are_listed(client: Client) -> None:
    if lacks(client, "IceRepository"):
        pytest.skip("this image has no Iceberg")
    assert not client.call("commit").get("isError")


def test_a_picture_of_the_world_is_scaled_to_the_maximum_width(client: Client) -> None:
    if "User interface: none" in whole(client.call("get_status")):
        pytest.skip("this image has no user interface")
    picture, _ = client.call("take_screenshot", max_width=400)["content"]
    png = base64.b64decode(picture["data"])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert 0 < int.from_bytes(png[16:20]) <= 400
