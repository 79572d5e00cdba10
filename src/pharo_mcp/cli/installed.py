"""Pharo on this computer: the system's folders, virtual machines and images on disk, and downloads."""

import os
import platform
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape, glob
from http.client import HTTPException
from typing import IO, NamedTuple
from urllib.request import urlopen

from .ending import CommandFailed
from .terminal import Progress, similar

DOWNLOAD_STALL_SECONDS = 30
"""A download that receives nothing."""

SYSTEMS = {"darwin": "macos", "win32": "windows"}
DEFAULTS = {
    "APPDATA": "~/AppData/Roaming",
    "LOCALAPPDATA": "~/AppData/Local",
    "XDG_CONFIG_HOME": "~/.config",
    "CLAUDE_CONFIG_DIR": "~",
    "CODEX_HOME": "~/.codex",
}
"""Folders to use where the environment variable is not set."""


class NotFound(CommandFailed):
    """An image or a virtual machine was not found on this computer, or is not the only one."""


class Host(NamedTuple):
    """An operating system (`macos`, `windows` or `linux`), the user's home folder, and the environment."""

    system: str
    home: str
    environ: Mapping[str, str]

    @classmethod
    def current(cls) -> "Host":
        """Return the computer that pharo-mcp runs on."""
        home = os.environ.get("HOME") or os.path.expanduser("~")
        return cls(SYSTEMS.get(sys.platform, "linux"), home, os.environ)

    def expand(self, pattern: str) -> str:
        """Return a path with `~` and `%NAME%` replaced."""
        return os.path.normpath(self._replace_variables(pattern, str))

    def paths(self, pattern: str) -> Iterator[str]:
        """Yield the paths that match a pattern and whose folders exist; the files need not exist."""
        folder, name = os.path.split(self._replace_variables(pattern, escape))
        for match in sorted(glob(folder)):
            if os.path.isdir(match):
                yield os.path.normpath(os.path.join(match, name))

    def is_in_home(self, path: str) -> bool:
        """Return whether a file is in the home folder itself, not in a folder below."""
        return os.path.dirname(path) == os.path.normpath(self.home)

    def _replace_variables(self, pattern: str, quote: Callable[[str], str]) -> str:
        replaced = re.sub(r"%(\w+)%", lambda match: self._folder(match[1], quote), pattern)
        return re.sub(r"^~(?=/|$)", lambda _: quote(self.home), replaced)

    def _folder(self, name: str, quote: Callable[[str], str]) -> str:
        value = self.environ.get(name)
        return quote(value) if value else DEFAULTS.get(name, f"%{name}%")


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
    """Return the virtual machines beside the images of a folder."""
    names = [os.path.join(each, name) for each in FOLDERS_BESIDE for name in PROGRAMS[host.system]]
    paths = (os.path.join(folder, name) for name in (*names, *SCRIPTS))
    return [os.path.abspath(path) for path in paths if shutil.which(path)]


def machines_on_disk(host: Host, version: str | None = None) -> list[str]:
    """Return the virtual machines on disk, newest first; only those for `version`, such as 130, if any."""
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
    """Return the images in the current folder and in Pharo Launcher's folders, the last saved first."""
    folders = [".", *_folders(host, "images", "*")]
    found = {os.path.abspath(image) for folder in folders for image in glob(f"{escape(folder)}/*.image")}
    return sorted(found, key=os.path.getmtime, reverse=True)


def version_of(image: str) -> str | None:
    """Return the version of an image, such as `130`, from the file `pharo.version`; None if it is unknown."""
    try:
        with open(os.path.join(os.path.dirname(image), "pharo.version"), encoding="ascii") as file:
            version = file.read(20).strip()
    except (OSError, UnicodeDecodeError):
        return None
    return version if re.fullmatch(r"\d{2,3}", version) else None


def _folders(host: Host, kind: str, *names: str) -> list[str]:
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
    """Return the virtual machine to run an image: the chosen one, or the best match on disk.

    Raises:
        NotFound: If there is none; the message lists the folders that were searched.
    """
    if chosen:
        if program := shutil.which(chosen):
            return program
        raise NotFound(f"{chosen} is not an executable file")
    folder = os.path.dirname(image)
    if found := machines_beside(host, folder) or machines_on_disk(host, version_of(image)):
        return found[0]
    searched = ", ".join([folder, *(host.expand(f"{root}/vms") for root in LAUNCHER_FOLDERS[:2])])
    raise NotFound(f"no virtual machine was found on PATH or in {searched}: choose one with --vm")


def image_for(host: Host, path_or_name: str | None) -> str:
    """Return the image with a path or a name; with None, the only image on disk.

    Raises:
        NotFound: If there is none, or more than one.
    """
    if path_or_name and os.path.isfile(path_or_name):
        if not path_or_name.endswith(".image"):
            raise NotFound(f"{path_or_name} is not an image file: its name does not end in .image")
        return os.path.abspath(path_or_name)
    if path_or_name and (os.path.dirname(path_or_name) or path_or_name.endswith(".image")):
        raise NotFound(f"image {path_or_name} does not exist. {LIVE_IMAGES}")
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
            raise NotFound(
                f"image {path_or_name} was not found{hint}: use the path of its file. {LIVE_IMAGES}"
            )
        case []:
            raise NotFound("no image was found: choose one with --image, or download one with --new 13")
    listed = "\n    ".join(matching[:MAX_LISTED])
    raise NotFound(f"{len(matching)} images were found: choose one with --image\n    {listed}")


