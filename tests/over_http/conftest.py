"""One server for all these tests, with tools of its own for each, and a client."""

from collections.abc import Iterator

import pytest

from over_http.serving import Bench, Web, served
from server.conversation import Workbench


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench()


@pytest.fixture(scope="session")
def url(bench: Bench) -> Iterator[str]:
    with served(bench) as url:
        yield url


@pytest.fixture
def workbench(bench: Bench) -> Workbench:
    """The tools that conversations have which begin now."""
    bench.current = Workbench()
    return bench.current


@pytest.fixture
def web(url: str, workbench: Workbench) -> Web:
    """A client that has said nothing yet."""
    return Web(url)


@pytest.fixture
def talk(web: Web) -> Web:
    """A client in a session."""
    web.shake_hands()
    return web
