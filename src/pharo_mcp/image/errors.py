"""What can be wrong with an image, by what it means for whoever asked.

    ImageError                  kind
    ├── NothingRan                              what was asked was not done: asking again is safe
    │   ├── NoImageFound        noImage         no live image has a connection file
    │   ├── FolderUntrusted     untrustedFolder others could put connection files where they are looked for
    │   ├── SeveralImages       severalImages   one of them must be chosen
    │   ├── NoSuchImage         noSuchImage     none of that name is live
    │   ├── ChoiceFixed         choiceFixed     a person chose when pharo-mcp was started
    │   ├── TokenUnknown        noToken         an address was given, and its token is nowhere
    │   ├── ImageUnreachable    unreachable     nothing listens at the address
    │   ├── ImageSilent         silent          something listens and says nothing
    │   ├── StrangerOnPort      stranger        something listens that is no companion
    │   ├── OtherVersion        otherVersion    the companion is older or newer than we are
    │   ├── WrongToken          unauthorized    it is the companion, and it refused the token
    │   ├── ImageBusy           busy            it does as much as it can already
    │   └── RequestRefused      (the image's)   it cannot do that, such as badRequest (refusals.py)
    │       ├── UnknownClass    unknownClass    there is no class of that name
    │       ├── UnknownMethod   unknownMethod   that side of the class itself has no such method
    │       ├── UnknownPackage  unknownPackage  there is no package of that name
    │       ├── UnknownChange   unknownChange   it keeps no change of that number
    │       ├── UnknownWindow   unknownWindow   there is no window of that title
    │       ├── Forbidden       forbidden       its user did not allow it
    │       ├── Conflict        conflict        something else changed what should be undone
    │       ├── UnsavedChanges  unsavedChanges  loading would take away what was changed in the image
    │       ├── Unavailable     unavailable     it lacks the part that this needs
    │       ├── UnknownEvaluation  unknownEvaluation  it runs none of that id and keeps none
    │       ├── UnknownObject   unknownObject   it keeps none of that id
    │       ├── EndpointMissing unknownEndpoint its companion is older than what was asked
    │       └── ReadOnlyImage   readOnly        a person lets nothing change it
    ├── NobodyWaits             nobodyWaits     whoever asked has cancelled it
    ├── StillRunning            running         it goes on in the image, and its asker cannot wait longer
    ├── OfferFailed             offerFailed     what the image offers says itself that it did not work out
    ├── AnswerLost              answerLost      it may have run, and was not sent again
    ├── CompanionFault          internal        the companion itself failed; it may have run
    └── SmalltalkError          (the image's)   the code ran, and this is how it ended (smalltalk_error.py)

Every message says what happened, why, and what to do next; none holds a token.
"""

from collections.abc import Iterable, Mapping, Sequence

from pharo_mcp import __version__

from .address import Address
from .loading import load_and_start, renew


class ImageError(Exception):
    """An image did not give what was asked of it. Never raised itself."""

    kind: str = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def details(self) -> Mapping[str, object]:
        """What a program may want to know beside kind and message."""
        return {}


class NothingRan(ImageError):
    """What was asked was not done, so asking again is safe. Never raised itself."""


class NoImageFound(NothingRan):
    """No connection file belongs to an image that answers."""

    kind = "noImage"

    def __init__(self, folder: str, name: str | None, tried: Sequence[str]) -> None:
        wanted = f"Pharo image named {name}" if name else "Pharo image"
        files = f" (tried {'; '.join(tried)})" if tried else ""
        super().__init__(
            f"No live {wanted} was found: no connection file in {folder} leads to one{files}. Nothing ran.\n"
            f"In the image to work in, evaluate (the first line only once):\n{load_and_start()}\n"
            "Without Pharo at hand, start pharo-mcp with --stand-in to try the practice image."
        )


class FolderUntrusted(NothingRan):
    """Somebody else could have put connection files into the folder, and lead us to a program of theirs."""

    kind = "untrustedFolder"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"The connection files of images are not used: {path} {reason}, so that others could lead "
            "pharo-mcp to a program of theirs. Nothing ran.\n"
            f"Make {path} a folder that is yours alone (`chmod go-w`), or remove it and evaluate in the "
            "image: PharoMcp stop; start"
        )


class SeveralImages(NothingRan):
    """More than one image could be meant."""

    kind = "severalImages"

    def __init__(self, images: Sequence[str]) -> None:
        listed = "\n".join(f"    {image}" for image in images)
        super().__init__(
            f"{len(images)} images are live and none was chosen, so nothing ran:\n{listed}\n"
            "Choose one with the tool select_image, by its name or its URL. "
            "For good, start pharo-mcp with --image NAME (or PHARO_MCP_IMAGE)."
        )


class NoSuchImage(NothingRan):
    """None of the live images has the name that was chosen."""

    kind = "noSuchImage"

    def __init__(self, wanted: str, images: Sequence[str]) -> None:
        listed = "\n".join(["These are:", *(f"    {image}" for image in images)]) if images else "None is."
        super().__init__(
            f"No live image has the name, URL or image file {wanted}. {listed}\n"
            f"To add one, evaluate in it (the first line only once):\n{load_and_start()}"
        )


