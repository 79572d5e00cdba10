from collections.abc import Mapping
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Catalog, Resource, ResourceContents
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, NEWEST_LEGACY


def tell(parameters: Mapping[str, str], call: Call) -> str:
    return f"{dict(parameters)}"


def template(uri_template: str) -> Resource:
    return Resource(uri_template, "Family", "A family of resources.", tell, is_template=True)


@pytest.mark.parametrize(
    ("uri_template", "uri", "values"),
    [
        ("pharo://class/{name}", "pharo://class/Object", {"name": "Object"}),
        ("pharo://class/{name}", "pharo://class/Object%20class", {"name": "Object class"}),
        ("pharo://class/{name}", "pharo://class/%C3%89t%C3%A9", {"name": "Été"}),
        ("pharo://{a}/x/{b}", "pharo://1/x/2", {"a": "1", "b": "2"}),
        ("pharo://m/{selector}", "pharo://m/at:put:", {"selector": "at:put:"}),
        ("pharo://m/{selector}", "pharo://m/%2F", {"selector": "/"}),
        ("pharo://class/{name}", "pharo://class/", None),
        ("pharo://class/{name}", "pharo://class/A/B", None),
        ("pharo://class/{name}", "pharo://class/A?x", None),
        ("pharo://class/{name}", "pharo://klass/A", None),
        ("pharo://class/{name}", "pharo://class/A\n", {"name": "A\n"}),
        ("pharo://a.b/{name}", "pharo://aXb/A", None),
    ],
)
def test_a_template_finds_its_values_in_a_uri(
    uri_template: str, uri: str, values: dict[str, str] | None
) -> None:
    assert template(uri_template).match(uri) == values


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_a_value_that_was_encoded_is_found_again(value: str) -> None:
    assert template("pharo://x/{value}").match("pharo://x/" + quote(value, safe="")) == {"value": value}


def test_an_exact_uri_comes_before_templates_and_templates_come_in_order() -> None:
    catalog = Catalog(
        resources=(Resource("pharo://class/Fixed", "Fixed", "One resource.", lambda _, call: "exact"),),
        templates=(template("pharo://class/{first}"), template("pharo://{second}/Other")),
    )

    def read(uri: str) -> str:
        reader = catalog.find_reader(uri)
        assert reader is not None
        [contents] = reader(Call())
        return str(contents.text)

    assert read("pharo://class/Fixed") == "exact"
    assert read("pharo://class/Other") == "{'first': 'Other'}"
    assert read("pharo://group/Other") == "{'second': 'group'}"


def test_a_handler_knows_the_uri_that_was_asked_for() -> None:
    heard = []

    def read(parameters: Mapping[str, str], call: Call) -> str:
        heard.append(call.uri)
        return ""

    family = template("pharo://x/{value}")._replace(read=read)
    reader = Catalog(templates=(family,)).find_reader("pharo://x/at%3A%2f7")
    assert reader is not None
    reader(Call())
    assert heard == ["pharo://x/at%3A%2f7"]


def test_other_uris_are_not_found() -> None:
    assert Catalog().find_reader("pharo://nowhere") is None


def test_contents_carry_uri_mime_type_text_and_type() -> None:
    assert ResourceContents("pharo://x", "text/plain", "here").encode() == {
        "uri": "pharo://x",
        "mimeType": "text/plain",
        "text": "here",
        "type": "text",
    }


def test_titles_are_listed_in_the_revisions_that_have_them() -> None:
    resource = Resource("pharo://x", "x", "An x.", tell, title="X")
    family = template("pharo://{x}")._replace(title="Y")
    second = LEGACY_REVISIONS["2025-03-26"]
    assert resource.encode(NEWEST_LEGACY) == {
        "uri": "pharo://x",
        "name": "x",
        "title": "X",
        "description": "An x.",
        "mimeType": "text/plain",
    }
    assert family.encode(NEWEST_LEGACY)["title"] == "Y"
    assert "title" not in resource.encode(second)
    assert "title" not in family.encode(second)
