"""Pictures that are drawn here: the flame graph of a profile, as SVG or PNG.

PNG needs Pillow, an optional dependency; the rest does without.
"""
