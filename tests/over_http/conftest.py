"""One server for all tests in this folder, with new tools for each test, and a client."""

from collections.abc import Iterator

import pytest

from over_http.serving import ConnectionFactory, Web, served
from server.conversation import Workbench


@pytest.fixture(scope="session")
def factory() -> ConnectionFactory:
    return ConnectionFactory()


@pytest.fixture(scope="session")
def url(factory: ConnectionFactory) -> Iterator[str]:
    with served(factory) as url:
        yield url


@pytest.fixture
def workbench(factory: ConnectionFactory) -> Workbench:
    """The tools of the connections that start in this test."""
    factory.workbench = Workbench()
    return factory.workbench


@pytest.fixture
def web(url: str, workbench: Workbench) -> Web:
    """A client without a session."""
    return Web(url)


@pytest.fixture
def session(web: Web) -> Web:
    """A client with a session."""
    web.initialize()
    return web
