"""The connection to an image: finding it, reaching it, and one request after another."""

from pharo_mcp.address import Address
from pharo_mcp.imports import TYPE_CHECKING, import_later

from .connection_files import (
    ConnectionFile,
    check_folder,
    connection_files,
    folder_in,
    is_running,
    read_connection_file,
    remove_connection_files,
)

if TYPE_CHECKING:
    from .companion_connection import CompanionConnection
    from .current_connection import CurrentConnection
    from .http import warm
    from .images import FoundImages, Images, LiveImage, Locate, OneImage, at, at_url
    from .pending_request import PendingRequest
    from .request_gate import Body, ReplyReader, RequestGate, TypedReply, all_within, answer, until
    from .saving import SavedImage, wait_until_saved
else:  # a command that only looks for images needs none of these
    __getattr__ = import_later(
        __name__,
        (
            "companion_connection",
            "pending_request",
            "http",
            "images",
            "current_connection",
            "request_gate",
            "saving",
        ),
    )

__all__ = [
    "GRACE",
    "LIMIT",
    "LONG",
    "TOTAL",
    "Address",
    "Body",
    "CompanionConnection",
    "ConnectionFile",
    "CurrentConnection",
    "FoundImages",
    "Images",
    "LiveImage",
    "Locate",
    "OneImage",
    "PendingRequest",
    "ReplyReader",
    "RequestGate",
    "SavedImage",
    "TypedReply",
    "all_within",
    "answer",
    "at",
    "at_url",
    "check_folder",
    "connection_files",
    "folder_in",
    "is_running",
    "read_connection_file",
    "remove_connection_files",
    "until",
    "wait_until_saved",
    "warm",
]
