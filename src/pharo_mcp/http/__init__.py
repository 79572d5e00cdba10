"""Serve clients over Streamable HTTP: sessions for the legacy era, one request at a time for the modern one.

An ASGI application of our own; the server under it, uvicorn, is an optional extra.
Nothing on the way of standard input and output imports this package.
"""

from .application import Application
from .conversations import Connect
from .guard import check_token, make_token
from .serving import HttpMissing, HttpServer

__all__ = ["Application", "Connect", "HttpMissing", "HttpServer", "check_token", "make_token"]
