"""Command lines that Pharo 12, 13 and 14 all accept.

In 12 and 13 each command has a handler. In 14 it is a Clap command, which is stricter: options of the image
(`--interactive`, `--no-default-preferences`) precede the command, and its flags precede its argument.
`metacello install` has another meaning in 14, so projects are loaded with `eval`.
"""


def evaluate(machine: str, image: str, expression: str, *, save: bool = False) -> list[str]:
    """The command that evaluates an expression without windows, prints its value and, with `save`, saves."""
    return [machine, "--headless", image, "eval", *(["--save"] if save else []), expression]


def run_script(machine: str, image: str, script: str, *, headless: bool) -> list[str]:
    """The command that runs a Smalltalk file and leaves the image open, with or without windows."""
    if headless:
        return [machine, "--headless", image, "st", script]
    return [machine, image, "--interactive", "st", script]
