"""Pharo's command line, in the words that Pharo 12, 13 and 14 all take.

In 12 and 13 each command has a handler, in 14 it is a Clap command, which is stricter: what concerns the
image (`--interactive`, `--no-default-preferences`) comes before the command, its flags before its argument.
`metacello install` means something else in 14, so that projects are loaded with `eval`.
"""


def evaluate(machine: str, image: str, expression: str, *, save: bool = False) -> list[str]:
    """Evaluate an expression without windows and print its value; save the image after it if told to."""
    return [machine, "--headless", image, "eval", *(["--save"] if save else []), expression]


def run_script(machine: str, image: str, script: str, *, headless: bool) -> list[str]:
    """Run a file of Smalltalk and leave the image open, with or without windows."""
    if headless:
        return [machine, "--headless", image, "st", script]
    return [machine, image, "--interactive", "st", script]
