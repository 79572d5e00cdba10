"""The errors of requests to an image, by what they mean for the caller.

    ImageError                  kind
    ├── NothingRan                              the request had no effect: repeating it is safe
    │   ├── NoImageFound        noImage         no live image has a connection file
    │   ├── FolderUntrusted     untrustedFolder other users could write connection files
    │   ├── SeveralImages       severalImages   one of them must be chosen
    │   ├── NoSuchImage         noSuchImage     no live image has that name
    │   ├── ChoiceFixed         choiceFixed     the image was chosen when pharo-mcp was started
    │   ├── TokenUnknown        noToken         a URL was given whose token is not known
    │   ├── ImageUnreachable    unreachable     nothing listens at the address
    │   ├── ImageSilent         silent          the port accepts connections, but nothing answers
    │   ├── StrangerOnPort      stranger        the program at the address is not a companion
    │   ├── OtherVersion        otherVersion    the versions are incompatible
    │   ├── WrongToken          unauthorized    the companion refused the token
    │   ├── ImageBusy           busy            the image handles as many requests as it can
    │   └── RequestRefused      (the image's)   the image refused, for example badRequest
    │       ├── UnknownClass    unknownClass    there is no class of that name
    │       ├── UnknownMethod   unknownMethod   that side of the class does not define the selector
    │       ├── UnknownPackage  unknownPackage  there is no package of that name
    │       ├── UnknownChange   unknownChange   there is no change of that number
    │       ├── UnknownWindow   unknownWindow   there is no window of that title
    │       ├── NotAllowed      forbidden       the user did not allow it
    │       ├── UndoConflict    conflict        the code to restore was changed since
    │       ├── UnsavedChanges  unsavedChanges  loading would discard changes in the image
    │       ├── Unavailable     unavailable     the image lacks a component
    │       ├── UnknownEvaluation  unknownEvaluation  there is no evaluation of that id
    │       ├── UnknownObject   unknownObject   there is no object of that id
    │       ├── EndpointMissing unknownEndpoint the companion is older than its version says
    │       └── ReadOnlyImage   readOnly        the companion is in read-only mode
    ├── NobodyWaits             nobodyWaits     the caller has cancelled the request
    ├── StillRunning            running         the request is still running in the image
    ├── RegistrationFailed      registrationFailed  something registered reported a failure
    ├── AnswerLost              answerLost      the request may have run; it was not sent again
    ├── CompanionFault          internal        the companion failed; the request may have run
    └── SmalltalkError          (the image's)   the code ran, and ended without a value

Every message says what happened, why, and what to do next; none contains a token.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from pharo_mcp import __version__
from pharo_mcp.image.loading import renew, start_request

REQUEST = re.compile(r"\b([Aa])sk the user to (\w)")
"""How a message asks an assistant for what only a person can do."""


def to_the_user(message: str) -> str:
    """Return a message to an assistant as one to its user: without "ask the user to"."""
    return REQUEST.sub(lambda request: request[2].upper() if request[1] == "A" else request[2], message)


class ImageError(Exception):
    """A request to an image failed; the message is one to an assistant. Only subclasses are raised."""

    kind: str = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def details(self) -> Mapping[str, object]:
        """More about the error, for programs."""
        return {}

    def add(self, words: str) -> None:
        """Append a line to the message."""
        self.message = f"{self.message}\n{words}"
        self.args = (self.message,)


class NothingRan(ImageError):
    """The request had no effect, so repeating it is safe. Only subclasses are raised."""


class ImageUnreachable(NothingRan):
    """No connection could be made; `listens` is whether the port is in use."""

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


class NobodyWaits(ImageError):
    """The caller has cancelled the request."""

    kind = "nobodyWaits"

    def __init__(self) -> None:
        super().__init__("The call was cancelled. It may have run, wholly or in part.")


class StillRunning(ImageError):
    """The request is still running in the image."""

    kind = "running"

    def __init__(self, evaluation: str, seconds: float) -> None:
        super().__init__(
            f"Still running in the image after {seconds:.0f} seconds. get_evaluation with evaluation_id "
            f"{evaluation} waits for it, stop_evaluation ends it."
        )


class RegistrationFailed(ImageError):
    """A registered tool, resource or prompt reported a failure."""

    kind = "registrationFailed"

    def __init__(self, messages: Iterable[str]) -> None:
        super().__init__("\n".join(messages) or "It failed without a message.")


class AnswerLost(ImageError):
    """The request was sent, and its answer did not arrive."""

    kind = "answerLost"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The answer of the image at {url} was lost: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Check the state of the image before you repeat a request that changes it. "
            "If the image has ended, the next call restarts it, provided that this session started it "
            "(--practice, --launch); otherwise ask the user to start it again and evaluate "
            "`PharoMcp start` in it."
        )


class CompanionFault(ImageError):
    """The companion failed, or its answer is not valid."""

    kind = "internal"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The companion at {url} failed: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Unless code that the companion runs on was changed, this is a fault of pharo-mcp: please report "
            "it with this text."
        )
