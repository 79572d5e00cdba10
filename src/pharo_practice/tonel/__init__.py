"""Tonel files: packages read from them and written to them."""
