"""What AI assistants do in an image, for the person in front of it.

`Watcher` reads it from an image, `lines_of` makes text of it, `as_json` a JSON object, and `show_in_terminal`
shows it live in a terminal. That needs textual, an optional dependency; the rest does without.
"""
