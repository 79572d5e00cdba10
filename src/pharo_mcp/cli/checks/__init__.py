"""The checks of `pharo-mcp doctor`, by what they look at."""
