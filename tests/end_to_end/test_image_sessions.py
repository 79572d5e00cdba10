"""Changes, variables, results and ids belong to the image, and outlive each start of its companion."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.answers import eventually, told_until_answered, value, whole
from programs import Client, Practice, running_images, start_practice_image

RESTARTS = {
    "stopped and started": "PharoMcp stop. PharoMcp start. 7",
    "read-only and back": "PharoMcp startReadOnly. PharoMcp start. 7",
}


def tokens(image: Practice) -> list[str]:
    """Of the companions that listen in an image."""
    return [each.token for each in running_images(image.home)]


@pytest.fixture
def practice(home: Path) -> Iterator[Practice]:
    """An image of its own, whose companion is started again."""
    image = start_practice_image(home)
    with image.program:
        yield image


@pytest.mark.parametrize("expression", RESTARTS.values(), ids=RESTARTS)
def test_nothing_of_it_is_lost_when_the_companion_is_started_again(
    practice: Practice, expression: str
) -> None:
    [before] = tokens(practice)
    with Client(env=practice.env()) as client:
        client.shake_hands()
        client.call("edit_code", text="Object << #PmcMadeZoo package: 'PmcMade'")
        client.call("edit_code", text="PmcMadeZoo >> size [ ^ 3 ]")
        made = whole(client.call("evaluate", expression="zoo := OrderedCollection with: 3"))
        object_id = re.search(r"object_id: (o-\d+)", made)
        assert object_id, made
        client.call("evaluate", expression=expression)
        eventually(lambda: len(now := tokens(practice)) == 1 and now != [before])
        # On a slow machine the one that only reads may still be the only one.
        assert "The companion in practice was restarted" in "\n".join(told_until_answered(client))
        listed = whole(client.call("list_changes"))
        assert "2: addedMethod PmcMadeZoo>>size, by edit_code" in listed
        assert value(client, "zoo first") == "3"
        assert "Elements" in whole(client.call("inspect_object", object_id=object_id[1]))
        edited = client.call("edit_code", text="PmcMadeZoo >> size [ ^ 4 ]")
        assert "Change 3." in whole(edited)
        assert "Undone 1\N{EN DASH}3" in whole(client.call("undo_change", to=0))
        assert value(client, "Smalltalk globals includesKey: #PmcMadeZoo") == "false"
