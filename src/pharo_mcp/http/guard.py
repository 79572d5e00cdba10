"""Access control: only programs on this computer that send the token are served.

Without it, a web page could reach a server on loopback by a host name that resolves to it (DNS rebinding).
Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports, security warning.
"""

import re
from collections.abc import Mapping
from hmac import compare_digest
from secrets import token_urlsafe

from .errors import Forbidden, Unauthorized

HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
"""The names of this computer, with or without a port.

Other spellings that a URL parser would accept are rejected: parsing a name differently than a browser does
would let web pages in.
"""
MAX_PORT = 65535
TOKEN_BYTES = 32
TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""The syntax of a bearer token. Source: RFC 6750, section 2.1."""


def make_token() -> str:
    """Make a new random token."""
    return token_urlsafe(TOKEN_BYTES)


def check_token(token: str) -> str:
    """Return a token chosen by the user.

    Raises:
        ValueError: If no request could send it.
    """
    if not TOKEN.fullmatch(token):
        raise ValueError("PHARO_MCP_HTTP_TOKEN is not a valid token: use only letters, digits and -._~+/")
    return token


class Guard:
    """Accepts requests from this computer that have the token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def check(self, headers: Mapping[str, str]) -> None:
        """Check the headers of a request; their names are in lower case.

        Raises:
            Forbidden: If Host, or Origin if present, is not this computer.
            Unauthorized: If the token is missing or wrong.
        """
        if not _is_local(headers.get("host", "")):
            raise Forbidden("Host must be 127.0.0.1 or localhost")
        if "origin" in headers and not _is_local_origin(headers["origin"]):
            raise Forbidden("Origin must be a page on this computer, or absent")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not compare_digest(token.strip().encode(), self._token):
            raise Unauthorized


def _is_local(host: str) -> bool:
    """Whether a Host header names this computer."""
    match = HOST.fullmatch(host)
    return match is not None and int(match[1] or 0) <= MAX_PORT


def _is_local_origin(origin: str) -> bool:
    """Whether an Origin header, as browsers send it, names a page on this computer."""
    scheme, separator, host = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and _is_local(host)
