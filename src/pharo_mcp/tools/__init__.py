"""The tools, one module each: schema, words for the model, and the one request that each makes."""

from .evaluate import evaluate_tool
from .get_class import get_class_tool
from .get_version import get_version_tool

__all__ = ["evaluate_tool", "get_class_tool", "get_version_tool"]
