"""Tool `take_screenshot`."""

import pytest

from image.servers import failure
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.catalog import ImageContent, TextContent
from pharo_mcp.tools.images import take_screenshot as take_screenshot_tool
from tools.calling import answering, result

SHOT = answering(png="iVBORw0KGgo=", width=800, height=600, windows=["Playground", "Transcript"])


def test_the_picture_is_a_picture_and_the_windows_are_named() -> None:
    assert result(take_screenshot_tool, "screenshot", SHOT).contents == (
        ImageContent("iVBORw0KGgo="),
        TextContent("The world, 800 by 600 pixels. Windows: Playground; Transcript."),
    )


def test_one_window_is_named() -> None:
    shot = answering(png="iVBORw0KGgo=", width=80, height=60, title="Playground")
    _, words = result(take_screenshot_tool, "screenshot", shot, window="Playground").contents
    assert words == TextContent("Window Playground, 80 by 60 pixels.")


def test_a_note_says_what_the_picture_shows() -> None:
    shot = answering(png="iVBORw0KGgo=", width=80, height=60, title="Playground", note="It is minimized.")
    _, words = result(take_screenshot_tool, "screenshot", shot, window="Playground").contents
    assert words == TextContent("Window Playground, 80 by 60 pixels. It is minimized.")


def test_an_image_without_a_display_is_refused() -> None:
    with pytest.raises(RequestRefused, match="no display"):
        result(
            take_screenshot_tool,
            "screenshot",
            lambda _: failure(501, "unavailable", "This image has no display."),
        )


def test_an_unknown_window_is_refused_with_a_hint_at_the_titles() -> None:
    with pytest.raises(RequestRefused, match="take_screenshot without a window"):
        result(
            take_screenshot_tool,
            "screenshot",
            lambda _: failure(404, "unknownWindow", "There is no window Zork."),
            window="Zork",
        )
