"""The prompts, one module each."""

from .review_class import review_class_prompt

__all__ = ["review_class_prompt"]
