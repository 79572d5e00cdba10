"""The names that the companion keeps for pharo-mcp itself, against what pharo-mcp has."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.tools.all import TOOLS

REGISTRATIONS = Path(__file__).parents[2] / "pharo" / "PharoMcp-Registrations"


@pytest.fixture
def catalog() -> Catalog:
    """All that is offered of any image; none is asked."""
    return catalog_for(ImageClient(at(Address(1, "none"))))


def assert_takes(class_name: str, names: Iterable[str]) -> None:
    """Fail unless a class keeps exactly these names."""
    path, expected = REGISTRATIONS / f"{class_name}.class.st", set(names)
    method = rf"{class_name} class >> builtInNames \[\n\n\t\^ #\((.*?)\)\n\]"
    found = re.search(method, path.read_text("utf-8"), re.S)
    kept = set(re.findall(r"'([\w-]+)'", found[1])) if found else set()
    if kept != expected:
        pytest.fail(f"{path.name} keeps other names than pharo-mcp has: run scripts/generate", pytrace=False)


def test_no_image_offers_a_tool_by_the_name_of_ours() -> None:
    assert_takes("PmcTool", (row.name for row in TOOLS))


def test_no_image_offers_a_prompt_by_the_name_of_ours(catalog: Catalog) -> None:
    assert_takes("PmcPrompt", (prompt.name for prompt in catalog.prompts))


def test_all_that_is_read_of_ours_is_of_a_scheme_that_no_image_offers(catalog: Catalog) -> None:
    uris = [each.uri for each in catalog.resources] + [each.uri for each in catalog.templates]
    assert all(uri.startswith(("pharo:", "skill://pharo-")) for uri in uris)
