"""Pictures that are drawn here: the flame graph of a profile, as SVG or PNG.

PNG needs Pillow, an optional dependency; the rest does without.
"""

from .flame_graph import flame_graph_svg
from .png import PictureLibraryMissing, flame_graph_png

__all__ = ["PictureLibraryMissing", "flame_graph_png", "flame_graph_svg"]
