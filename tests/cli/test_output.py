"""What the command line prints of a result."""

from pathlib import Path

import pytest

from pharo_mcp.cli.call import save_picture
from pharo_mcp.cli.ending import CommandFailed
from pharo_mcp.cli.terminal import text_of
from pharo_mcp.protocol.catalog import ImageContent, OtherContent, ResourceLink, TextContent, ToolResult


def test_each_block_of_a_result_is_text_for_a_person() -> None:
    blocks = (
        TextContent("7"),
        ImageContent("QUJD"),
        ResourceLink("pharo://evaluation/e-1/flame-graph", "Flame graph", "image/svg+xml"),
        OtherContent({"type": "audio"}),
    )
    assert text_of(ToolResult(blocks)).split("\n\n") == [
        "7",
        "[image/png, 3 bytes: --output writes it to a file]",
        "[pharo://evaluation/e-1/flame-graph]",
        "[audio: use --json to get it]",
    ]


def test_a_picture_is_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "window.png"
    saved = save_picture(ToolResult((TextContent("a Form"), ImageContent("QUJD"))), str(file))
    assert file.read_bytes() == b"ABC"
    assert text_of(saved) == f"a Form\n\nThe picture (image/png, 3 bytes) was written to {file}."


def test_without_a_picture_no_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "window.png"
    with pytest.raises(CommandFailed, match=r"the result has no picture, so .* was not written:\n7"):
        save_picture(ToolResult.from_text("7"), str(file))
    assert not file.exists()
