"""Variables live on in their workspace, and results in the image under an id of their own."""

import re

import pytest

from end_to_end.answers import failure, found, texts, value, whole
from programs import Client

ID = r"o-\d+"


def test_variables_live_on_in_their_workspace_alone_until_it_is_reset(client: Client) -> None:
    value(client, "x := 3", workspace="one")
    assert value(client, "x + 1", workspace="one") == "4"
    assert "Variables of workspace one: x" in whole(client.call("get_status")).splitlines()
    failure(client.call("evaluate", expression="x + 1", workspace="two"))
    assert value(client, "3 + 4", workspace="one", reset_workspace=True) == "7"
    failure(client.call("evaluate", expression="x + 1", workspace="one"))


def test_without_a_name_the_same_workspace_is_meant_every_time(client: Client) -> None:
    value(client, "y := 3")
    assert value(client, "y + 1") == "4"
    client.call("evaluate", expression="nil", reset_workspace=True)
    failure(client.call("evaluate", expression="y + 1"))


def test_a_result_that_is_not_a_literal_has_an_object_id(client: Client) -> None:
    assert texts(client.call("evaluate", expression="#(1 $a 'b' #c)")) == ["#(1 $a 'b' #c)"]
    assert "object_id" not in whole(client.call("evaluate", expression="3/4 > 1"))
    assert re.search(rf"object_id: {ID}, of class Set", whole(client.call("evaluate", expression="Set new")))


def test_an_object_is_inspected_by_its_variables_and_by_pages_of_its_elements(client: Client) -> None:
    made = client.call("evaluate", expression="(1 to: 120) asOrderedCollection")
    shown = whole(client.call("inspect_object", object_id=found(ID, made)))
    assert "Class: OrderedCollection" in shown
    assert "    firstIndex: " in shown
    assert "Elements 1 to 50 of 120:" in shown
    assert "use offset 50" in shown
    page = whole(client.call("inspect_object", object_id=found(ID, made), offset=100, limit=50))
    assert "    101: 101 (SmallInteger)" in page
    assert "    120: 120 (SmallInteger)" in page


def test_a_path_of_names_indexes_and_keys_leads_to_an_object_within(client: Client) -> None:
    made = client.call(
        "evaluate", expression="OrderedCollection with: (Dictionary new at: #far put: 3 -> 4; yourself)"
    )
    shown = whole(client.call("inspect_object", object_id=found(ID, made), path=[1, "#far", "value"]))
    assert shown.startswith("4\nClass: SmallInteger\n")


def test_a_part_of_an_object_has_an_id_of_its_own(client: Client) -> None:
    made = client.call("evaluate", expression="OrderedCollection with: 3 / 4")
    assert "inspect_object" in whole(made)
    shown = whole(client.call("inspect_object", object_id=found(ID, made)))
    part = re.search(rf"1: \(3/4\) \(Fraction, ({ID})\)", shown)
    assert part, shown
    assert "numerator: 3" in whole(client.call("inspect_object", object_id=part[1]))
    assert value(client, "self denominator", receiver=part[1]) == "4"


def test_a_cut_string_is_read_as_an_object(client: Client) -> None:
    made = client.call("evaluate", expression="String new: 5000 withAll: $a")
    assert value(client, "self size", receiver=found(ID, made)) == "5000"


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("thisContext", "    receiver: nil"),
        ("PmcJob outsideJobsDo: [ [ 3 + 4 ] newProcess ]", "    1: [ ] in "),
        ("OrderedCollection", "Class: OrderedCollection class"),
        ("OrderedCollection class", "Class: Metaclass"),
        ("OrderedCollection >> #add:", "Class: CompiledMethod"),
    ],
)
def test_what_the_system_is_made_of_can_be_inspected(client: Client, expression: str, told: str) -> None:
    made = client.call("evaluate", expression=expression)
    assert told in whole(client.call("inspect_object", object_id=found(ID, made)))


def test_a_result_can_be_the_receiver_of_another_evaluation(client: Client) -> None:
    made = client.call("evaluate", expression="OrderedCollection with: 3 with: 4")
    assert value(client, "self removeFirst", receiver=found(ID, made)) == "3"
    assert value(client, "self size", receiver=found(ID, made)) == "1"


def test_two_hundred_objects_are_kept_and_the_oldest_one_dropped_and_no_id_is_given_twice(
    client: Client,
) -> None:
    first = found(ID, client.call("evaluate", expression="Set new"))
    second = found(ID, client.call("evaluate", expression="Set new"))
    value(client, "198 timesRepeat: [ PharoMcp current objects idOf: Object new ]. 7")
    assert whole(client.call("inspect_object", object_id=first)).startswith("a Set")
    last = found(ID, client.call("evaluate", expression="Set new"))
    assert "no longer kept" in failure(client.call("inspect_object", object_id=first))
    assert whole(client.call("inspect_object", object_id=second)).startswith("a Set")
    assert int(last[2:]) == int(first[2:]) + 200
