"""The practice image of one session: one that died or hangs is replaced by a fresh one."""

import os
from collections.abc import Callable

from pharo_mcp.image import practice_command
from pharo_mcp.times import PRACTICE_SILENCE_SECONDS

from .image_rules import ImageRules
from .practice_process import PracticeProcess
from .replaceable_image import ReplaceableImage

SESSION_PREFIX = "practice-session-"
"""How the names of images begin that belong to a session; the number of our process follows."""
RULES = ImageRules(
    name="The practice image",
    advice=(
        "Its output is in pharo-mcp's log (standard error); `pharo-mcp practice` in a terminal shows it, too."
    ),
    silent="Repeat the call: after {silence} seconds without an answer it is replaced by a fresh one.",
    replaced=(
        "{name} was replaced by a fresh one: {why}. All that was in it is lost: classes and methods that you "
        "defined, variables, the log of changes, object ids and evaluation ids."
    ),
    silence=PRACTICE_SILENCE_SECONDS,
)


def find_command() -> list[str]:
    """The command of a practice image that prints the path of its connection file."""
    return practice_command(
        "PharoMcp start", "PharoMcp current connectionFile fullName", name=f"{SESSION_PREFIX}{os.getpid()}"
    )


def practice_image(
    command: Callable[[], list[str]] = find_command, rules: ImageRules = RULES
) -> ReplaceableImage:
    """A practice image of ours; `command` is asked for each time that one is started."""
    return ReplaceableImage(lambda: PracticeProcess(command), rules)
