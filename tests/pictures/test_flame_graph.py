"""The flame graph of a profile: its frames, as SVG."""

from xml.etree import ElementTree

import pytest

from pharo_mcp.image.replies.evaluations import Profile, ProfileRow
from pharo_mcp.pictures import COLOURS, INK, MARGIN, WAITING, WIDTH, flame_graph_svg, lay_out

SVG = "{http://www.w3.org/2000/svg}"
ROWS = (
    ProfileRow(0, "(expression)", 1_000_000, waiting=250_000),
    ProfileRow(1, "Zoo>>feed:", 600_000, own=100_000),
    ProfileRow(2, "[ ] in Zoo>>feed:", 500_000, own=500_000, recursive=True),
    ProfileRow(1, "Delay>>wait", 250_000, own=250_000, waiting=250_000),
    ProfileRow(1, "Zoo>>open", 150_000, own=150_000),
)
PROFILE = Profile(400, 1_000_000, ROWS, (), waiting=250_000)


def test_callees_are_below_their_caller_side_by_side() -> None:
    expression, feed, block, delay, opening = lay_out(PROFILE)
    assert (expression.x, expression.width) == (MARGIN, WIDTH - 2 * MARGIN)
    assert feed.x == block.x == expression.x
    assert expression.y < feed.y < block.y
    assert feed.y == delay.y == opening.y
    assert delay.x == pytest.approx(feed.x + feed.width)
    assert opening.x == pytest.approx(delay.x + delay.width)


def test_a_frame_is_as_wide_as_its_share_of_the_time() -> None:
    expression, feed, *_ = lay_out(PROFILE)
    assert feed.width == pytest.approx(0.6 * expression.width)


def test_a_frame_that_waits_has_its_own_colour_and_others_that_of_their_class() -> None:
    expression, feed, block, delay, opening = lay_out(PROFILE)
    assert delay.colour == WAITING
    assert feed.colour == block.colour == opening.colour
    assert {expression.colour, feed.colour} <= set(COLOURS)


def test_a_frame_says_all_that_is_known_of_it() -> None:
    titles = [frame.title for frame in lay_out(PROFILE)]
    assert titles[1:4] == [
        "Zoo>>feed: (60.0 %, 600 ms, own 10.0 %)",
        "[ ] in Zoo>>feed: (50.0 %, 500 ms, own 50.0 %, recursive)",
        "Delay>>wait (25.0 %, 250 ms, own 25.0 %, waiting 25.0 %)",
    ]


def test_a_name_that_does_not_fit_is_cut_or_left_out() -> None:
    name = "Zoo>>feedAllAnimalsThatAreHungryBeforeNoon"
    rows = (ProfileRow(0, name, 100), ProfileRow(0, name, 10), ProfileRow(0, name, 1))
    wide, narrow, thin = lay_out(Profile(9, 111, rows, ()))
    assert wide.label == name
    assert narrow.label == "Zoo>>feedAllAni…"
    assert thin.label == ""


def test_frames_too_narrow_to_see_are_not_drawn() -> None:
    rows = (ProfileRow(0, "Zoo>>open", 1_000_000), ProfileRow(0, "Zoo>>close", 100))
    assert [frame.label for frame in lay_out(Profile(9, 1_000_100, rows, ()))] == ["Zoo>>open"]


def test_the_picture_is_the_same_for_the_same_profile() -> None:
    assert flame_graph_svg(PROFILE) == flame_graph_svg(PROFILE)


def test_the_svg_is_well_formed_whatever_methods_are_called() -> None:
    names = ("Zoo>>&<", 'Zoo>>"quoted"', "Zoo>>ünïcode", "Zoo>>nul\0and\x1bescape")
    profile = Profile(9, 400, tuple(ProfileRow(0, name, 100) for name in names), ())
    svg = ElementTree.fromstring(flame_graph_svg(profile))
    labels = [text.text for text in svg.iter(f"{SVG}text")][1:]
    assert labels == [*names[:3], "Zoo>>nul\ufffdand\ufffdescape"]


def test_the_svg_is_1200_wide_and_each_frame_has_a_title() -> None:
    svg = ElementTree.fromstring(flame_graph_svg(PROFILE))
    assert svg.get("width") == "1200"
    assert svg.findtext(f"{SVG}title") == "1.00 seconds in 400 samples, waiting 25.0 %"
    groups = svg.findall(f"{SVG}g")
    assert [group.findtext(f"{SVG}title") for group in groups] == [frame.title for frame in lay_out(PROFILE)]


def brightness(colour: str) -> float:
    """The relative luminance of a colour such as `#c3d0dd`, as WCAG defines it."""
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [*COLOURS, WAITING])
def test_names_are_readable_on_every_colour(colour: str) -> None:
    assert (brightness(colour) + 0.05) / (brightness(INK) + 0.05) > 7
