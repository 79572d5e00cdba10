"""The resources, one module each."""

from .class_details import class_details_template
from .evaluation import evaluation_template
from .system_version import system_version_resource

__all__ = ["class_details_template", "evaluation_template", "system_version_resource"]
