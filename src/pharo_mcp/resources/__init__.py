"""The resources, one module each."""

from .changes import changes_resource
from .class_details import class_details_template
from .evaluation import evaluation_template
from .flame_graph import flame_graph_template
from .handed_over import HANDED_OVER, handed_over_resource
from .method_source import class_method_source_template, method_source_template
from .package import package_template
from .registered import registered_resource, registered_template
from .system_status import system_status_resource
from .system_version import system_version_resource

__all__ = [
    "HANDED_OVER",
    "changes_resource",
    "class_details_template",
    "class_method_source_template",
    "evaluation_template",
    "flame_graph_template",
    "handed_over_resource",
    "method_source_template",
    "package_template",
    "registered_resource",
    "registered_template",
    "system_status_resource",
    "system_version_resource",
]
