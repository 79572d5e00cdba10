"""The last change of code, named where the image does not answer after it."""

from typing import Any

import pytest

from image.servers import Reply, asking, failure, value
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import AnswerLost, ImageError

METHOD = {"className": "Object", "side": "class", "selector": "new", "created": False}
EDITED: dict[str, Any] = {"classes": [], "methods": [METHOD], "removed": [], "unchanged": 0, "changes": [8]}


def lost(_: Any) -> Reply:
    raise ConnectionResetError


def words_of_a_lost_answer(image: ImageClient) -> str:
    with pytest.raises(AnswerLost) as raised:
        image.ask(endpoints.VERSION)
    return raised.value.message


def test_the_first_answer_that_is_lost_names_the_last_change() -> None:
    with asking(**{"code/edit": lambda _: value(EDITED), "version": lost}) as image:
        image.ask(endpoints.EDIT, text="Object class >> new [ ^ nil ]", confirm=True)
        first, second = words_of_a_lost_answer(image), words_of_a_lost_answer(image)
    assert "The last change of code in the image was of Object class >> new." in first
    assert "start it again without that change" in first
    assert "last change" not in second


def test_a_companion_that_fails_after_a_change_names_it() -> None:
    broken = failure(500, "internal", "The companion failed: MessageNotUnderstood")
    with asking(**{"code/edit": lambda _: value(EDITED), "version": lambda _: broken}) as image:
        image.ask(endpoints.EDIT, text="Object class >> new [ ^ nil ]", confirm=True)
        with pytest.raises(ImageError, match=r"The last change of code .* was of Object class >> new\."):
            image.ask(endpoints.VERSION)


def test_a_change_that_changed_nothing_is_not_named() -> None:
    with asking(**{"code/edit": lambda _: value({**EDITED, "changes": []}), "version": lost}) as image:
        image.ask(endpoints.EDIT, text="Object class >> new [ ^ super new ]")
        assert "last change" not in words_of_a_lost_answer(image)


def test_a_preview_is_not_named_and_what_was_done_is() -> None:
    impact = {"sends": 0, "classes": 0, "items": []}
    answers = {
        True: value({"preview": True, "impact": impact}),
        False: value({"preview": False, "impact": impact, "changes": [9]}),
    }
    with asking(**{"method/move": lambda body: answers[body["preview"]], "version": lost}) as image:
        image.ask(endpoints.MOVE_METHOD, class_name="Zoo", selector="open", to_class="Ark", preview=True)
        assert "last change" not in words_of_a_lost_answer(image)
        image.ask(endpoints.MOVE_METHOD, class_name="Zoo", selector="open", to_class="Ark", preview=False)
        assert "was of Zoo >> open." in words_of_a_lost_answer(image)


@pytest.mark.parametrize(
    ("arguments", "items"),
    [
        ({"class_name": "Zoo", "side": "class", "selector": "open"}, []),
        ({"number": 3}, [{"className": "Zoo", "side": "class", "selector": "open"}]),
    ],
)
def test_a_refactoring_of_the_class_side_is_named_with_its_side(
    arguments: dict[str, Any], items: list[dict[str, str]]
) -> None:
    impact = {"sends": 1, "classes": 1, "items": items}
    done = value({"preview": False, "impact": impact, "changes": [9]})
    with asking(**{"refactoring/apply": lambda _: done, "version": lost}) as image:
        image.ask(endpoints.APPLY, **arguments)
        assert "was of Zoo class >> open." in words_of_a_lost_answer(image)
