"""What the command line prints of a result."""

from pharo_mcp.cli.output import text_of
from pharo_mcp.protocol import ImageContent, OtherContent, ResourceLink, TextContent, ToolResult


def test_each_block_of_a_result_is_text_for_a_person() -> None:
    blocks = (
        TextContent("7"),
        ImageContent("QUJD"),
        ResourceLink("pharo://evaluation/e-1/flame-graph", "Flame graph", "image/svg+xml"),
        OtherContent({"type": "audio"}),
    )
    assert text_of(ToolResult(blocks)).split("\n\n") == [
        "7",
        "[image/png, 3 bytes: use --json to get it]",
        "[pharo://evaluation/e-1/flame-graph]",
        "[audio: use --json to get it]",
    ]
