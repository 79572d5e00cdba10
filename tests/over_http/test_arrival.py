"""Requests that arrive slowly or never completely."""

import socket

import pytest

from over_http.serving import TOKEN, ConnectionFactory, Web, initialize, served
from programs import PATIENCE

HEAD = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
BODY = "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"


@pytest.mark.parametrize("sent", ["", "POST", HEAD, HEAD + BODY])
def test_a_connection_whose_request_does_not_arrive_is_closed(sent: str) -> None:
    with served(ConnectionFactory(), arrival_seconds=0.05) as url:
        address = Web(url).address
        with socket.create_connection((address.hostname, address.port), PATIENCE) as connection:
            connection.sendall(sent.encode())
            assert connection.recv(1) == b""


def test_a_connection_whose_next_request_does_not_arrive_is_closed() -> None:
    with served(ConnectionFactory(), arrival_seconds=0.05) as url:
        address = Web(url).address
        with socket.create_connection((address.hostname, address.port), PATIENCE) as connection:
            connection.sendall(b"GET /other HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert connection.recv(4) == b"HTTP"
            connection.sendall(HEAD.encode())
            while connection.recv(1000):
                pass


def test_a_request_that_has_arrived_is_answered_however_long_that_takes() -> None:
    with served(ConnectionFactory(), arrival_seconds=2 * PATIENCE) as url:
        assert Web(url).post(initialize()).status == 200
