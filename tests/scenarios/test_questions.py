"""A model runs code that asks the person three questions in a row, and the person declines one."""

import pytest

from asked import DECLINED, AskedClient, accepted
from programs import LiveImage
from scenarios.test_working_day import Model

ORDER = """| name size |
name := UIManager default request: 'Whose pizza?' initialAnswer: 'Ada'.
size := UIManager default chooseFrom: #(30 40) values: #(30 40) title: 'What size?'.
(UIManager default confirm: 'Order it now?') ifFalse: [ ^ 'not now' ].
name , ' gets ' , size printString"""

ANSWERS = {
    "Whose pizza?": accepted("Grace"),
    "What size?": accepted("40"),
    "Order it now?": accepted(answer=True),
}


@pytest.mark.parametrize("declined", [None, *ANSWERS])
def test_an_order_is_asked_for_bit_by_bit(image: LiveImage, declined: str | None) -> None:
    with AskedClient(env=image.env()) as client:
        client.shake_hands()
        client.answers = {**ANSWERS, **({declined: DECLINED} if declined else {})}
        model = Model(client)
        if declined is None:
            assert model("evaluate", expression=ORDER).startswith("'Grace gets 40'")
        else:
            told = model.failing("evaluate", expression=ORDER)
            assert told.startswith("ProvideAnswerNotification: ")
            assert "the person declined to answer" in told
        asked = list(ANSWERS)
        assert client.asked == (asked[: asked.index(declined) + 1] if declined else asked)
        assert "Running evaluations: none" in model("get_status")
