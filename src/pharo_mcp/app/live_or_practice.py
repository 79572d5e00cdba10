"""The live image, or a practice image of this session where no image is live."""

from threading import Lock
from time import monotonic

from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.errors import ImageError, NothingRan
from pharo_mcp.image.images import FoundImages
from pharo_mcp.times import IMAGE_REQUESTS_SECONDS

from .own_images import ReplaceableImage
from .practice_image import SESSION_PREFIX

NO_IMAGE = "noImage"
"""The kind of the error of FoundImages where no image is live."""
LIVE = "This session works in the user's live image {name} ({system})."
PRACTICE = (
    "No live Pharo image was found, so this session works in a practice image, which is not Pharo and ends "
    "with the session. When the user has started an image (PharoMcp start), select_image chooses it."
)


class LiveOrPractice(FoundImages):
    """The live images that are found, or the practice image of this session while there are none."""

    def __init__(self, folder: str, practice: ReplaceableImage) -> None:
        super().__init__(folder, hidden=SESSION_PREFIX)
        self._practice = practice
        self._starting = Lock()  # so that the practice image is started once
        self._has_started = False

    def start(self) -> None:
        """Start the practice image if no image is live."""
        try:
            super().locate(monotonic() + IMAGE_REQUESTS_SECONDS).close()
        except ImageError as error:
            if error.kind == NO_IMAGE:
                self._start_practice()

    def stop(self) -> None:
        """End the practice image, if it was started."""
        if self._has_started:
            self._practice.stop()

    def locate(self, until: float) -> CompanionConnection:
        """See Images. The practice image is started when it is needed."""
        if connection := self._live_one(until):
            return connection
        self._start_practice()
        return _welcoming(self._practice.locate(until), PRACTICE)

    def look(self, until: float) -> CompanionConnection:
        """See Images."""
        return self._live_one(until) or _welcoming(self._practice.look(until), PRACTICE)

    def report_fault(self) -> None:
        """See Images."""
        self._practice.report_fault()

    def has_alternatives(self) -> bool:
        """See Images. In the practice image, a live one can be chosen as soon as there is one."""
        return self._has_started or super().has_alternatives()

    def _live_one(self, until: float) -> CompanionConnection | None:
        try:
            connection = super().locate(until)
        except NothingRan as error:
            if error.kind == NO_IMAGE:
                return None
            raise
        status = connection.status
        return _welcoming(connection, LIVE.format(name=status.name, system=status.system))

    def _start_practice(self) -> None:
        with self._starting:
            if not self._has_started:
                self._has_started = True
                self._practice.start()


def _welcoming(connection: CompanionConnection, words: str) -> CompanionConnection:
    connection.welcome = words
    return connection