SITE = "https://files.pharo.org"
SYSTEM_NAMES = {"linux": "Linux", "macos": "Darwin", "windows": "Windows"}
ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "aarch64": "arm64"}
"""Pharo's names for the processors that Python names otherwise."""
CHUNK_SIZE = 1 << 18


def download(host: Host, version: str, site: str = SITE) -> tuple[str, str]:
    """Download a new image of a version such as `13`, and its virtual machine unless already present.

    Returns:
        The paths of the virtual machine and the image.

    Raises:
        CommandFailed: If they cannot be downloaded.
    """
    number = f"{version}0"
    folder = host.expand(f"~/.pharo-mcp/pharo/{number}")
    processor = platform.machine()
    architecture = ARCHITECTURES.get(processor.lower(), processor)
    vm_url = f"{site}/get-files/{number}/pharo-vm-{SYSTEM_NAMES[host.system]}-{architecture}-stable.zip"
    try:
        vm = os.path.join(folder, "vm")
        if not os.path.isdir(vm):
            with removed_on_failure(vm):
                fetch(vm_url, vm)
                program_in(host, vm)
        image = unused_folder(folder)
        with removed_on_failure(image):
            fetch(f"{site}/image/{number}/latest-64.zip", image)
            return program_in(host, vm), rename_image(image, f"Pharo{version}")
    except (OSError, HTTPException, zipfile.BadZipFile) as error:
        reason = getattr(error, "reason", error)
        raise CommandFailed(
            f"Pharo {version} could not be downloaded from {site}: {reason}. Without a network connection, "
            "use an image on this computer (--image) or the practice image (pharo-mcp practice)"
        ) from error
    finally:
        for empty in (folder, os.path.dirname(folder), host.expand("~/.pharo-mcp")):
            with suppress(OSError):  # it has something
                os.rmdir(empty)


@contextmanager
def removed_on_failure(folder: str) -> Iterator[None]:
    """Remove the folder if the block fails or is interrupted."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def fetch(url: str, folder: str) -> None:
    """Download a zip file and unpack it into a new folder, which is not created if anything fails."""
    parent = os.path.dirname(folder)
    os.makedirs(parent, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as temporary:
        archive = os.path.join(temporary, "archive.zip")
        with urlopen(url, timeout=DOWNLOAD_STALL_SECONDS) as response, open(archive, "wb") as file:  # noqa: S310 - https
            copy(response, file, int(response.headers.get("Content-Length") or 0), url.rpartition("/")[2])
        unpacked = os.path.join(temporary, "unpacked")
        unpack(archive, unpacked)
        os.rename(unpacked, folder)


def copy(source: IO[bytes], target: IO[bytes], size: int, title: str) -> None:
    """Copy all bytes and show the progress."""
    done, shown = 0, Progress(f"{title}:")
    while chunk := source.read(CHUNK_SIZE):
        target.write(chunk)
        done += len(chunk)
        shown.show(f"{done * 100 // size} % of {size / 1e6:.0f} MB" if size else f"{done / 1e6:.0f} MB")
    shown.clear()
    if size and done != size:
        raise HTTPException(f"the connection ended after {done} of {size} bytes")


def unpack(archive: str, folder: str) -> None:
    """Unpack a zip file and keep the file modes stored in it."""
    with zipfile.ZipFile(archive) as file:
        for member in file.infolist():
            path = file.extract(member, folder)
            if mode := (member.external_attr >> 16) & 0o777:
                os.chmod(path, mode | 0o600)


def unused_folder(parent: str) -> str:
    """Return the path of a new folder for an image."""
    number = 1
    while os.path.exists(folder := os.path.join(parent, f"image-{number}")):
        number += 1
    return folder


def program_in(host: Host, folder: str) -> str:
    """Return the virtual machine in an unpacked folder."""
    for name in PROGRAMS[host.system]:
        if os.path.isfile(program := os.path.join(folder, name)):
            return program
    raise CommandFailed(
        f"the download contains no {PROGRAMS[host.system][0]}: try again, or use another with --vm"
    )


def rename_image(folder: str, name: str) -> str:
    """Rename the image in a folder and its changes file; return the new path."""
    found = glob(f"{escape(folder)}/*.image")
    if not found:
        raise CommandFailed("the download contains no image: try again, or choose one with --image")
    stem = os.path.splitext(found[0])[0]
    for extension in (".changes", ".image"):
        if os.path.exists(stem + extension):
            shutil.move(stem + extension, os.path.join(folder, name + extension))
    return os.path.join(folder, f"{name}.image")
