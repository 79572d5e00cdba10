"""A Pharo image from outside: finding it, asking it, and what can be wrong with it.

No MCP here. Importing this imports no httpx; `warm` does, for whoever has a moment.
"""

from .address import Address
from .change_replies import (
    Change,
    ChangeLog,
    CompiledMethod,
    DefinedClass,
    Impact,
    Refactoring,
    Saving,
    Undone,
)
from .client import LONGEST_LIMIT, LONGEST_WAIT, ImageClient
from .code_replies import (
    ClassDetails,
    FoundClass,
    FoundMethod,
    FoundSelector,
    Method,
    Package,
    Packages,
    Protocol,
    Search,
)
from .connection_files import ConnectionFile, connection_files, folder_in, read_connection_file
from .contact import Contact
from .errors import AnswerLost, ImageError, NothingRan
from .evaluating import WAIT, Outcome
from .http import warm
from .images import FoundImages, Images, LiveImage, Locate, OneImage, at, at_url
from .loading import companion_folder, companion_repository, load_and_start, load_companion, start_script
from .offer_replies import (
    Block,
    Called,
    Event,
    Events,
    OfferedArgument,
    OfferedPrompt,
    OfferedResource,
    OfferedTemplate,
    OfferedTool,
    Registered,
    Said,
)
from .project_replies import Exported, Imported, Loaded, RanTest, RanTests, Repositories, Screenshot
from .refusals import (
    RequestRefused,
    UnknownClass,
    UnknownEvaluation,
    UnknownMethod,
    UnknownPackage,
)
from .replies import Evaluation, Inspection, Part, Running, Status, Stopped, Version, Workspace
from .requests import TOTAL, all_within
from .shapes import schema_of, wire_name, write
from .smalltalk_error import SmalltalkError
from .watch import Heard

__all__ = [
    "LONGEST_LIMIT",
    "LONGEST_WAIT",
    "TOTAL",
    "WAIT",
    "Address",
    "AnswerLost",
    "Block",
    "Called",
    "Change",
    "ChangeLog",
    "ClassDetails",
    "CompiledMethod",
    "ConnectionFile",
    "Contact",
    "DefinedClass",
    "Evaluation",
    "Event",
    "Events",
    "Exported",
    "FoundClass",
    "FoundImages",
    "FoundMethod",
    "FoundSelector",
    "Heard",
    "ImageClient",
    "ImageError",
    "Images",
    "Impact",
    "Imported",
    "Inspection",
    "LiveImage",
    "Loaded",
    "Locate",
    "Method",
    "NothingRan",
    "OfferedArgument",
    "OfferedPrompt",
    "OfferedResource",
    "OfferedTemplate",
    "OfferedTool",
    "OneImage",
    "Outcome",
    "Package",
    "Packages",
    "Part",
    "Protocol",
    "RanTest",
    "RanTests",
    "Refactoring",
    "Registered",
    "Repositories",
    "RequestRefused",
    "Running",
    "Said",
    "Saving",
    "Screenshot",
    "Search",
    "SmalltalkError",
    "Status",
    "Stopped",
    "Undone",
    "UnknownClass",
    "UnknownEvaluation",
    "UnknownMethod",
    "UnknownPackage",
    "Version",
    "Workspace",
    "all_within",
    "at",
    "at_url",
    "companion_folder",
    "companion_repository",
    "connection_files",
    "folder_in",
    "load_and_start",
    "load_companion",
    "read_connection_file",
    "schema_of",
    "start_script",
    "warm",
    "wire_name",
    "write",
]