class ChoiceFixed(NothingRan):
    """A person chose the image when pharo-mcp was started."""

    kind = "choiceFixed"

    def __init__(self, wanted: str) -> None:
        super().__init__(
            f"{wanted} cannot be chosen: this pharo-mcp was started for one image "
            "(--url, PHARO_MCP_URL or --stand-in). Only its user can change that, by starting it without."
        )


class TokenUnknown(NothingRan):
    """An address was given without its token, and no connection file has it."""

    kind = "noToken"

    def __init__(self, url: str, folder: str) -> None:
        super().__init__(
            f"No token is known for {url}: no connection file in {folder} has that address. Nothing ran.\n"
            "Give its token too (--token, PHARO_MCP_TOKEN), or leave the address away: "
            "pharo-mcp then finds the image by itself."
        )


class ImageUnreachable(NothingRan):
    """No connection came about."""

    kind = "unreachable"

    def __init__(self, address: Address, why: str = "nothing listens there") -> None:
        super().__init__(
            f"No image answers at {address.url}: {why}. Nothing ran.\n"
            "The image is closed, or its companion is not started. In the image, evaluate "
            f"(the first line only once):\n{load_and_start()}\n"
            "The port changes with each start: without --url, pharo-mcp finds it by itself."
        )


class ImageSilent(NothingRan):
    """Something takes connections and does not answer."""

    kind = "silent"

    def __init__(self, address: Address) -> None:
        super().__init__(
            f"Something listens at {address.url} but did not answer a status request in time. Nothing ran.\n"
            "If it is the image, it is frozen: look at its window for an endless loop "
            "(interrupt it with Cmd-. or Alt-.), or end it and start it again."
        )


class StrangerOnPort(NothingRan):
    """Whatever answers there is no companion."""

    kind = "stranger"

    def __init__(self, address: Address, why: str) -> None:
        super().__init__(
            f"What listens at {address.url} is not the companion of pharo-mcp: {why}. "
            "Nothing ran.\n"
            "Another program has that port. Evaluate `PharoMcp current url` in the image for its address "
            "and give that as --url, or leave --url away: pharo-mcp then finds the image by itself."
        )


class OtherVersion(NothingRan):
    """Front end and companion do not belong together."""

    kind = "otherVersion"

    def __init__(self, address: Address, companion: str, *, companion_is_older: bool) -> None:
        older, fix = (
            (
                "companion in the image is the older one. In the image, evaluate",
                renew(),
            )
            if companion_is_older
            else (
                "front end is the older one. In a terminal,",
                "    update pharo-mcp, in the way it was installed,\nand start the MCP client again.",
            )
        )
        super().__init__(
            f"The companion at {address.url} has version {companion}, this pharo-mcp {__version__}: "
            f"they do not belong together. Nothing ran.\nThe {older}:\n{fix}"
        )


class WrongToken(NothingRan):
    """The companion refused the token."""

    kind = "unauthorized"

    def __init__(self, address: Address) -> None:
        super().__init__(
            f"The companion at {address.url} refused the token. Nothing ran.\n"
            "Each `PharoMcp start` makes a new token and writes it into a connection file in "
            "~/.pharo-mcp/images. Leave --url and --token (PHARO_MCP_URL, PHARO_MCP_TOKEN) away, "
            "so that pharo-mcp reads both from there, or give the token of that file."
        )


class ImageBusy(NothingRan):
    """The image does as much at once as it can already; a sentence says what."""

    kind = "busy"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what.rstrip('.')}. Nothing of this ran.\n"
            "Wait until some of what runs has ended, then ask again; stop_evaluation ends what runs."
        )


class NobodyWaits(ImageError):
    """Whoever asked has cancelled it, so nobody reads this."""

    kind = "nobodyWaits"

    def __init__(self) -> None:
        super().__init__("The call was cancelled. What it asked may have run, wholly or in part.")


class StillRunning(ImageError):
    """What was asked goes on in the image."""

    kind = "running"

    def __init__(self, evaluation: str, seconds: float) -> None:
        super().__init__(
            f"It still runs in the image after {seconds:.0f} seconds. get_evaluation with evaluation_id "
            f"{evaluation} waits for it, stop_evaluation ends it."
        )


class OfferFailed(ImageError):
    """What the image offers says itself that it did not work out."""

    kind = "offerFailed"

    def __init__(self, said: Iterable[str]) -> None:
        super().__init__("\n".join(said) or "It says that it did not work out, and not why.")


class AnswerLost(ImageError):
    """The request left and its answer never came."""

    kind = "answerLost"

    def __init__(self, address: Address, why: str) -> None:
        super().__init__(
            f"The answer of the image at {address.url} was lost: {why.rstrip('.')}. "
            "What was asked may have run, wholly or in part; it was not sent again.\n"
            "Look at the image before you repeat anything that changes it. "
            "If the image has ended, start it again and evaluate `PharoMcp start.` in it."
        )


class CompanionFault(ImageError):
    """The companion failed, or answered what nobody can understand."""

    kind = "internal"

    def __init__(self, address: Address, why: str) -> None:
        super().__init__(
            f"The companion at {address.url} failed: {why.rstrip('.')}. "
            "What was asked may have run, wholly or in part; it was not sent again.\n"
            "This is a fault of pharo-mcp, not of the evaluated code; please report it with this text."
        )
