"""A real Pharo that is saved again and again while clients call it: `pytest -m image`, on a copy."""

import os
import re
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.answers import eventually, texts, value, whole
from programs import Client, LiveImage, running_images

pytestmark = [
    pytest.mark.image,
    pytest.mark.parametrize("image", ["image"], indirect=True),
    pytest.mark.skipif(
        os.environ.get("PHARO_MCP_TEST_IMAGE") != "started",
        reason="only a copy may be saved: scripts/test-image",
    ),
]

SAVES = int(os.environ.get("PHARO_MCP_SAVES", "20"))
TOOL = "slow_seven"
OFFER = (
    f"PharoMcp addTool: (PmcTool name: '{TOOL}' description: 'Seven, a while later'"
    " handler: [ (Delay forMilliseconds: 200) wait. 7 ]). 7"
)
COUNTED = "(Smalltalk at: #PmcSaved) add: '{name}'. (Delay forMilliseconds: 30) wait. '{name}'"
NO_RESULT = re.compile(
    "is being saved|may have run|Nothing ran|nothing was run|no tool is named|cannot be reached|No image",
    re.I,
)
"""What a call may say that did not come back with a value."""


class Caller(threading.Thread):
    """A client that calls one thing after the other until it is told to end, and keeps what it heard."""

    def __init__(self, number: int, image: LiveImage) -> None:
        super().__init__(daemon=True)
        self.number = number
        self.image = image
        self.ended = threading.Event()
        self.answered: list[str] = []
        self.failed: list[str] = []

    def run(self) -> None:
        with Client(env=self.image.env()) as client:
            client.shake_hands()
            for turn in range(1_000_000):
                if self.ended.is_set():
                    return
                self.call(client, f"{self.number}-{turn}")

    def call(self, client: Client, name: str) -> None:
        """Evaluate something that counts how often it ran; now and then call the registered tool."""
        if self.number == 0:
            response = client.request("tools/call", name=TOOL, arguments={})
            said = str(response.get("error")) if "error" in response else whole(response["result"])
            if not said.startswith("7"):
                self.failed.append(said)
            return
        result = client.call("evaluate", expression=COUNTED.format(name=name))
        if result.get("isError"):
            self.failed.append(whole(result))
        else:
            assert texts(result)[0] == f"'{name}'"
            self.answered.append(name)


@pytest.fixture
def counted(client: Client) -> Iterator[Client]:
    """A conversation with an image that counts what runs and has the tool, until the test is over."""
    value(client, f"Smalltalk at: #PmcSaved put: OrderedCollection new. {OFFER}")
    yield client
    value(client, f"Smalltalk globals removeKey: #PmcSaved. PharoMcp removeTool: '{TOOL}'. 7")


def test_an_image_is_saved_while_clients_call_it(counted: Client, image: LiveImage) -> None:
    callers = [Caller(number, image) for number in range(3)]
    for caller in callers:
        caller.start()
    try:
        for _ in range(SAVES):
            save(counted, image)
    finally:
        for caller in callers:
            caller.ended.set()
        for caller in callers:
            caller.join(120)
    assert not any(caller.is_alive() for caller in callers)
    strange = [said for caller in callers for said in caller.failed if not NO_RESULT.search(said)]
    assert not strange, strange[:3]
    names = value(counted, "' ' join: (Smalltalk at: #PmcSaved)", max_characters=200_000)
    ran = Counter(re.findall(r"\d+-\d+", names))
    assert not [name for name, times in ran.items() if times > 1]
    assert {name for caller in callers for name in caller.answered} <= ran.keys()


def test_a_save_that_fails_leaves_the_file_and_is_reported(client: Client) -> None:
    file = Path(value(client, "Smalltalk imagePath").strip("'"))
    draft = file.with_name(f"{file.name}.part")
    before = file.stat()
    (draft / "in the way").mkdir(parents=True)
    try:
        result = client.call("save_image", confirm=True)
    finally:
        shutil.rmtree(draft)
    assert result["isError"]
    assert "could not be saved" in whole(result)
    after = file.stat()
    assert (after.st_ino, after.st_size, after.st_mtime) == (before.st_ino, before.st_size, before.st_mtime)
    assert "could not be saved" in whole(client.call("get_status"))
    assert value(client, "6 * 7") == "42"
    assert "The image is saved." in whole(client.call("save_image", confirm=True))
    assert not draft.exists()


def save(client: Client, image: LiveImage) -> None:
    """Save, and wait until the image answers under another token."""
    before = [each.token for each in running_images(image.home)]
    client.call("save_image", confirm=True)
    eventually(lambda: (now := [each.token for each in running_images(image.home)]) != [] and now != before)
