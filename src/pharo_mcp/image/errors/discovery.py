"""Errors of finding and choosing an image."""

from collections.abc import Mapping, Sequence

from pharo_mcp.image.loading import start_request

from .base import NothingRan


class NoImageFound(NothingRan):
    """No connection file belongs to an image that answers."""

    kind = "noImage"

    def __init__(self, folder: str, name: str | None, tried: Sequence[str], live: Sequence[str] = ()) -> None:
        if name and live:
            listed = "\n".join(f"    {image}" for image in live)
            super().__init__(
                f"No live Pharo image has the name, URL or image file {name}. Nothing ran. Live images:\n"
                f"{listed}\nAsk the user to choose one of these by its name, URL or file, or evaluate in the "
                "one that is meant: PharoMcp start"
            )
            return
        wanted = f"Pharo image has the name, URL or image file {name}" if name else "Pharo image was found"
        files = f" (tried {'; '.join(tried)})" if tried else ""
        super().__init__(
            f"No live {wanted}: no connection file in {folder} leads to one{files}. Nothing ran.\n"
            f"{start_request()}"
            + ("" if name else "\nWithout Pharo, pharo-mcp --practice starts a practice image.")
        )


class FolderUntrusted(NothingRan):
    """Other users could have written connection files into the folder."""

    kind = "untrustedFolder"

    def __init__(self, path: str, reason: str, *, is_own_folder: bool = False) -> None:
        fix = f"run `chmod go-w {path}`" if is_own_folder else f"remove {path}"
        super().__init__(
            f"Connection files are not read: {path} {reason}, so other users could direct pharo-mcp to a "
            f"program of theirs. Nothing ran.\nAsk the user to {fix} and then to evaluate in the image: "
            "PharoMcp stop; start"
        )


class SeveralImages(NothingRan):
    """Several images are live, and none was chosen."""

    kind = "severalImages"

    def __init__(self, images: Sequence[str]) -> None:
        self.images = list(images)
        listed = "\n".join(f"    {image}" for image in images)
        super().__init__(
            f"{len(images)} images are live and none was chosen, so nothing ran:\n{listed}\n"
            "Choose one with the tool select_image, by its name or its URL. "
            "The user can choose one permanently by --image NAME (or PHARO_MCP_IMAGE)."
        )

    @property
    def details(self) -> Mapping[str, object]:
        """The live images."""
        return {"images": self.images}


class NoSuchImage(NothingRan):
    """No live image has the given name."""

    kind = "noSuchImage"

    def __init__(self, wanted: str, images: Sequence[str]) -> None:
        listed = (
            "\n".join(["Live images:", *(f"    {image}" for image in images)])
            if images
            else "No image is live."
        )
        super().__init__(
            f"No live image has the name, URL or image file {wanted}. {listed}\n"
            f"An image that is not listed has no companion that runs. {start_request()}"
        )


class ChoiceFixed(NothingRan):
    """A person chose the image when pharo-mcp was started."""

    kind = "choiceFixed"

    def __init__(self, wanted: str) -> None:
        super().__init__(
            f"{wanted} cannot be chosen: this pharo-mcp was started for one image "
            "(--url, PHARO_MCP_URL or --practice). Only the user can change that, by starting it without."
        )


class TokenUnknown(NothingRan):
    """A URL was given without a token, and no connection file has that URL."""

    kind = "noToken"

    def __init__(self, url: str, folder: str) -> None:
        super().__init__(
            f"No token is known for {url}: no connection file in {folder} has that address. Nothing ran.\n"
            "Ask the user to pass its token too (--token, PHARO_MCP_TOKEN), or omit the URL so that "
            "pharo-mcp finds the image."
        )
