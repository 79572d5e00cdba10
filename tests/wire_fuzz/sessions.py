"""Sessions: everything that one client sends to one process, generated in advance."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from .messages import LEGACY, MessageGenerator
from .mutations import NOT_JSON, line_of, mutated_bytes, mutated_members

END_OF_INPUT, SIGTERM, SIGINT, HANG_UP, STOP_READING = (
    "end of input",
    "SIGTERM",
    "SIGINT",
    "hang-up",
    "no reading",
)
ENDINGS = (END_OF_INPUT, SIGTERM, SIGINT, HANG_UP, STOP_READING)
LENGTHS = (1, 1, 2, 3, 5, 8, 30, 80)
"""Rounds in a session: most are short, some have thousands of lines."""
ROUND = 40
"""The maximum number of lines in a round."""
CHANGES = (0, 0, 0, 0, 0, 0, 0, 1, 1, 2)
"""How many members of a message are changed."""
FLOOD = 1100
"""Calls in a round that exceeds the number of requests that may wait."""


class End(NamedTuple):
    """How a session ends, and after how many bytes of its last round."""

    how: str
    after: int


class Session(NamedTuple):
    """Lines in rounds; a round starts when the previous one is answered."""

    has_image: bool
    rounds: tuple[tuple[bytes, ...], ...]
    end: End

    @property
    def lines(self) -> int:
        """The number of lines."""
        return sum(map(len, self.rounds))

    def without(self, start: int, end: int) -> "Session":
        """The session without some of its lines, counted over all rounds."""
        rounds, number = [], 0
        for lines in self.rounds:
            rounds.append(tuple(line for at, line in enumerate(lines, number) if not start <= at < end))
            number += len(lines)
        *before, last = rounds
        return self._replace(rounds=(*filter(None, before), last))


def shrunk(session: Session, fails: Callable[[Session], bool], tries: int = 100) -> Session:
    """Shrink a failing session: return one with fewer lines that also fails."""
    size = max(1, session.lines // 2)
    while size and tries:
        start = 0
        while start < session.lines and tries:
            tries -= 1
            smaller = session.without(start, start + size)
            if fails(smaller):
                session = smaller
            else:
                start += size
        size //= 2
    return session


def session_by(random: Random, end: str | None = None, rounds: int | None = None) -> Session:
    """A session of random content."""
    legacy = random.choice([*LEGACY, None])
    generator = MessageGenerator(random, modern=0.9 if legacy is None else random.choice([0.0, 0.1, 0.5]))
    count = rounds or random.choice(LENGTHS)
    written = [tuple(_round(generator)) for _ in range(count)]
    if legacy and random.random() < 0.9:
        start = line_of(generator.initialize(legacy), random)
        written[0] = (start, *written[0])
    how = end or random.choice([END_OF_INPUT, END_OF_INPUT, *ENDINGS])
    size = sum(len(line) + 1 for line in written[-1])
    return Session(random.random() < 0.75, tuple(written), End(how, random.randrange(size + 1)))


def _round(generator: MessageGenerator) -> Iterator[bytes]:
    random = generator.random
    if random.random() > 0.998:
        for _ in range(FLOOD):
            yield line_of(generator.call_tool(), random)
    for _ in range(random.randrange(ROUND) + 1):
        yield _line(generator)


def _line(generator: MessageGenerator) -> bytes:
    """One line; small random numbers, which hypothesis prefers, choose the simplest."""
    random = generator.random
    chance = random.random()
    if chance > 0.95:
        return random.choice(NOT_JSON)
    if chance > 0.88:
        return line_of([_message(generator) for _ in range(random.choice([1, 2, 3, 8]))], random)
    line = line_of(_message(generator), random)
    return mutated_bytes(random, line) if random.random() > 0.7 else line


def _message(generator: MessageGenerator) -> object:
    message = generator.message()
    for _ in range(generator.random.choice(CHANGES)):
        if isinstance(message, dict):
            message = mutated_members(generator.random, message)
    return message
