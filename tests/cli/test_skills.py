"""`pharo-mcp skills` lists the skills and copies them into the folder of a client."""

from pathlib import Path

import pytest

from cli.running import run
from pharo_mcp.cli.commands import SKILL_FOLDERS
from pharo_mcp.resources import built_in_skills


def test_each_skill_is_listed_with_its_description(tmp_path: Path) -> None:
    shown = run("skills", home=tmp_path).stdout.splitlines()
    assert shown == [line for each in built_in_skills() for line in (each.name, f"    {each.description}")]
    assert not [*tmp_path.rglob("SKILL.md")]


@pytest.mark.parametrize("client", SKILL_FOLDERS)
def test_the_skills_are_copied_as_they_are(tmp_path: Path, client: str) -> None:
    older = tmp_path / SKILL_FOLDERS[client] / "pharo-debug" / "SKILL.md"
    older.parent.mkdir(parents=True)
    older.write_text("an older one")
    result = run("skills", "--install", client, home=tmp_path)
    files = [tmp_path / SKILL_FOLDERS[client] / each.name / "SKILL.md" for each in built_in_skills()]
    assert (result.returncode, result.stdout.splitlines()) == (0, list(map(str, files)))
    assert [file.read_bytes().decode() for file in files] == [each.text for each in built_in_skills()]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("a file")
    result = run("skills", "--install", "cursor", home=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("pharo-mcp: Not a directory: ")
    assert ".cursor/skills/pharo-first-hour" in result.stderr
