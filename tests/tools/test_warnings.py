"""Warnings that were resumed in the image, such as Monticello's, in the answers of tools about projects."""

from collections.abc import Callable

import pytest

from image.servers import Reply, value
from pharo_mcp.protocol.tools import Tool
from pharo_mcp.tools.commit import commit_tool
from pharo_mcp.tools.export_package import export_package_tool
from pharo_mcp.tools.import_package import import_package_tool
from pharo_mcp.tools.take_screenshot import take_screenshot_tool
from tools.calling import text

NO_CHANGES = {"total": 0, "items": []}


@pytest.mark.parametrize(
    ("make", "path", "reply", "arguments"),
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
    make: Callable[..., Tool], path: str, reply: dict[str, object], arguments: dict[str, object]
) -> None:
    def answer(_: object) -> Reply:
        status, body = value(reply)
        return status, {**body, "warnings": ["It depends on TFoo."]}

    shown = text(make, path, answer, **arguments)
    assert shown.endswith("\nWarnings:\n    It depends on TFoo.")
