"""Pictures of terminals, as SVG."""

import re


def without_fonts(svg: str) -> str:
    """The picture with the reader's own monospaced font, so that nothing is loaded from elsewhere."""
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)
