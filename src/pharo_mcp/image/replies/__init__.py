"""The replies of the companion: named tuples, and reading them from JSON."""
