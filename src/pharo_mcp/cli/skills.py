"""`pharo-mcp skills`: what an assistant can learn about work in Pharo, for clients that have no plugins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pharo_mcp.resources import built_in_skills

from .commands import SKILL_FOLDERS
from .ending import CommandFailed


def run(options: Mapping[str, Any]) -> int:
    """List the skills, or write them into a client's folder, in place of those of the same names."""
    if client := options.get("install"):
        install(Path.home() / SKILL_FOLDERS[client])
    else:
        for skill in built_in_skills():
            print(f"{skill.name}\n    {skill.description}")
    return 0


def install(folder: Path) -> None:
    """Write each skill into a folder of its own, and print where.

    Raises:
        CommandFailed: If the system does not let it write there.
    """
    for skill in built_in_skills():
        file = folder / skill.name / "SKILL.md"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(skill.text.encode())
        except OSError as error:
            raise CommandFailed(f"cannot write {file}: {error.strerror}") from error
        print(file)
