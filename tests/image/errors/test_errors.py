"""The words of errors."""

import pytest

from pharo_mcp.address import Address
from pharo_mcp.image.connection import other_version
from pharo_mcp.image.errors import (
    AnswerLost,
    ImageError,
    ImageSilent,
    ImageUnreachable,
    SmalltalkError,
    StrangerOnPort,
    WrongToken,
    to_the_user,
)
from pharo_mcp.image.images import LiveImage, no_image_found
from pharo_mcp.image.replies.evaluations import Failure, Frame, Variable

URL = "http://127.0.0.1:50123"
FOLDER = "/home/me/.pharo-mcp/images"
ARK = LiveImage("Ark", "Pharo 13.0", "/home/me/ark.image", URL)


@pytest.mark.parametrize(
    "error",
    [
        no_image_found(FOLDER, None),
        no_image_found(FOLDER, "Zoo", live=[ARK]),
        ImageUnreachable(URL),
        ImageSilent(URL),
        StrangerOnPort(URL, "its status is not valid"),
        other_version(URL, "0.0.1", companion_is_older=True),
        other_version(URL, "99.0.0", companion_is_older=False),
        WrongToken(URL),
        AnswerLost(URL, "it ended"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_only_a_person_can_do_an_assistant_asks_the_user_for(error: ImageError) -> None:
    assert "sk the user to " in error.message
    told = to_the_user(error.message)
    assert "the user to" not in told
    assert told.partition("\n")[0] == error.message.partition("\n")[0]


def test_a_request_begins_with_a_capital_letter_where_it_begins_a_sentence() -> None:
    assert to_the_user("Ended. Ask the user to stop it.") == "Ended. Stop it."
    assert to_the_user("Ended; ask the user to stop it.") == "Ended; stop it."


def test_the_cause_comes_first_then_the_place_then_the_stack() -> None:
    failure = Failure(
        "exception",
        "#foo was sent to nil",
        class_="MessageNotUnderstood",
        receiver="nil",
        selector="doesNotUnderstand:",
        stack=("UndefinedObject(Object)>>doesNotUnderstand: #foo", "UndefinedObject>>DoIt"),
    )
    assert SmalltalkError(failure).message.splitlines() == [
        "MessageNotUnderstood: #foo was sent to nil",
        "Stack:",
        "    1 UndefinedObject(Object)>>doesNotUnderstand: #foo",
        "    2 UndefinedObject>>DoIt",
    ]


@pytest.mark.parametrize(
    ("text", "receiver", "selector", "stack", "shown"),
    [
        ("", "3", "/", ("SmallInteger>>/",), ["Receiver: 3"]),
        ("3 has none", "3", "/", ("SmallInteger>>/",), []),
        ("30 have none", "3", "/", ("SmallInteger>>/",), ["Receiver: 3"]),
        ("#foo was sent", "a Zoo", "foo", ("Zoo(Object)>>doesNotUnderstand: #foo",), []),
        ("#foo: was sent", "a Zoo", "foo", ("[ ] in Zoo>>food",), ["Receiver: a Zoo", "Selector: foo"]),
        ("", "an Owl(3)", "foo", ("Owl>>foo -- ^ 3",), ["Receiver: an Owl(3)"]),
        ("", "false", "foo", ("False>>foo",), []),
        ("", "nil", "foo", (), ["Receiver: nil", "Selector: foo"]),
    ],
)
def test_receiver_and_selector_are_named_unless_cause_or_stack_show_them(
    text: str, receiver: str, selector: str, stack: tuple[str, ...], shown: list[str]
) -> None:
    failure = Failure("exception", text, class_="E", receiver=receiver, selector=selector, stack=stack)
    lines = SmalltalkError(failure).message.splitlines()
    assert [line for line in lines if line.startswith(("Receiver", "Selector"))] == shown


def test_a_frame_of_nil_without_variables_is_left_out() -> None:
    frames = (Frame(1, "nil"), Frame(2, "nil", (Variable("each", "3"),), 1), Frame(3, "a Zoo"))
    message = SmalltalkError(Failure("exception", "", class_="E", frames=frames)).message
    assert message.splitlines() == ["E", "Frame 2: self = nil, each = 3", "Frame 3: self = a Zoo"]


@pytest.mark.parametrize(
    ("selector", "is_definition"),
    [
        ("subclass:instanceVariableNames:classVariableNames:package:", True),
        ("variableByteSubclass:instanceVariableNames:", True),
        ("named:uses:package:", True),
        ("subclass:", False),
        ("foo", False),
    ],
)
def test_a_definition_that_the_image_lacks_is_for_edit_code(selector: str, is_definition: bool) -> None:
    failure = Failure("exception", "not understood", class_="MessageNotUnderstood", selector=selector)
    assert ("edit_code understands it as a definition" in SmalltalkError(failure).message) is is_definition


def test_without_a_text_the_class_stands_alone() -> None:
    failure = Failure("exception", "", class_="ZeroDivide")
    assert SmalltalkError(failure).message == "ZeroDivide"


@pytest.mark.parametrize("indent", ["", "\t", "  \t "])
def test_a_syntax_error_is_shown_in_its_line(indent: str) -> None:
    line = f"{indent}x := 3 + ."
    failure = Failure("syntax", "Variable expected", line=2, column=len(indent) + 10, source_line=line)
    assert SmalltalkError(failure).message.splitlines() == [
        "Syntax error: Variable expected (line 2, column " + str(len(indent) + 10) + ")",
        f"    {line}",
        f"    {indent}         ^",
        "Nothing ran.",
    ]


@pytest.mark.parametrize(("before", "cut"), [(5, 5), (100_000, 101)])
def test_a_syntax_error_in_a_long_line_is_shown_with_what_surrounds_it(before: int, cut: int) -> None:
    line = f"{'x' * before}!{'y' * 100_000}"
    failure = Failure("syntax", "No", line=1, column=before + 1, source_line=line)
    _, shown, caret, _ = SmalltalkError(failure).message.splitlines()
    assert shown[4:].strip("…").strip("xy") == "!"
    assert (caret.index("^"), shown.index("!")) == (cut + 4, cut + 4)
    assert len(shown) < 210


def test_the_token_is_in_no_representation_of_an_address() -> None:
    address = Address.parse("http://127.0.0.1:50123/", "5ec2e7")
    assert "5ec2e7" not in f"{address!r} {address!s} {address}"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org:80",
        "http://127.0.0.1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:65536",
        "http://127.0.0.1:80@example.org",
        "http://127.0.0.1:80/path",
        "https://127.0.0.1:80",
        "http://[::1]:80",
        "127.0.0.1:80",
        "",
    ],
)
def test_only_this_machine_is_an_address(url: str) -> None:
    with pytest.raises(ValueError, match="must be like"):
        Address.parse(url, "5ec2e7")


def test_localhost_means_the_loopback_of_ip_version_4() -> None:
    assert Address.parse("http://localhost:50123", "5ec2e7").url == "http://127.0.0.1:50123"


@pytest.mark.parametrize("token", ["", "with space", "line\r\nX: y", "\u00e9"])
def test_a_token_that_no_header_can_carry_is_refused_without_repeating_it(token: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII") as raised:
        Address.parse("http://127.0.0.1:1", token)
    assert not token or token not in str(raised.value)


def test_an_image_that_quits_is_not_one_that_is_being_saved() -> None:
    quitting = Failure("quitting", "The image is quitting, and the evaluation ends with it.")
    assert SmalltalkError(quitting).message.splitlines() == [
        "The image is quitting, and the evaluation ends with it.",
        "Nothing answers until somebody opens the image again. What was not saved in it is lost.",
    ]


@pytest.mark.parametrize(
    ("declined", "reason"),
    [
        (None, "this client cannot ask its user"),
        ("password", "no password is asked through a client"),
        ("unaskable", "it cannot be asked in a form"),
        ("busy", "too many questions are open"),
        ("declined", "the person declined to answer"),
    ],
)
def test_a_question_that_nobody_answered_has_the_reason(declined: str | None, reason: str) -> None:
    failure = Failure("question", "Your password?", declined=declined)
    assert reason in SmalltalkError(failure).message
