"""The practice image of one session: one that died or hangs is replaced by a fresh one."""

import os
from collections.abc import Callable, Sequence

from pharo_mcp.image.practice_commands import practice_command
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
LOADING_RULES = RULES._replace(
    advice=(
        "Its output, in pharo-mcp's log (standard error), says if a package could not be loaded; `pharo-mcp "
        "practice --load FOLDER` in a terminal shows it, too. After a correction, ask the user to reconnect "
        "pharo-mcp in the client, which starts it again."
    ),
    starts_again=False,
)
"""With packages that may not load: then the next try would not load them either."""


def find_command(folders: Sequence[str]) -> list[str]:
    """The command of a practice image that loads folders, and prints the path of its connection file."""
    say = "PharoMcp current connectionFile fullName"
    return practice_command("PharoMcp start", say, folders, f"{SESSION_PREFIX}{os.getpid()}")


def practice_image(command: Callable[[], list[str]], rules: ImageRules = RULES) -> ReplaceableImage:
    """A practice image of ours; `command` is asked for each time that one is started."""
    return ReplaceableImage(lambda: PracticeProcess(command), rules)
