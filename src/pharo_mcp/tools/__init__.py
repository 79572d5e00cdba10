"""The tools, one module each: schema, words for the model, and the one request that each makes."""

from .compile_method import compile_method_tool
from .define_class import define_class_tool
from .evaluate import evaluate_tool
from .export_package import export_package_tool
from .get_class import get_class_tool
from .get_evaluation import get_evaluation_tool
from .get_method import get_method_tool
from .get_package import get_package_tool
from .get_status import get_status_tool
from .get_version import get_version_tool
from .import_package import import_package_tool
from .inspect_object import inspect_object_tool
from .list_changes import list_changes_tool
from .list_images import list_images_tool
from .list_packages import list_packages_tool
from .list_repositories import list_repositories_tool
from .load_project import load_project_tool
from .move_method import move_method_tool
from .registered import registered_tool
from .remove_class import remove_class_tool
from .remove_method import remove_method_tool
from .rename_class import rename_class_tool
from .rename_method import rename_method_tool
from .reset_workspace import reset_workspace_tool
from .run_tests import run_tests_tool
from .save_image import save_image_tool
from .search import search_tool
from .select_image import select_image_tool
from .stop_evaluation import stop_evaluation_tool
from .take_screenshot import take_screenshot_tool
from .undo_change import undo_change_tool

__all__ = [
    "compile_method_tool",
    "define_class_tool",
    "evaluate_tool",
    "export_package_tool",
    "get_class_tool",
    "get_evaluation_tool",
    "get_method_tool",
    "get_package_tool",
    "get_status_tool",
    "get_version_tool",
    "import_package_tool",
    "inspect_object_tool",
    "list_changes_tool",
    "list_images_tool",
    "list_packages_tool",
    "list_repositories_tool",
    "load_project_tool",
    "move_method_tool",
    "registered_tool",
    "remove_class_tool",
    "remove_method_tool",
    "rename_class_tool",
    "rename_method_tool",
    "reset_workspace_tool",
    "run_tests_tool",
    "save_image_tool",
    "search_tool",
    "select_image_tool",
    "stop_evaluation_tool",
    "take_screenshot_tool",
    "undo_change_tool",
]
