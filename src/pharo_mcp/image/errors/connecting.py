"""Errors of connecting to an image. The request was not sent."""

from pharo_mcp import __version__
from pharo_mcp.image.loading import renew, start_request

from .base import NothingRan


class ImageUnreachable(NothingRan):
    """No connection could be made; `listens` is whether the port is in use all the same."""

    kind = "unreachable"

    def __init__(self, url: str, why: str = "nothing listens there", *, listens: bool = False) -> None:
        self.listens = listens
        super().__init__(
            f"No image answers at {url}: {why}. Nothing ran.\n"
            f"The image is closed, or its companion has not been started. {start_request()}\n"
            "The port changes with each start. Without --url, pharo-mcp finds it."
        )


class ImageSilent(NothingRan):
    """The port accepts connections, but nothing answers."""

    kind = "silent"

    def __init__(self, url: str) -> None:
        super().__init__(
            f"The program at {url} did not answer a status request in time. Nothing ran.\n"
            "If it is the image, it is frozen. Ask the user to interrupt an endless loop in its window with "
            "Cmd-. or Alt-., or end the image and start it again. Only ending it helps if code runs at "
            "the timer's priority (80) or has suspended processes of the system."
        )


class ImageSaving(NothingRan):
    """The image is being saved, and its companion is closed meanwhile.

    `image` is its name or URL, `seconds` how long it was awaited.
    """

    kind = "saving"

    def __init__(self, image: str, seconds: float = 0) -> None:
        lasts = f", and did not answer again within {seconds:.0f} seconds" if seconds else ""
        super().__init__(
            f"The image {image} is being saved{lasts}. Nothing ran.\nRepeat the call in a moment."
        )


class StrangerOnPort(NothingRan):
    """The program at the address is not a companion."""

    kind = "stranger"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The program at {url} is not the companion of pharo-mcp: {why}. Nothing ran.\n"
            "Another program uses that port. Ask the user to omit --url (PHARO_MCP_URL), so that pharo-mcp "
            "finds the image, or pass the value of `PharoMcp current url` in the image."
        )


class OtherVersion(NothingRan):
    """The versions of front end and companion are incompatible."""

    kind = "otherVersion"

    def __init__(self, url: str, companion: str, *, companion_is_older: bool) -> None:
        older, fix = (
            (
                "companion in the image is older. Ask the user to evaluate in a Playground of Pharo",
                renew(),
            )
            if companion_is_older
            else (
                "front end is older. Ask the user to do this in a terminal",
                "    update pharo-mcp in the way it was installed,\nand to restart the MCP client.",
            )
        )
        super().__init__(
            f"The companion at {url} has version {companion}, this pharo-mcp {__version__}: "
            f"these versions are incompatible. Nothing ran.\nThe {older}:\n{fix}"
        )


class WrongToken(NothingRan):
    """The companion refused the token."""

    kind = "unauthorized"

    def __init__(self, url: str) -> None:
        super().__init__(
            f"The companion at {url} refused the token. Nothing ran.\n"
            "Each `PharoMcp start` makes a new token and writes it into a connection file in "
            "~/.pharo-mcp/images. Ask the user to omit --url and --token (PHARO_MCP_URL, PHARO_MCP_TOKEN), "
            "so that pharo-mcp reads both from there, or pass the token of that file."
        )


class ImageBusy(NothingRan):
    """The image handles as many requests as it can; the message says what it is doing."""

    kind = "busy"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what.rstrip('.')}. This request did not run.\n"
            "Repeat it when some of the others have ended; stop_evaluation ends an evaluation."
        )
