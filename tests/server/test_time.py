"""Every request has 45 seconds from its arrival, on a clock that the tests turn."""

from server.conversation import Conversation


class Clock:
    """Shows what it is told to show."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_handler_sees_what_is_left_of_the_time_since_its_request_came() -> None:
    clock = Clock()
    conversation = Conversation(clock=clock)
    conversation.shake_hands()
    conversation.call(1, "wait")
    assert conversation.workbench.started.wait(10)
    assert conversation.workbench.waiting.remaining == 45.0
    clock.now += 30
    assert conversation.workbench.waiting.remaining == 15.0
    conversation.call(2, "remaining")
    assert conversation.receive()["result"]["content"][0]["text"] == "45.0"
    conversation.workbench.released.set()
    conversation.rest()
