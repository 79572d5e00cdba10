"""The address of an image."""

import re

from pharo_mcp.imports import NamedTuple

# Loopback only: the token must not leave this machine. Never the name, which may mean ::1.
URL = r"http://(?:127\.0\.0\.1|localhost):([1-9]\d{0,4})/?"
PRINTABLE = r"[!-~]{1,512}"  # what an HTTP header can carry


class Address(NamedTuple):
    """A port on 127.0.0.1, and the token for requests to it."""

    port: int
    token: str

    @classmethod
    def parse(cls, url: str, token: str) -> "Address":
        """Parse a URL and a token from a person or a connection file.

        Raises:
            ValueError: If the URL is not a loopback URL or the token is not valid; the message omits the
            token.
        """
        found = re.fullmatch(URL, url, re.ASCII)
        if found is None or int(found[1]) > 65535:
            raise ValueError(f"the address must be like http://127.0.0.1:50123, not {url}")
        if re.fullmatch(PRINTABLE, token) is None:
            raise ValueError("a token is printable ASCII without spaces")
        return cls(int(found[1]), token)

    @property
    def url(self) -> str:
        """The address as a URL."""
        return f"http://127.0.0.1:{self.port}"

    def __repr__(self) -> str:
        return f"Address({self.url}, token hidden)"
