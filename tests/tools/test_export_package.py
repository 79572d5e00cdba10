"""Tool `export_package`."""

import pytest

from image.servers import exchange
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.tools.projects import export_package as export_package_tool
from tools.calling import answering, text

EXPORTED = answering(packageName="Zoos", folder="/zoo/src", files=["Zoo.class.st"])


def test_an_export_names_the_folder() -> None:
    words = text(export_package_tool, "package/export", EXPORTED, package_name="Zoos", folder="/zoo/src")
    assert words == "Exported package Zoos to /zoo/src (1 file)."


def test_a_folder_that_is_not_allowed_is_refused_with_the_allowed_ones() -> None:
    with pytest.raises(RequestRefused, match="Allowed: /home/me/projects"):
        text(
            export_package_tool,
            "package/export",
            exchange("package_export_forbidden"),
            package_name="Zoos",
            folder="/etc",
        )
