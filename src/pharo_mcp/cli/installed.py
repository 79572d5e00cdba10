"""What of Pharo is on disk: virtual machines and images.

The folders are Pharo Launcher's: `vms/130-x64` and so on, `images/NAME/NAME.image`, with the version of an
image in the file `pharo.version` beside it.
"""

import os
import re
import shutil
from glob import escape, glob

from .host import Host

LAUNCHER = ("~/Pharo", "~/Documents/Pharo", "%USERPROFILE%/Documents/Pharo")
ON_PATH = ("pharo", "Pharo", "pharo-ui")
PROGRAMS = {
    "linux": ("pharo",),
    "macos": ("Pharo.app/Contents/MacOS/Pharo",),
    "windows": ("PharoConsole.exe", "Pharo.exe"),
}


def machines_on_disk(host: Host, version: str | None = None) -> list[str]:
    """The virtual machines found, the newest first; of those for a version, if given, such as `130`."""
    found = [
        program
        for folder in _folders(host, "vms", "*-x64", "*-arm64")
        for name in PROGRAMS[host.system]
        if os.path.isfile(program := os.path.join(folder, name))
    ]
    found.sort(key=_version, reverse=True)
    if version and (fitting := [program for program in found if _version(program) == int(version)]):
        return fitting
    path = host.environ.get("PATH", "")
    return found + list(filter(None, (shutil.which(name, path=path) for name in ON_PATH)))


def images_on_disk(host: Host) -> list[str]:
    """The images found, the last saved first."""
    found = [image for folder in _folders(host, "images", "*") for image in glob(f"{escape(folder)}/*.image")]
    return sorted(found, key=os.path.getmtime, reverse=True)


def version_of(image: str) -> str | None:
    """The version of an image, such as `130`, where a file beside it tells."""
    try:
        with open(os.path.join(os.path.dirname(image), "pharo.version"), encoding="ascii") as file:
            told = file.read(20).strip()
    except (OSError, UnicodeDecodeError):
        return None
    return told if re.fullmatch(r"\d{2,3}", told) else None


def _folders(host: Host, *pattern: str) -> list[str]:
    kind, *names = pattern
    roots = {host.expand(root) for root in LAUNCHER}
    return [
        path
        for root in sorted(roots)
        for name in names
        for path in sorted(glob(f"{escape(root)}/{kind}/{name}"))
    ]


def _version(program: str) -> int:
    found = re.search(r"[\\/](\d+)-(?:x64|arm64)[\\/]", program)
    return int(found[1]) if found else 0


def machine_for(host: Host, image: str, given: str | None = None) -> str:
    """The virtual machine to run an image: the given one, or the one found that fits its version best.

    Raises:
        LookupError: If there is none; the sentence says where it was looked for.
    """
    if given:
        if program := shutil.which(given):
            return program
        raise LookupError(f"{given} is no program")
    if found := machines_on_disk(host, version_of(image)):
        return found[0]
    looked = ", ".join(host.expand(f"{root}/vms") for root in LAUNCHER[:2])
    raise LookupError(f"no virtual machine was found on PATH or in {looked}: give one with --vm")
