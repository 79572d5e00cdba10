"""The address of an image."""

from typing import NamedTuple

# Loopback only: the token must not leave this machine. Never the name, which may mean ::1.
HOSTS = ("127.0.0.1", "localhost")
LARGEST_PORT = 65535


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
        host, _, port = url.removeprefix("http://").removesuffix("/").partition(":")
        if not (url.startswith("http://") and host in HOSTS and _is_port(port)):
            raise ValueError(f"the address must be like http://127.0.0.1:50123, not {url}")
        if not (token and all("!" <= each <= "~" for each in token)):
            raise ValueError("a token is printable ASCII without spaces")
        return cls(int(port), token)

    @property
    def url(self) -> str:
        """The address as a URL."""
        return f"http://127.0.0.1:{self.port}"

    def __repr__(self) -> str:
        return f"Address({self.url}, token hidden)"


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text) <= LARGEST_PORT
