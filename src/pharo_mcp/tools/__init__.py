"""The tools, one module each: schema, words for the model, and the one request that each makes."""

from .evaluate import evaluate_tool
from .get_class import get_class_tool
from .get_evaluation import get_evaluation_tool
from .get_status import get_status_tool
from .get_version import get_version_tool
from .inspect_object import inspect_object_tool
from .list_images import list_images_tool
from .reset_workspace import reset_workspace_tool
from .select_image import select_image_tool
from .stop_evaluation import stop_evaluation_tool

__all__ = [
    "evaluate_tool",
    "get_class_tool",
    "get_evaluation_tool",
    "get_status_tool",
    "get_version_tool",
    "inspect_object_tool",
    "list_images_tool",
    "reset_workspace_tool",
    "select_image_tool",
    "stop_evaluation_tool",
]
