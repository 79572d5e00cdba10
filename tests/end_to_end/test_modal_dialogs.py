"""Modal dialogs of Spec that evaluated code opens: the client is asked, and they are closed with the code."""

from collections.abc import Iterator

import pytest

from asked import DECLINED, AskedClient, accepted
from end_to_end.answers import at_last, eventually, failure, found, running, value, whole
from programs import Client, LiveImage

CONFIRM = "SpConfirmDialog new title: 'Ask'; label: 'Go on?'; openModal"
ACCEPT = """(self currentWorld submorphs
	detect: [ :each | each isSystemWindow and: [ each label = 'Ask' ] ]
	ifFound: [ :each | each model presenter accept. true ]
	ifNone: [ false ])"""
"""What the user does who answers it, and whether it had been opened to the end."""

OPEN = (
    "self currentWorld submorphs count: [ :each | each isSystemWindow or: [ each class = FullscreenMorph ] ]"
)
"""How many windows and backdrops there are."""


@pytest.fixture(scope="module", autouse=True)
def _spec(image: LiveImage) -> None:
    """Skip without windows and Spec."""
    with Client(env=image.env()) as client:
        client.shake_hands()
        has_windows = "User interface: none" not in whole(client.call("get_status"))
        if not has_windows or value(client, "Smalltalk globals includesKey: #SpConfirmDialog") == "false":
            pytest.skip("this image has no dialogs of Spec")


@pytest.fixture
def client(image: LiveImage) -> Iterator[AskedClient]:
    """A client that can be asked; it leaves no window behind."""
    with AskedClient(env=image.env()) as client:
        client.shake_hands()
        before = value(client, OPEN)
        yield client
        eventually(lambda: value(client, OPEN) == before)
        client.close_input()
        client.wait()


@pytest.mark.parametrize("process", ["ui", "background"])
@pytest.mark.parametrize(
    ("expression", "answer", "result"),
    [
        (CONFIRM, True, "true"),
        (CONFIRM, False, "false"),
        ("SpRequestDialog new label: 'Go on?'; text: 'so'; openModal", "to bed", "'to bed'"),
        ("SpSelectDialog new label: 'Go on?'; items: #(red blue); openModal", "blue", "#blue"),
    ],
)
def test_each_kind_of_dialog_gets_its_answer(
    client: AskedClient, expression: str, answer: object, result: str, process: str
) -> None:
    client.answers = {"Go on?": accepted(answer)}
    assert value(client, expression, process=process) == result
    assert client.asked == ["Go on?"]


def test_a_dialog_that_only_informs_is_reported_and_accepted(client: AskedClient) -> None:
    result = client.call(
        "evaluate", expression="SpAlertDialog new label: 'Done.'; openModal. 7", process="ui"
    )
    assert whole(result).startswith("7\n")
    assert "Done." in whole(result)
    assert client.asked == []


def test_a_dialog_that_the_person_at_the_client_declines_ends_with_its_code(client: AskedClient) -> None:
    client.answers = {"Go on?": DECLINED}
    told = failure(client.call("evaluate", expression=CONFIRM, process="ui"))
    assert "the person declined" in told
    assert running(client) == "none"


def test_a_dialog_that_is_answered_in_the_image_is_not_asked_any_more(
    client: AskedClient, image: LiveImage
) -> None:
    client.begin(60, "evaluate", expression=CONFIRM, process="ui")
    asked = client.wait_to_be_asked()
    with Client(env=image.env()) as user:
        user.shake_hands()
        eventually(lambda: value(user, ACCEPT, process="ui") == "true")
    assert client.wait_for("notifications/cancelled")["requestId"] == asked["id"]
    assert "true" in at_last(client, client.receive()["result"], CONFIRM)


def test_a_dialog_is_left_to_the_user_of_the_image_without_a_time_limit(
    client: AskedClient, image: LiveImage
) -> None:
    with Client(env=image.env()) as unable:
        unable.shake_hands()
        waiting = unable.call("evaluate", expression=CONFIRM, process="ui", timeout_seconds=1)
        assert "Open in the image, perhaps by this code: Ask." in whole(waiting)
        eventually(lambda: value(client, ACCEPT, process="ui") == "true")
        told = unable.call("get_evaluation", evaluation_id=found(r"(?<=evaluation_id: )[\w-]+", waiting))
        assert "true" in whole(told)


def test_a_stop_closes_the_dialogs_of_the_evaluation(client: AskedClient, image: LiveImage) -> None:
    with Client(env=image.env()) as unable:
        unable.shake_hands()
        unable.begin(60, "evaluate", expression=CONFIRM, process="ui")
        eventually(lambda: "Ask" in whole(client.call("get_status")))
        client.call("stop_evaluation", all=True)
        assert "Dialogs are open" not in whole(unable.receive()["result"])


def test_a_time_limit_while_a_dialog_is_being_opened_leaves_nothing_of_it(
    client: AskedClient, image: LiveImage
) -> None:
    before = value(client, OPEN)
    with Client(env=image.env()) as unable:
        unable.shake_hands()
        for seconds in range(2, 40, 2):
            unable.call(
                "evaluate", expression=CONFIRM, process="ui", timeout_seconds=seconds / 100, wait_seconds=1
            )
            client.call("stop_evaluation", all=True)
            eventually(lambda: value(client, OPEN) == before)
