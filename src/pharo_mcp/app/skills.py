"""The skills: those of pharo-mcp, from its folder `skills`, and those that an image registers.

A SKILL.md begins with its name and description, in the part of YAML that needs no YAML library to be read:

    ---
    name: pharo-debug
    description: How to find the cause of an error. Use when a test fails.
    ---

A value stands as it is, or in double quotes as in JSON.
"""

import json
from functools import cache
from pathlib import Path

from pharo_mcp.image.replies.registrations import RegisteredSkill
from pharo_mcp.protocol.catalog import Skill

FOLDER = Path(__file__).parents[1] / "skills"
BEGIN, END = "---\n", "\n---\n"


@cache
def built_in_skills() -> tuple[Skill, ...]:
    """Return the skills of pharo-mcp, the one to begin with first."""
    files = sorted(FOLDER.glob("*/SKILL.md"), key=lambda file: (file.parent.name != "pharo-first-hour", file))
    return tuple(skill_in(file.read_bytes().decode()) for file in files)


def skill_in(text: str) -> Skill:
    """Return the skill that is the text of a SKILL.md."""
    lines = text.removeprefix(BEGIN).partition(END)[0].splitlines()
    values = dict(line.split(": ", 1) for line in lines)
    name, description = (json.loads(word) if word.startswith('"') else word for word in values.values())
    return Skill(name, description, text)


def registered_skill(registered: RegisteredSkill) -> Skill:
    """Return the skill that an image registers."""
    pairs = (("name", registered.name), ("description", registered.description))
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in pairs]
    return Skill(
        registered.name, registered.description, BEGIN + "\n".join(lines) + END + f"\n{registered.text}\n"
    )
