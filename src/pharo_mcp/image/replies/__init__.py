"""The replies of the companion: named tuples, which `shapes.read` reads from JSON."""
