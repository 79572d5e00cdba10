"""The flame graph of a profile as SVG: the same bytes for the same profile.

Below each frame are those that it called, as wide as their time.
"""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from zlib import crc32

from pharo_mcp.image.replies.evaluations import Profile, ProfileRow

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


class DrawnFrame(NamedTuple):
    """A frame: its place, its colour, the part of its name that fits, and all that is known of it."""

    x: float
    y: float
    width: float
    colour: str
    label: str
    title: str


def _title(profile: Profile) -> str:
    waiting = f", waiting {profile.share(profile.waiting)}" if profile.waiting else ""
    return f"{profile.total / 1_000_000:.2f} seconds in {profile.samples:,} samples{waiting}"


def lay_out(profile: Profile) -> Iterator[DrawnFrame]:
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
            yield DrawnFrame(x, y, width, _colour(row), _label(row.method, width), _described(row, profile))


def _colour(row: ProfileRow) -> str:
    if row.waiting >= MOSTLY * row.total:
        return WAITING
    of_class = row.method.removeprefix("[ ] in ").partition(">>")[0]
    return COLOURS[crc32(of_class.encode()) % len(COLOURS)]


def _label(method: str, width: float) -> str:
    """Return what fits of a name, nothing if that is too little to recognize it."""
    letters = int((width - 6) / LETTER)
    if len(method) <= letters:
        return method
    return f"{method[: letters - 1]}…" if letters > 3 else ""


def _described(row: ProfileRow, profile: Profile) -> str:
    parts = [f"{profile.share(row.total)}, {row.total / 1000:,.0f} ms"]
    if row.own:
        parts.append(f"own {profile.share(row.own)}")
    if row.waiting:
        parts.append(f"waiting {profile.share(row.waiting)}")
    if row.recursive:
        parts.append("recursive")
    return f"{row.method} ({', '.join(parts)})"


STYLE = f"""
text {{ font: {SIZE}px system-ui, sans-serif; fill: {INK}; }}
.page {{ fill: #ffffff; }}
@media (prefers-color-scheme: dark) {{
  .page {{ fill: #161b22; }}
  .head {{ fill: #c9d1d9; }}
}}
"""
"""The frames are light on both pages, so only the page and its title change."""


def flame_graph_svg(profile: Profile) -> str:
    """Draw a profile."""
    frames, title = list(lay_out(profile)), _xml(_title(profile))
    height = int(max((frame.y for frame in frames), default=HEAD)) + ROW + MARGIN
    size = {"width": str(WIDTH), "height": str(height), "viewBox": f"0 0 {WIDTH} {height}"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img"})
    SubElement(svg, "title").text = title
    SubElement(svg, "style").text = STYLE
    SubElement(svg, "rect", {"class": "page", "width": str(WIDTH), "height": str(height)})
    head = SubElement(svg, "text", {"class": "head", "x": str(MARGIN), "y": str(HEAD - 10)})
    head.text = title
    for frame in frames:
        _draw_svg(frame, svg)
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _draw_svg(frame: DrawnFrame, svg: Element) -> None:
    group = SubElement(svg, "g")
    SubElement(group, "title").text = _xml(frame.title)
    place = {"x": f"{frame.x:.1f}", "y": f"{frame.y:.0f}"}
    extent = {"width": f"{max(frame.width - 0.5, 0.5):.1f}", "height": str(ROW - 1)}
    SubElement(group, "rect", {**place, **extent, "rx": "2", "fill": frame.colour})
    if frame.label:
        text = SubElement(group, "text", {"x": f"{frame.x + 3:.1f}", "y": f"{frame.y + 13:.0f}"})
        text.text = _xml(frame.label)


def _xml(text: str) -> str:
    """Return a text without the characters that no XML document may contain."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
