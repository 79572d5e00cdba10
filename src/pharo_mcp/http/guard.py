"""Who may ask: programs of this computer that know the token.

A page in a browser could otherwise reach a server on loopback, under a name of its own that it lets point
here; source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports, security warning.
"""

import re
from collections.abc import Mapping
from hmac import compare_digest
from secrets import token_urlsafe

from .refusals import Forbidden, Unauthorized

HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
"""The names of this computer, with or without a port. Nothing else that a grammar of URLs would read as one
of them counts: what we parse differently than a browser did is how strangers get in."""
LAST_PORT = 65535
TOKEN_BYTES = 32
TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""What can follow `Bearer`; source: RFC 6750, section 2.1."""


def make_token() -> str:
    """A new token that nobody can guess."""
    return token_urlsafe(TOKEN_BYTES)


def check_token(token: str) -> str:
    """A token that somebody chose.

    Raises:
        ValueError: If no request could show it.
    """
    if not TOKEN.fullmatch(token):
        raise ValueError("PHARO_MCP_HTTP_TOKEN is no token: use letters, digits and -._~+/ alone")
    return token


class Guard:
    """Lets pass what comes from this computer and shows the token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def check(self, headers: Mapping[str, str]) -> None:
        """Look at the headers of a request, by their names in small letters.

        Raises:
            Forbidden: If its Host, or its Origin if it has one, is not of this computer.
            Unauthorized: If it does not show the token.
        """
        if not _is_ours(headers.get("host", "")):
            raise Forbidden("Host must be 127.0.0.1 or localhost")
        if "origin" in headers and not _is_page_of_ours(headers["origin"]):
            raise Forbidden("Origin must be a page of this computer, or none")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not compare_digest(token.strip().encode(), self._token):
            raise Unauthorized


def _is_ours(host: str) -> bool:
    """Whether a Host header names this computer."""
    match = HOST.fullmatch(host)
    return match is not None and int(match[1] or 0) <= LAST_PORT


def _is_page_of_ours(origin: str) -> bool:
    """Whether an Origin header, as browsers send it, is a page of this computer."""
    scheme, found, host = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and _is_ours(host)
