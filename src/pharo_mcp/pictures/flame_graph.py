"""The flame graph of a profile as SVG: the same bytes for the same profile."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pharo_mcp.image.replies.profile import Profile

from .layout import HEAD, INK, MARGIN, ROW, SIZE, WIDTH, Frame, lay_out

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
    graph = lay_out(profile)
    size = {"width": str(WIDTH), "height": str(graph.height), "viewBox": f"0 0 {WIDTH} {graph.height}"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img"})
    SubElement(svg, "title").text = _xml(graph.title)
    SubElement(svg, "style").text = STYLE
    SubElement(svg, "rect", {"class": "page", "width": str(WIDTH), "height": str(graph.height)})
    head = SubElement(svg, "text", {"class": "head", "x": str(MARGIN), "y": str(HEAD - 10)})
    head.text = _xml(graph.title)
    for frame in graph.frames:
        _draw(frame, svg)
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _draw(frame: Frame, svg: Element) -> None:
    group = SubElement(svg, "g")
    SubElement(group, "title").text = _xml(frame.title)
    place = {"x": f"{frame.x:.1f}", "y": f"{frame.y:.0f}"}
    extent = {"width": f"{max(frame.width - 0.5, 0.5):.1f}", "height": str(ROW - 1)}
    SubElement(group, "rect", {**place, **extent, "rx": "2", "fill": frame.colour})
    if frame.label:
        text = SubElement(group, "text", {"x": f"{frame.x + 3:.1f}", "y": f"{frame.y + 13:.0f}"})
        text.text = _xml(frame.label)


def _xml(text: str) -> str:
    """A text without the characters that no XML document may contain."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
