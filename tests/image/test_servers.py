"""What the rude servers of tests do before they are rude."""

import socket

from image.servers import STATUS, drain, encoded, politely_until, rude, value
from programs import PATIENCE

ASKED = b'{"since": null}'
HEAD = b"POST /events HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(ASKED)


def answer_to(sent: bytes) -> bytes:
    """Everything that a server that is rude to evaluations sends to a client that stops after these bytes."""
    with (
        rude(politely_until("/evaluate", drain)) as address,
        socket.create_connection(("127.0.0.1", address.port), PATIENCE) as client,
    ):
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_a_request_is_answered_once_and_only_when_its_body_is_there() -> None:
    """A client sends head and body apart; an answer to each would make the next request part of a body."""
    assert answer_to(HEAD) == b""
    assert answer_to(HEAD + ASKED[:-1]) == b""
    assert answer_to(HEAD + ASKED) == encoded(value(STATUS))
