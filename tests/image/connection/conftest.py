"""The folder that companions write their files into."""

from pathlib import Path

import pytest

from pharo_mcp.image.connection_files import folder_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder of connection files, in a home folder of its own."""
    folder = Path(folder_in(str(tmp_path)))
    folder.mkdir(parents=True)
    return folder
