"""Tool `import_package`."""

import pytest

from image.servers import exchange
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.tools.projects import import_package as import_package_tool
from tools.calling import answering, text

IMPORTED = answering(folder="/zoo/src", packages=["Zoos"], changes=[4, 5])


def test_an_import_names_the_packages_and_its_changes() -> None:
    assert text(import_package_tool, "package/import", IMPORTED, folder="/zoo/src").splitlines() == [
        "Loaded from /zoo/src: Zoos.",
        "Changes 4\N{EN DASH}5.",
    ]


def test_an_import_that_would_lose_changes_is_refused_with_the_next_steps() -> None:
    with pytest.raises(RequestRefused, match=r"Nothing was loaded.*\n.*overwrite: true.*export_package"):
        text(
            import_package_tool,
            "package/import",
            exchange("package_import_unsaved"),
            folder="/zoo/src",
            overwrite=False,
        )
