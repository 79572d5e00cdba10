"""What several layers of tests share: an image that answers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from programs import CACHE, LiveImage, running_images, start_practice_image
from traces import traces

os.environ["PHARO_PRACTICE_RAISE_BUGS"] = "1"  # a bug in its Python fails the test
os.environ["XDG_CACHE_HOME"] = CACHE.name  # for the practice images in this process


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveImage]:
    """The practice image with the companion loaded, running."""
    practice = start_practice_image(tmp_path_factory.mktemp("home"))
    with practice.program, left_as_it_was(practice.home, tmp_path_factory.mktemp("traces")):
        yield practice


@pytest.fixture(scope="session")
def real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the real image has written its connection file."""
    with left_as_it_was(Path.home(), tmp_path_factory.mktemp("traces")):
        yield Path.home()


@contextmanager
def left_as_it_was(home: Path, folder: Path) -> Iterator[None]:
    """The only image of a home folder, which all tests share: in the end it has what it had, and no more."""
    before = traces(home, folder)
    yield
    after = traces(home, folder)
    assert sorted(after - before) == [], "the tests left something behind"
    assert sorted(before - after) == [], "the tests took something away"


@pytest.fixture(scope="module", params=["practice", pytest.param("image", marks=pytest.mark.image)])
def image(request: pytest.FixtureRequest) -> LiveImage:
    """An image with the companion loaded, for every test that leaves it as it was.

    The practice image; with `pytest -m image`, the real one that runs and has written its connection file.
    """
    if request.param == "image":
        [running] = running_images(request.getfixturevalue("real_home"))
        return running
    practice: LiveImage = request.getfixturevalue("practice")
    return practice


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder in which no image ever ran."""
    return tmp_path
