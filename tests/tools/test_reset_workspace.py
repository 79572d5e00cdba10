"""Tool `reset_workspace`."""

from image.servers import Remembering, asking, value
from pharo_mcp.protocol import Call, TextContent
from pharo_mcp.tools.reset_workspace import reset_workspace_tool


def test_it_names_the_removed_variables() -> None:
    workspace = Remembering(
        lambda body: value({"workspace": body["workspace"], "variables": ["x", "y"]}),
        lambda body: value({"workspace": body["workspace"], "variables": []}),
    )
    with asking(workspace=workspace) as image:
        tool = reset_workspace_tool(image, structured=False)
        first, second = tool.call({}, Call()), tool.call({"workspace": "mine"}, Call())
    assert workspace.asked == [
        {"workspace": "default", "reset": True},
        {"workspace": "mine", "reset": True},
    ]
    assert first.contents == (TextContent("Workspace default is empty. Removed variables: x, y."),)
    assert second.contents == (TextContent("Workspace mine is empty. Removed variables: none."),)
