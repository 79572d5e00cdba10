"""What one client sends to one process, from its first line to its end; all of it is known before."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from .messages import LEGACY, Author
from .mutations import NOT_JSON, line_of, with_other_bytes, with_other_members

END_OF_INPUT, SIGTERM, SIGINT, GONE, STALLED = "end of input", "SIGTERM", "SIGINT", "gone", "stalled"
ENDS = (END_OF_INPUT, SIGTERM, SIGINT, GONE, STALLED)
LENGTHS = (1, 1, 2, 3, 5, 8, 30, 80)
"""Rounds in a session: many end soon, some go on for thousands of lines."""
ROUND = 40
"""Lines in a round, at most."""
CHANGES = (0, 0, 0, 0, 0, 0, 0, 1, 1, 2)
"""Changes to the members of a message."""
FLOOD = 1100
"""Calls in a round that asks more at once than may wait."""


class End(NamedTuple):
    """How a session ends, and after how many bytes of its last round."""

    how: str
    after: int


class Session(NamedTuple):
    """Lines in rounds; a session goes on with the next when all of the one before is answered."""

    has_image: bool
    rounds: tuple[tuple[bytes, ...], ...]
    end: End

    @property
    def lines(self) -> int:
        """How many there are."""
        return sum(map(len, self.rounds))

    def without(self, start: int, end: int) -> "Session":
        """The session without some of its lines, counted over all rounds."""
        rounds, number = [], 0
        for lines in self.rounds:
            rounds.append(tuple(line for at, line in enumerate(lines, number) if not start <= at < end))
            number += len(lines)
        *before, last = rounds
        return self._replace(rounds=(*filter(None, before), last))


def shrunk(session: Session, is_wrong: Callable[[Session], bool], tries: int = 100) -> Session:
    """A session with fewer lines that is wrong as well."""
    size = max(1, session.lines // 2)
    while size and tries:
        start = 0
        while start < session.lines and tries:
            tries -= 1
            smaller = session.without(start, start + size)
            if is_wrong(smaller):
                session = smaller
            else:
                start += size
        size //= 2
    return session


def session_by(random: Random, end: str | None = None, rounds: int | None = None) -> Session:
    """A session of random content."""
    legacy = random.choice([*LEGACY, None])
    author = Author(random, modern=0.9 if legacy is None else random.choice([0.0, 0.1, 0.5]))
    count = rounds or random.choice(LENGTHS)
    written = [tuple(_round(author)) for _ in range(count)]
    if legacy and random.random() < 0.9:
        start = line_of(author.initialize(legacy), random)
        written[0] = (start, *written[0])
    how = end or random.choice([END_OF_INPUT, END_OF_INPUT, *ENDS])
    size = sum(len(line) + 1 for line in written[-1])
    return Session(random.random() < 0.75, tuple(written), End(how, random.randrange(size + 1)))


def _round(author: Author) -> Iterator[bytes]:
    random = author.random
    if random.random() > 0.998:
        for _ in range(FLOOD):
            yield line_of(author.call_tool(), random)
    for _ in range(random.randrange(ROUND) + 1):
        yield _line(author)


def _line(author: Author) -> bytes:
    """One line; hypothesis, which prefers small numbers, finds the plainest first."""
    random = author.random
    chance = random.random()
    if chance > 0.95:
        return random.choice(NOT_JSON)
    if chance > 0.88:
        return line_of([_message(author) for _ in range(random.choice([1, 2, 3, 8]))], random)
    line = line_of(_message(author), random)
    return with_other_bytes(random, line) if random.random() > 0.7 else line


def _message(author: Author) -> object:
    message = author.message()
    for _ in range(author.random.choice(CHANGES)):
        if isinstance(message, dict):
            message = with_other_members(author.random, message)
    return message
