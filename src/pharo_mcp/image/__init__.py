"""A Pharo image from outside: finding it, asking it, and what can be wrong with it.

No MCP here. Importing this imports no httpx; `warm` does, for whoever has a moment.
"""

from .address import Address
from .client import LONGEST_LIMIT, LONGEST_WAIT, WAIT, ImageClient
from .connection_files import folder_in, read_connection_file
from .contact import Contact
from .errors import AnswerLost, ImageError, NothingRan
from .http import warm
from .images import FoundImages, Images, LiveImage, Locate, OneImage, at, at_url
from .loading import companion_folder
from .refusals import RequestRefused, UnknownClass, UnknownEvaluation
from .replies import (
    ClassDetails,
    Evaluation,
    Inspection,
    Part,
    Protocol,
    Running,
    Status,
    Stopped,
    Version,
    Workspace,
)
from .requests import LIMIT, all_within
from .shapes import schema_of, write
from .smalltalk_error import SmalltalkError

__all__ = [
    "LIMIT",
    "LONGEST_LIMIT",
    "LONGEST_WAIT",
    "WAIT",
    "Address",
    "AnswerLost",
    "ClassDetails",
    "Contact",
    "Evaluation",
    "FoundImages",
    "ImageClient",
    "ImageError",
    "Images",
    "Inspection",
    "LiveImage",
    "Locate",
    "NothingRan",
    "OneImage",
    "Part",
    "Protocol",
    "RequestRefused",
    "Running",
    "SmalltalkError",
    "Status",
    "Stopped",
    "UnknownClass",
    "UnknownEvaluation",
    "Version",
    "Workspace",
    "all_within",
    "at",
    "at_url",
    "companion_folder",
    "folder_in",
    "read_connection_file",
    "schema_of",
    "warm",
    "write",
]
