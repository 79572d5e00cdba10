"""The names that the companion keeps for pharo-mcp itself, against what pharo-mcp has."""

import re
from pathlib import Path

import pytest

from pharo_mcp.app.offers import offers_for
from pharo_mcp.image import Address, ImageClient, at
from pharo_mcp.protocol import Offers

MODEL = Path(__file__).parents[2] / "pharo" / "PharoMcp-Model"


@pytest.fixture
def offers() -> Offers:
    """All that is offered of any image; none is asked."""
    return offers_for(ImageClient(at(Address(1, "none"))), all_tools=True)


def names_kept_by(class_name: str) -> set[str]:
    source = (MODEL / f"{class_name}.class.st").read_text("utf-8")
    found = re.search(rf"{class_name} class >> builtInNames \[\n\n\t\^ #\((.*?)\)\n\]", source, re.S)
    assert found, "the names are no literal array"
    return set(re.findall(r"'([\w-]+)'", found[1]))


def test_no_image_offers_a_tool_by_the_name_of_ours(offers: Offers) -> None:
    assert names_kept_by("PmcTool") == {tool.name for tool in offers.tools}


def test_no_image_offers_a_prompt_by_the_name_of_ours(offers: Offers) -> None:
    assert names_kept_by("PmcPrompt") == {prompt.name for prompt in offers.prompts}


def test_all_that_is_read_of_ours_is_of_a_scheme_that_no_image_offers(offers: Offers) -> None:
    uris = [resource.uri for resource in offers.resources] + [each.uri_template for each in offers.templates]
    assert all(uri.startswith("pharo:") for uri in uris)
