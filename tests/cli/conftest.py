"""What tests of several commands share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pharo_mcp.app.processes import end_recorded, launch_records


@pytest.fixture
def ended_images(home: Path) -> Iterator[None]:
    """End the images that a test has launched and, if it failed, has not stopped."""
    yield
    folder = home / ".pharo-mcp"
    for record in launch_records(str(folder / "launched")):
        end_recorded(record, str(folder / "images"))
