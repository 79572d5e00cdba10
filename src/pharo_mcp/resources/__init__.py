"""The resources, one module each."""
