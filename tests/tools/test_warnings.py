"""Warnings that were resumed in the image, such as Monticello's, in the answers of tools about projects."""

import pytest

from image.servers import Reply, value
from pharo_mcp.tools.declaration import BuiltInTool
from pharo_mcp.tools.images import take_screenshot as take_screenshot_tool
from pharo_mcp.tools.projects import commit as commit_tool
from pharo_mcp.tools.projects import export_package as export_package_tool
from pharo_mcp.tools.projects import import_package as import_package_tool
from tools.calling import text

NO_CHANGES = {"total": 0, "items": []}


@pytest.mark.parametrize(
    ("tool", "path", "reply", "arguments"),
    [
        (import_package_tool, "package/import", {"folder": "/zoo", "packages": ["Zoos"]}, {"folder": "/zoo"}),
        (
            export_package_tool,
            "package/export",
            {"packageName": "Zoos", "folder": "/zoo"},
            {"package_name": "Zoos", "folder": "/zoo"},
        ),
        (
            commit_tool,
            "repository/commit",
            {"repository": "zoo", "branch": "main", "changes": NO_CHANGES},
            {"preview": True},
        ),
        (commit_tool, "repositories", {"repositories": []}, {}),
        (take_screenshot_tool, "screenshot", {"png": "iVBORw0KGgo=", "width": 8, "height": 6}, {}),
    ],
)
def test_warnings_are_shown(
    tool: BuiltInTool, path: str, reply: dict[str, object], arguments: dict[str, object]
) -> None:
    def answer(_: object) -> Reply:
        status, body = value(reply)
        return status, {**body, "warnings": ["It depends on TFoo."]}

    shown = text(tool, path, answer, **arguments)
    assert shown.endswith("\nWarnings:\n    It depends on TFoo.")
