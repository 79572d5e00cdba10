"""What more than one judge looks at."""

import subprocess
from collections.abc import Iterator

import pytest

from programs import COMMAND, LiveImage, Program
from third_party.web import TOKEN


@pytest.fixture(scope="module")
def url(image: LiveImage) -> Iterator[str]:
    """Where the program serves HTTP for an image."""
    command = ["sh", "-c", 'exec "$@" 2>&1', "sh", *COMMAND, "--http", "0"]
    with Program(command, image.env(PHARO_MCP_HTTP_TOKEN=TOKEN), subprocess.DEVNULL) as program:
        yield (program.read_line() or b"").decode().split()[-1]
