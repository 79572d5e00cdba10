import threading

from over_http.serving import Web, as_body, call
from programs import PATIENCE
from server.conversation import Workbench


def counting(request_id: int) -> dict[str, object]:
    message = call(request_id, "count", numbers=[1, 2])
    message["params"]["_meta"] = {"progressToken": f"p{request_id}"}
    return message


def test_a_quick_response_is_json(session: Web) -> None:
    reply = session.post(call(1, "echo", text="hi"))
    assert reply.headers["content-type"] == "application/json"
    assert reply.json["result"]["content"][0]["text"] == "hi"


def test_a_response_with_progress_is_a_stream_of_events(session: Web) -> None:
    first, second, answer = session.post(counting(1)).events
    assert first["params"] == {"progressToken": "p1", "progress": 1, "message": "at 1"}
    assert second["params"]["progress"] == 2
    assert answer["id"] == 1


def test_a_client_that_accepts_only_json_gets_only_the_answer(session: Web, workbench: Workbench) -> None:
    assert session.post(counting(1), Accept="application/json").json["id"] == 1


def test_a_client_that_accepts_only_events_gets_events(session: Web) -> None:
    assert [
        event["id"] for event in session.post(counting(1) | {"id": 3}, Accept="text/event-stream").events[2:]
    ]
    [answer] = session.post(call(1, "echo", text="hi"), Accept="text/event-stream; q=0.9").events
    assert answer["result"]["content"][0]["text"] == "hi"


def test_a_client_without_accept_accepts_everything(session: Web) -> None:
    for accept in (None, "*/*", "text/html, application/*"):
        assert session.post(call(1, "echo", text="hi"), Accept=accept).json["id"] == 1


def test_a_client_that_accepts_neither_is_rejected(session: Web) -> None:
    assert session.post(call(1, "echo", text="hi"), Accept="text/html").status == 406
    assert session.ask("GET", Accept="application/json").status == 406


def test_the_response_to_a_long_request_starts_before_the_answer(session: Web, workbench: Workbench) -> None:
    with session.begin("POST", as_body(call(1, "wait"))) as response:
        assert response.raw.getheader("content-type") == "text/event-stream"
        workbench.released.set()
        assert response.next_event()["result"]["content"][0]["text"] == "released"


def test_concurrent_answers_go_to_their_requests(session: Web, workbench: Workbench) -> None:
    with session.begin_call("slow", "wait") as slow:
        assert workbench.started.wait(PATIENCE)
        differences: list[int] = []

        def ask(number: int) -> None:
            differences.append(session.post(counting(number)).events[-1]["id"] - number)

        threads = [threading.Thread(target=ask, args=[number]) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert differences == [0] * 20
        workbench.released.set()
        assert slow.next_event()["id"] == "slow"


def test_a_new_get_replaces_the_previous_one(session: Web) -> None:
    with session.begin("GET") as first, session.begin("GET") as second:
        assert first.next_event() is None
        session.ask("DELETE")
        assert second.next_event() is None


def test_answers_are_ascii_lines_with_any_text(session: Web) -> None:
    text = "é\u2028\r\n\ud83d\ude00"
    [answer] = session.post(call(1, "echo", text=text), Accept="text/event-stream").events
    assert answer["result"]["content"][0]["text"].encode("utf-16", "surrogatepass").decode("utf-16") == (
        "é\u2028\r\n😀"
    )
