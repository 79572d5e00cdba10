import threading

from over_http.serving import Web, as_body, call
from server.conversation import Workbench


def counting(request_id: int) -> dict[str, object]:
    message = call(request_id, "count", numbers=[1, 2])
    message["params"]["_meta"] = {"progressToken": "p"}
    return message


def test_a_quick_answer_is_one_piece_of_json(talk: Web) -> None:
    reply = talk.post(call(1, "echo", text="hi"))
    assert reply.headers["content-type"] == "application/json"
    assert reply.said["result"]["content"][0]["text"] == "hi"


def test_progress_makes_it_a_stream_of_events(talk: Web) -> None:
    first, second, answer = talk.post(counting(1)).events
    assert first["params"] == {"progressToken": "p", "progress": 1, "message": "at 1"}
    assert second["params"]["progress"] == 2
    assert answer["id"] == 1


def test_who_takes_only_json_gets_the_answer_alone(talk: Web, workbench: Workbench) -> None:
    assert talk.post(counting(1), Accept="application/json").said["id"] == 1


def test_who_takes_only_events_gets_them(talk: Web) -> None:
    assert [
        event["id"] for event in talk.post(counting(1) | {"id": 3}, Accept="text/event-stream").events[2:]
    ]
    [answer] = talk.post(call(1, "echo", text="hi"), Accept="text/event-stream; q=0.9").events
    assert answer["result"]["content"][0]["text"] == "hi"


def test_who_does_not_say_what_it_takes_takes_all(talk: Web) -> None:
    for accept in (None, "*/*", "text/html, application/*"):
        assert talk.post(call(1, "echo", text="hi"), Accept=accept).said["id"] == 1


def test_who_takes_neither_is_refused(talk: Web) -> None:
    assert talk.post(call(1, "echo", text="hi"), Accept="text/html").status == 406
    assert talk.ask("GET", Accept="application/json").status == 406


def test_an_answer_that_takes_long_begins_before_it_is_there(talk: Web, workbench: Workbench) -> None:
    with talk.begin("POST", as_body(call(1, "wait"))) as answering:
        assert answering.response.getheader("content-type") == "text/event-stream"
        workbench.released.set()
        assert answering.next_event()["result"]["content"][0]["text"] == "released"


def test_answers_at_the_same_time_go_to_who_asked(talk: Web, workbench: Workbench) -> None:
    with talk.begin_call("slow", "wait") as slow:
        assert workbench.started.wait(10)
        heard: list[int] = []

        def ask(number: int) -> None:
            heard.append(talk.post(counting(number)).events[-1]["id"] - number)

        askers = [threading.Thread(target=ask, args=[number]) for number in range(20)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join(10)
        assert heard == [0] * 20
        workbench.released.set()
        assert slow.next_event()["id"] == "slow"


def test_who_listens_anew_takes_over(talk: Web) -> None:
    with talk.begin("GET") as first, talk.begin("GET", Last_Event_ID="7") as second:
        assert first.next_event() is None
        talk.ask("DELETE")
        assert second.next_event() is None


def test_answers_are_lines_of_ascii_whatever_they_say(talk: Web) -> None:
    text = "é\u2028\r\n\ud83d\ude00"
    [answer] = talk.post(call(1, "echo", text=text), Accept="text/event-stream").events
    assert answer["result"]["content"][0]["text"].encode("utf-16", "surrogatepass").decode("utf-16") == (
        "é\u2028\r\n😀"
    )
