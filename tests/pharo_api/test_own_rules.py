"""A rule that would hold of nothing is noticed."""

from pathlib import Path

import pytest

from pharo_api.own_rules import COMPANION, PRACTICE_IMAGE, own_files


def test_a_folder_without_sources_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no Smalltalk in"):
        own_files(tmp_path)


@pytest.mark.parametrize("folder", [COMPANION, PRACTICE_IMAGE / "kernel", PRACTICE_IMAGE / "kernel13"])
def test_the_sources_of_the_rules_have_methods(folder: Path) -> None:
    assert any(file.methods for file in own_files(folder))
