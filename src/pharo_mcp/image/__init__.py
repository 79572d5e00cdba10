"""A Pharo image from outside: finding it, asking it, and what can be wrong with it.

No MCP here. Importing this imports no httpx; `warm` does, for whoever has a moment.
"""

from .address import Address
from .client import LIMIT, LONGEST_LIMIT, ImageClient
from .contact import Contact
from .discovery import Locate, at, at_url, folder_in, found_in, read_connection_file
from .errors import ImageError, NothingRan, RequestRefused, UnknownClass
from .http import warm
from .replies import ClassDetails, Evaluation, Protocol, Status, Version
from .shapes import schema_of, write
from .smalltalk_error import SmalltalkError

__all__ = [
    "LIMIT",
    "LONGEST_LIMIT",
    "Address",
    "ClassDetails",
    "Contact",
    "Evaluation",
    "ImageClient",
    "ImageError",
    "Locate",
    "NothingRan",
    "Protocol",
    "RequestRefused",
    "SmalltalkError",
    "Status",
    "UnknownClass",
    "Version",
    "at",
    "at_url",
    "folder_in",
    "found_in",
    "read_connection_file",
    "schema_of",
    "warm",
    "write",
]
