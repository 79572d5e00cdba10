"""The replies of the companion: named tuples, which `strict_json.read_shape` reads from JSON."""
