"""Connects the parts: the only package that imports all others except the command line."""
