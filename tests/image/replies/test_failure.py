from pharo_mcp.image.replies.evaluations import Frame, Variable, numbered

"""Frames and stacks in the words of an answer."""


def test_a_frame_is_shown_with_its_receiver_and_its_variables() -> None:
    variables = (Variable("each", "3"), Variable("sum", "nil"))
    assert str(Frame(2, "a Zoo", variables, 2)) == "Frame 2: self = a Zoo, each = 3, sum = nil"
    assert str(Frame(2, "a Zoo")) == "Frame 2: self = a Zoo"


def test_variables_that_are_not_shown_are_counted() -> None:
    assert str(Frame(1, "nil", (Variable("a", "1"),), 30)) == "Frame 1: self = nil, a = 1 … and 29 more"


def test_frames_have_numbers_and_notes_have_none() -> None:
    stack = ("Zoo>>open", "… 998 more of the same", "DoIt", "(printing the value)")
    assert list(numbered(stack)) == [
        "1 Zoo>>open",
        "… 998 more of the same",
        "2 DoIt",
        "(printing the value)",
    ]


def test_below_a_gap_numbers_are_not_known() -> None:
    assert list(numbered(("Zoo>>open", "...", "ZooTest>>testOpen"))) == [
        "1 Zoo>>open",
        "...",
        "ZooTest>>testOpen",
    ]
