"""The prompts, one module each."""

from .explain_class import explain_class_prompt
from .explore_package import explore_package_prompt
from .fix_failing_tests import fix_failing_tests_prompt
from .look_at_this import look_at_this_prompt
from .refactor_method import refactor_method_prompt
from .registered import registered_prompt
from .review_class import review_class_prompt
from .write_tests import write_tests_prompt

__all__ = [
    "explain_class_prompt",
    "explore_package_prompt",
    "fix_failing_tests_prompt",
    "look_at_this_prompt",
    "refactor_method_prompt",
    "registered_prompt",
    "review_class_prompt",
    "write_tests_prompt",
]
