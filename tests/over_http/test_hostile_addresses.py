"""Addresses that a parser might mistake for this computer, sent unchanged to both servers."""

import socket
from urllib.parse import urlsplit

import pytest

from over_http.serving import TOKEN
from programs import PATIENCE, LiveImage

HOSTS = [
    "evil.com",
    "evil.com:80",
    "evil.com@127.0.0.1",
    "evil.com:80@127.0.0.1",
    "user@localhost",
    "user:password@localhost",
    "@localhost",
    "localhost@evil.com",
    "localhost:80@evil.com",
    "127.0.0.1#evil.com",
    "127.0.0.1#",
    "127.0.0.1/evil.com",
    "127.0.0.1/",
    "127.0.0.1?x",
    "127.0.0.1?",
    "127.0.0.1\\evil.com",
    "127.0.0.1;evil.com",
    "127.0.0.1,evil.com",
    "127.0.0.1 evil.com",
    "127.0.0.1%00.evil.com",
    "127.0.0.1%2eevil.com",
    "%31%32%37.0.0.1",
    "localhost:abc",
    "localhost:",
    "localhost:-1",
    "localhost:+80",
    "localhost:0x50",
    "localhost:8_0",
    "localhost:65536",
    "localhost:99999999",
    "localhost:80:90",
    "localhost:80/",
    "localhost.",
    "localhost.evil.com",
    "localhostevil.com",
    "evil.localhost",
    ".localhost",
    "127.0.0.1.",
    "127.0.0.1.evil.com",
    "127.0.0.1.nip.io",
    "127.0.0.2",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "0.0.0.0",
    "0",
    "[::ffff:127.0.0.1]",
    "[::]",
    "[::1",
    "::1",
    "[::1]evil.com",
    "[::1]@evil.com",
    "[localhost]",
    "http://localhost",
    "//localhost",
    "[127.0.0.1]",
    "\u017focalhost",
]
"""None of these is exactly one name of this computer."""

ORIGINS = [
    "null",
    "file://",
    "//localhost",
    "localhost",
    "://localhost",
    "http:localhost",
    "http:/localhost",
    "http:///localhost",
    "http://localhost/",
    "http://localhost http://evil.com",
    "ftp://localhost",
    "HTTP://localhost@evil.com",
    "chrome-extension://localhost",
    "http://evil.com@127.0.0.1",
    "http://evil.com\\@127.0.0.1",
    *(f"http://{host}" for host in HOSTS),
]


def status(url: str, headers: list[str]) -> int:
    """Send a request with exactly these headers, and return the status of the response."""
    address = urlsplit(url)
    text = "\r\n".join(["GET /status HTTP/1.1", *headers, "Connection: close", "", ""])
    with socket.create_connection((address.hostname, address.port), PATIENCE) as connection:
        connection.sendall(text.encode("utf-8"))
        status_line = connection.makefile("rb").readline()
    return int(status_line.split()[1])


@pytest.fixture(params=["front end", "companion"])
def server(request: pytest.FixtureRequest, url: str) -> tuple[str, str]:
    """The URL of a server, and its token."""
    if request.param == "front end":
        return url, TOKEN
    image: LiveImage = request.getfixturevalue("practice")
    return image.url, image.token


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_that_only_resembles_this_computer_is_rejected(server: tuple[str, str], host: str) -> None:
    url, token = server
    assert status(url, [f"Host: {host}", f"Authorization: Bearer {token}"]) in (400, 403)


@pytest.mark.parametrize("origin", ORIGINS)
def test_an_origin_that_only_resembles_this_computer_is_rejected(
    server: tuple[str, str], origin: str
) -> None:
    url, token = server
    headers = ["Host: localhost", f"Origin: {origin}", f"Authorization: Bearer {token}"]
    assert status(url, headers) in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:65535"])
def test_the_names_of_this_computer_are_accepted(server: tuple[str, str], host: str) -> None:
    url, token = server
    assert status(url, [f"Host: {host}", f"Authorization: Bearer {token}"]) not in (400, 403)
