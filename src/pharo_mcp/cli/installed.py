"""Find the virtual machines and images on disk.

Pharo Launcher keeps virtual machines in folders such as `vms/130-x64` and images in
`images/NAME/NAME.image`, with a file `pharo.version` beside each image. Pharo's download scripts unpack an
image into the current folder, with a virtual machine in `pharo-vm` and the scripts `pharo-ui` and `pharo`.
"""

import os
import re
import shutil
from glob import escape, glob

from .host import Host
from .spelling import similar

MAX_LISTED = 5
"""Most images to list in an error message."""
LIVE_IMAGES = (
    "`launch`, `load` and --launch take image files; other commands choose a live image with --image"
)
LAUNCHER_FOLDERS = ("~/Pharo", "~/Documents/Pharo", "%USERPROFILE%/Documents/Pharo")
SCRIPTS = ("pharo-ui", "pharo")
"""The second of those scripts starts images without windows."""
NAMES_ON_PATH = (*SCRIPTS, "Pharo")
FOLDERS_BESIDE = ("pharo-vm", os.path.join("..", "vm"))
"""Folders beside an image that have a virtual machine; the second is where `launch --new` unpacks one."""
PROGRAMS = {
    "linux": ("pharo",),
    "macos": ("Pharo.app/Contents/MacOS/Pharo",),
    "windows": ("PharoConsole.exe", "Pharo.exe"),
}


def machines_beside(host: Host, folder: str) -> list[str]:
    """The virtual machines beside the images of a folder."""
    names = [os.path.join(each, name) for each in FOLDERS_BESIDE for name in PROGRAMS[host.system]]
    paths = (os.path.join(folder, name) for name in (*names, *SCRIPTS))
    return [os.path.abspath(path) for path in paths if shutil.which(path)]


def machines_on_disk(host: Host, version: str | None = None) -> list[str]:
    """The virtual machines on disk, newest first; only those for `version`, such as `130`, if any match."""
    found = [
        program
        for folder in _folders(host, "vms", "*-x64", "*-arm64")
        for name in PROGRAMS[host.system]
        if os.path.isfile(program := os.path.join(folder, name))
    ]
    found.sort(key=_version, reverse=True)
    if version and (matching := [program for program in found if _version(program) == int(version)]):
        return matching
    path = host.environ.get("PATH", "")
    return found + list(filter(None, (shutil.which(name, path=path) for name in NAMES_ON_PATH)))


def images_on_disk(host: Host) -> list[str]:
    """The images in the current folder and in Pharo Launcher's folders, the most recently saved first."""
    folders = [".", *_folders(host, "images", "*")]
    found = {os.path.abspath(image) for folder in folders for image in glob(f"{escape(folder)}/*.image")}
    return sorted(found, key=os.path.getmtime, reverse=True)


def version_of(image: str) -> str | None:
    """The version of an image, such as `130`, from the file `pharo.version`; None if it is unknown."""
    try:
        with open(os.path.join(os.path.dirname(image), "pharo.version"), encoding="ascii") as file:
            version = file.read(20).strip()
    except (OSError, UnicodeDecodeError):
        return None
    return version if re.fullmatch(r"\d{2,3}", version) else None


def _folders(host: Host, *pattern: str) -> list[str]:
    kind, *names = pattern
    roots = {host.expand(root) for root in LAUNCHER_FOLDERS}
    return [
        path
        for root in sorted(roots)
        for name in names
        for path in sorted(glob(f"{escape(root)}/{kind}/{name}"))
    ]


def _version(program: str) -> int:
    match = re.search(r"[\\/](\d+)-(?:x64|arm64)[\\/]", program)
    return int(match[1]) if match else 0


def machine_for(host: Host, image: str, chosen: str | None = None) -> str:
    """The virtual machine to run an image: the chosen one, or the best match on disk.

    Raises:
        LookupError: If there is none; the message lists the folders that were searched.
    """
    if chosen:
        if program := shutil.which(chosen):
            return program
        raise LookupError(f"{chosen} is not an executable file")
    folder = os.path.dirname(image)
    if found := machines_beside(host, folder) or machines_on_disk(host, version_of(image)):
        return found[0]
    searched = ", ".join([folder, *(host.expand(f"{root}/vms") for root in LAUNCHER_FOLDERS[:2])])
    raise LookupError(f"no virtual machine was found on PATH or in {searched}: choose one with --vm")


def image_for(host: Host, path_or_name: str | None) -> str:
    """The image with a path or a name; with None, the only image on disk.

    Raises:
        LookupError: If there is none, or more than one.
    """
    if path_or_name and os.path.isfile(path_or_name):
        if not path_or_name.endswith(".image"):
            raise LookupError(f"{path_or_name} is not an image file: its name does not end in .image")
        return os.path.abspath(path_or_name)
    if path_or_name and (os.path.dirname(path_or_name) or path_or_name.endswith(".image")):
        raise LookupError(f"image {path_or_name} does not exist. {LIVE_IMAGES}")
    found = images_on_disk(host)
    matching = [
        image for image in found if path_or_name in (None, os.path.splitext(os.path.basename(image))[0])
    ]
    match matching:
        case [image]:
            return image
        case [] if path_or_name:
            names = [os.path.splitext(os.path.basename(image))[0] for image in found]
            hint = similar(path_or_name, names)
            raise LookupError(
                f"image {path_or_name} was not found{hint}: use the path of its file. {LIVE_IMAGES}"
            )
        case []:
            raise LookupError("no image was found: choose one with --image, or download one with --new 13")
    listed = "\n    ".join(matching[:MAX_LISTED])
    raise LookupError(f"{len(matching)} images were found: choose one with --image\n    {listed}")
