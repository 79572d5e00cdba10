"""The prompts, one module each."""
