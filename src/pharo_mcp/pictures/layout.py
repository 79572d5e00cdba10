"""Where the frames of a flame graph are: below each frame those that it called, as wide as their time."""

from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

from pharo_mcp.image.replies.profile import Profile, ProfileRow

WIDTH = 1200
MARGIN = 10
HEAD = 30
"""Height of the title."""
ROW = 18
LEAST_WIDTH = 0.5
"""Narrower frames, in pixels, are not drawn."""
SIZE = 11
"""Of the letters."""
LETTER = 6.2
"""The width of a letter, on average."""
COLOURS = ("#f2c6a0", "#f0d68a", "#e9b8a6", "#d9d29b", "#e6c5b8", "#f4dfb0")
"""Of frames, by class: light, so that dark letters are readable on them on any page."""
WAITING = "#c3d0dd"
"""Of frames that do hardly anything but wait."""
MOSTLY = 0.95
INK = "#24292f"


class Frame(NamedTuple):
    """A frame: its place, its colour, the part of its name that fits, and all that is known of it."""

    x: float
    y: float
    width: float
    colour: str
    label: str
    title: str


class FlameGraph(NamedTuple):
    """The frames of a profile, and the height of the picture."""

    title: str
    frames: tuple[Frame, ...]
    height: int


def lay_out(profile: Profile) -> FlameGraph:
    """Place the frames of a profile."""
    frames = tuple(_frames(profile))
    lowest = max((frame.y for frame in frames), default=HEAD)
    return FlameGraph(_title(profile), frames, int(lowest) + ROW + MARGIN)


def share(part: int, total: int) -> str:
    """A part of a total in percent."""
    return f"{100 * part / total if total else 0:.1f} %"


def _title(profile: Profile) -> str:
    waiting = f", waiting {share(profile.waiting, profile.total)}" if profile.waiting else ""
    return f"{profile.total / 1_000_000:.2f} seconds in {profile.samples:,} samples{waiting}"


def _frames(profile: Profile) -> Iterator[Frame]:
    """Yield the frames from the outermost on: the tree has each row before those that it called."""
    per_pixel = max(profile.total, 1) / (WIDTH - 2 * MARGIN)
    begins = [0]  # by depth: where the next frame begins, in microseconds
    for row in profile.tree:
        del begins[row.depth + 1 :]
        begin = begins[row.depth]
        begins[row.depth] += row.total
        begins.append(begin)
        width = row.total / per_pixel
        if width >= LEAST_WIDTH:
            x, y = MARGIN + begin / per_pixel, HEAD + ROW * row.depth
            yield Frame(x, y, width, _colour(row), _label(row.method, width), _described(row, profile))


def _colour(row: ProfileRow) -> str:
    if row.waiting >= MOSTLY * row.total:
        return WAITING
    of_class = row.method.removeprefix("[ ] in ").partition(">>")[0]
    return COLOURS[crc32(of_class.encode()) % len(COLOURS)]


def _label(method: str, width: float) -> str:
    """What fits of a name; nothing if that is too little to recognize it."""
    letters = int((width - 6) / LETTER)
    if len(method) <= letters:
        return method
    return f"{method[: letters - 1]}…" if letters > 3 else ""


def _described(row: ProfileRow, profile: Profile) -> str:
    parts = [f"{share(row.total, profile.total)}, {row.total / 1000:,.0f} ms"]
    if row.own:
        parts.append(f"own {share(row.own, profile.total)}")
    if row.waiting:
        parts.append(f"waiting {share(row.waiting, profile.total)}")
    if row.recursive:
        parts.append("recursive")
    return f"{row.method} ({', '.join(parts)})"
