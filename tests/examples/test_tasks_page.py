"""The messages in the page on tasks, exchanged with the practice image."""

import json
import re

import pytest

from examples.pages import Block, blocks_of, matches
from programs import Client

MESSAGE = re.compile(r"^(client|server) (.*)$", re.M)
ID = "t-…"
"""How the page writes the id of a task."""


@pytest.fixture(autouse=True)
def zoo(client: Client) -> None:
    """What the page supposes to be in the image."""
    test = "TestCase << #ZooTest package: 'Zoo-Tests' ZooTest >> testLion [ self assert: 3 + 4 equals: 7 ]"
    made = client.call("edit_code", text=test)
    assert not made["isError"], made


@pytest.mark.parametrize("block", blocks_of("messages"), ids=str)
def test_messages_are_answered_as_shown(client: Client, block: Block) -> None:
    task_id = ""
    for sender, shown in MESSAGE.findall(block.text):
        if sender == "client":
            client.send(json.loads(shown.replace(ID, task_id)))
            continue
        while "method" in (answer := client.receive()):
            pass
        real = json.dumps(answer, ensure_ascii=False)
        assert matches(shown, real), real
        task_id = next(iter(re.findall(r"t-[0-9a-f]{30}", real)), task_id)
