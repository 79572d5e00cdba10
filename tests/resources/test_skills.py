"""The skills of pharo-mcp and those of an image: what is listed is what is read."""

from collections.abc import Mapping

import pytest
from ruamel.yaml import YAML

from pharo_mcp.image.replies.registrations import RegisteredSkill
from pharo_mcp.protocol.catalog import Skill
from pharo_mcp.resources import FOLDER, built_in_skills, registered_skill, skill_in

ODD = ["Use: it", "- a list", 'a "quoted" word', "# no comment", "back\\slash, Zürich, 東京", "yes", "7"]


def frontmatter(skill: Skill) -> Mapping[str, object]:
    """The frontmatter of a skill, as a YAML library reads it."""
    begin, yaml, _ = skill.text.split("---\n", 2)
    assert begin == ""
    read: Mapping[str, object] = YAML(typ="safe").load(yaml)
    return read


@pytest.mark.parametrize("skill", built_in_skills(), ids=lambda skill: skill.name)
def test_a_skill_is_read_as_a_yaml_library_reads_it(skill: Skill) -> None:
    assert frontmatter(skill) == {"name": skill.name, "description": skill.description}


def test_the_folders_of_the_skills_have_their_names() -> None:
    assert {skill.name for skill in built_in_skills()} == {path.parent.name for path in FOLDER.glob("*/*")}


def test_the_skill_to_begin_with_comes_first() -> None:
    assert built_in_skills()[0].name == "pharo-first-hour"


@pytest.mark.parametrize("description", ODD)
def test_any_description_of_an_image_survives(description: str) -> None:
    skill = registered_skill(RegisteredSkill("shop-7", description, "# How we work"))
    assert frontmatter(skill) == {"name": "shop-7", "description": description}
    assert skill_in(skill.text) == skill
    assert skill.text.endswith("---\n\n# How we work\n")
