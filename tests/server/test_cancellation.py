from programs import PATIENCE
from server.conversation import Conversation, request


def cancel(request_id: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}


def test_a_cancelled_request_is_stopped_and_never_answered(talk: Conversation) -> None:
    talk.call("slow", "wait")
    assert talk.workbench.started.wait(PATIENCE)
    talk.send(cancel("slow"))
    assert talk.workbench.stopped.wait(PATIENCE)
    assert talk.ask("ping")["result"] == {}
    assert talk.rest() == []


def test_other_requests_go_on_when_one_is_cancelled(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.call(2, "echo", text="here")
    talk.send(cancel(1))
    assert talk.receive()["id"] == 2
    assert talk.rest() == []


def test_cancelling_what_is_answered_already_changes_nothing(talk: Conversation) -> None:
    talk.call(1, "echo", text="here")
    assert talk.receive()["id"] == 1
    talk.send(cancel(1))
    assert talk.ask("ping")["result"] == {}


def test_true_does_not_cancel_request_1(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.send(cancel(True))
    talk.workbench.released.set()
    assert talk.receive()["id"] == 1


def test_the_number_1_and_the_string_1_are_two_requests(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.call("1", "wait")
    talk.send(cancel("1"))
    assert talk.ask("ping")["result"] == {}
    talk.workbench.released.set()
    assert [answer["id"] for answer in talk.rest()] == [1]


def test_the_id_of_a_cancelled_request_may_be_used_again(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.send(cancel(1))
    talk.call(1, "echo", text="again")
    [answer] = talk.rest()
    assert answer["result"]["content"] == [{"type": "text", "text": "again"}]


def test_a_second_request_with_an_id_in_flight_is_refused(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.call(1, "echo", text="second")
    refused = talk.receive()
    assert (refused["id"], refused["error"]["code"]) == (1, -32600)
    talk.workbench.released.set()
    assert talk.receive()["result"]["content"] == [{"type": "text", "text": "released"}]


def test_many_requests_can_be_cancelled(talk: Conversation) -> None:
    many = range(40)
    for number in many:
        talk.call(number, "wait")
    for number in many:
        talk.send(cancel(number))
    talk.send(request("last", "tools/call", name="echo", arguments={"text": "free again"}))
    assert talk.receive()["id"] == "last"
