"""A bike rental with seven faults: what a model sends to find and correct them, and what judges it.

The packages are in `rental`, the calls in `rental.json`. The judge looks only at the image.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from programs import Client, start_practice_image
from scenarios.playing import PlayedCall, played, text

HERE = Path(__file__).parent
TASK: dict[str, Any] = json.loads((HERE / "rental.json").read_text("utf-8"))
MOST_CALLS = 8

RIDE = (
    "(RtRide of: {member} on: (RtBike numbered: 7) for: {minutes} "
    "date: (Date year: 2026 month: 5 day: {day}))"
)
ADA = "(RtMember named: 'Ada')"
WITH_PASS = (
    "([ :member | member addPass: (RtPass from: (Date year: 2026 month: 5 day: 1) "
    "to: (Date year: 2026 month: 5 day: 3)). member ] value: (RtMember named: 'Ada'))"
)


def price(minutes: int, day: int = 1, member: str = ADA) -> str:
    """An expression for the price of a ride."""
    return RIDE.format(member=member, minutes=minutes, day=day) + " price"


JUDGE = {
    "begun minutes are paid": (f"{{ {price(11)}. {price(1)}. {price(20)}. {price(0)} }}", "#(100 50 100 0)"),
    "a bike comes back once": (
        f"| station ride | station := RtStation new. ride := {RIDE.format(member=ADA, minutes=10, day=1)}. "
        "station bringBack: ride; bringBack: ride. station bikes size",
        "1",
    ),
    "a receipt without an address": (
        f"{{ {RIDE.format(member=ADA, minutes=20, day=1)} receipt }}",
        "#('Ada, no address: bike 7, 100 cents')",
    ),
    "only rides have a price": (
        "{ RtRide includesSelector: #amount. RtPayment includesSelector: #amount. "
        "(RtMember named: 'Ada') pay: (RtPayment of: 5 on: Date today); paid }",
        "#(false true 5)",
    ),
    "the report asks for each price once": (
        "| class asked station | asked := OrderedCollection new. class := RtRide newAnonymousSubclass. "
        "class compile: 'price (Smalltalk at: #RtAsked) add: self. ^ super price'. "
        "Smalltalk at: #RtAsked put: asked. station := RtStation new. 1 to: 60 do: [ :number | "
        "station rides add: (class of: (RtMember named: (number \\\\ 20) printString) "
        "on: (RtBike numbered: number) for: number date: Date today) ]. "
        "[ { (RtReport on: station) amountByMember size. asked size } ] "
        "ensure: [ Smalltalk globals removeKey: #RtAsked ]",
        "#(20 60)",
    ),
    "what is scrapped can be collected": (
        f"| station ride | station := RtStation new. ride := {RIDE.format(member=ADA, minutes=10, day=1)}. "
        "station bringBack: ride; scrap: ride bike. "
        "(RtStation arrivals includesKey: ride bike) or: [ RtStation arrivals includes: ride ]",
        "false",
    ),
    "a pass": (
        f"{{ {price(45, 3, WITH_PASS)}. {price(30, 1, WITH_PASS)}. {price(45, 4, WITH_PASS)}. "
        f"{price(2000, 2, WITH_PASS)}. RtPass comment notEmpty }}",
        "#(100 0 250 20000 true)",
    ),
}
"""Expressions, and what they answer when all is done."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A conversation with an image that has the rental."""
    image = start_practice_image(tmp_path_factory.mktemp("home"), loads=[HERE / "rental"])
    with image.program, Client(env=image.env()) as client:
        client.shake_hands()
        yield client


def verdict(client: Client) -> dict[str, bool]:
    """What the judge says of each part."""
    answers = {name: text(client.call("evaluate", expression=code)) for name, (code, _) in JUDGE.items()}
    return {name: answers[name].splitlines()[0] == JUDGE[name][1] for name in JUDGE}


def test_a_model_corrects_all_faults_in_a_few_calls(client: Client) -> None:
    assert not any(verdict(client).values()), "the judge is not content before"
    calls: list[PlayedCall] = []
    verdicts: dict[str, bool] = {}
    for call in played(client, TASK):
        calls.append(call)
        if call.call["tool"] == "edit_code":
            verdicts = verdict(client)
    assert [(call.missing, call.answer) for call in calls if not call.succeeded] == []
    assert [name for name, is_right in verdicts.items() if not is_right] == []
    assert len(calls) <= MOST_CALLS
    assert sum(call.bytes for call in calls) <= TASK["bytes"]
