"""Who is there is asked before anything that matters is sent; each answer has its own words."""

import socket
from collections.abc import Callable

import pytest

import pharo_mcp
from image.servers import TOKEN, answered, companion, encoded, failure, nobodys_port, rude, seven, value
from pharo_mcp.address import Address
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError, NothingRan
from pharo_mcp.image.images import at
from pharo_mcp.image.loading import companion_folder


def complaint(address: Address) -> ImageError:
    """What is said instead of evaluating."""
    client = ImageClient(at(address))
    with pytest.raises(NothingRan) as raised:
        client.evaluate("3 + 4")
    client.close()
    assert TOKEN not in raised.value.message
    return raised.value


def test_nothing_listens() -> None:
    port = nobodys_port()
    error = complaint(Address(port, TOKEN))
    assert error.kind == "unreachable"
    assert f"http://127.0.0.1:{port}" in error.message
    assert f"Metacello new baseline: 'PharoMcp'; repository: 'tonel://{companion_folder()}'" in error.message
    assert "(Smalltalk at: #PharoMcp) start." in error.message


def shout(response: bytes) -> Callable[[socket.socket, bytes], None]:
    def behave(peer: socket.socket, request: bytes) -> None:
        peer.sendall(response)

    return behave


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<h1>Welcome</h1>",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\xff\xfe garbage",
        b"",
        encoded(failure(401, "unauthorized")).replace(b"X-Pharo-Mcp", b"X-Other"),
        encoded(value({"product": "other", "version": "1", "session": "", "name": ""})),
        encoded(value({})),
        encoded((200, {"ok": True})),
        encoded(value({}), version="yes"),
    ],
)
def test_a_stranger_is_on_the_port(response: bytes) -> None:
    with rude(shout(response)) as address:
        error = complaint(address)
    assert error.kind == "stranger"
    assert f"{address.url} is not the companion" in error.message
    assert "--url" in error.message
    assert "Metacello" not in error.message


def test_the_token_is_wrong() -> None:
    with companion(evaluate=seven) as image:
        error = complaint(image.address._replace(token="another"))
        assert image.asked == ["/status"]
    assert error.kind == "unauthorized"
    assert "refused the token" in error.message
    assert "~/.pharo-mcp/images" in error.message


@pytest.mark.parametrize(
    ("version", "older", "fix"),
    [("0.0.9", "companion in the image", "Metacello new"), ("1.1.0", "front end", "update pharo-mcp")],
)
def test_the_companion_has_another_version(version: str, older: str, fix: str) -> None:
    with companion(version, evaluate=seven) as image:
        error = complaint(image.address)
        assert image.asked == ["/status"]
    assert error.kind == "otherVersion"
    assert f"has version {version}, this pharo-mcp {pharo_mcp.__version__}" in error.message
    assert f"The {older} is older" in error.message
    assert fix in error.message


def test_another_patch_of_the_same_version_is_welcome() -> None:
    major, minor, _ = pharo_mcp.__version__.split(".")
    with companion(f"{major}.{minor}.99", evaluate=seven) as image:
        client = ImageClient(at(image.address))
        assert answered(client) == "7"
        client.close()


def test_a_silent_listener_on_the_port_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.connection.STATUS_SECONDS", 0.1)
    with rude(lambda peer, _: wait_for_goodbye(peer)) as address:
        error = complaint(address)
    assert error.kind == "silent"
    assert "frozen" in error.message


def wait_for_goodbye(peer: socket.socket) -> None:
    assert peer.recv(1) == b""


BARE = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"


def test_a_server_that_takes_no_more_connections_is_busy() -> None:
    with rude(shout(BARE)) as address:
        error = complaint(address)
    assert error.kind == "busy"
    assert "accepts no more connections" in error.message


def test_an_older_companion_with_a_short_identity_is_accepted() -> None:
    told = {"product": "pharo-mcp", "version": "0", "session": "1", "name": "P", "userInterface": {}}
    with companion(status=lambda _: value(told), evaluate=seven) as image:
        client = ImageClient(at(image.address))
        assert answered(client) == "7"
        client.close()
