"""What AI assistants do in an image, for a person: `application` needs textual, the rest does without."""
