"""The connection to an image: finding it, reaching it, and one request after another."""
