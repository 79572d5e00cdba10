"""An image that we start: only where nobody has it open."""

import os
from pathlib import Path
from time import monotonic

import pytest

from pharo_mcp.app import launched
from pharo_mcp.app.launched import ImageNotStarted, Launch, Launched

PATIENCE = 10.0


def image_in(folder: Path) -> Path:
    image = folder / "Zoo.image"
    image.touch()
    image.with_suffix(".changes").touch()
    return image


def outcome(launch: Launch) -> str:
    """Why it did not start."""
    starting = Launched(launch)
    starting.start()
    try:
        with pytest.raises(ImageNotStarted) as raised:
            starting.locate(monotonic() + PATIENCE)
    finally:
        starting.stop()
    return raised.value.message


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells at once what is open")
def test_an_open_image_is_awaited_and_then_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launched, "CLOSING_SECONDS", 0.1)
    image = image_in(tmp_path)
    with image.with_suffix(".changes").open("ab"):
        why = outcome(Launch("false", str(image), str(tmp_path)))
    assert "it is open already" in why


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells at once what is open")
def test_one_that_closes_meanwhile_is_started(tmp_path: Path) -> None:
    image = image_in(tmp_path)
    changes = image.with_suffix(".changes").open("ab")
    starting = Launched(Launch("false", str(image), str(tmp_path)))
    starting.start()
    assert not starting.wait(0.05)
    changes.close()
    with pytest.raises(ImageNotStarted, match="ended with status 1"):
        starting.locate(monotonic() + PATIENCE)
    starting.stop()


def test_a_machine_that_is_none_is_told(tmp_path: Path) -> None:
    why = outcome(Launch(str(tmp_path / "nothing"), str(image_in(tmp_path)), str(tmp_path)))
    assert "it could not be started" in why
