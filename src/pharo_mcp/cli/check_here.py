"""What the doctor looks at on this computer: ourselves, the environment, and what of Pharo is installed."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping

from pharo_mcp import __version__
from pharo_mcp.app import Settings
from pharo_mcp.image import companion_folder

from .entry import own_entry
from .finding import Finding, good, note, problem
from .host import Host
from .installed import images_on_disk, machines_on_disk

PROXIES = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
OLDEST_PYTHON = (3, 11)


def check_ourselves(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Python, our version, and whether the companion's sources came with us."""
    python = f"Python {platform.python_version()} ({sys.executable})"
    if sys.version_info >= OLDEST_PYTHON:
        yield good(python)
    else:
        yield problem(f"{python} is too old", "Install Python 3.11 or newer, and pharo-mcp with it.")
    yield good(f"pharo-mcp {__version__}: {' '.join(own_entry().words)}")
    try:
        yield good(f"The companion's sources: {companion_folder()}")
    except FileNotFoundError as error:
        yield problem(str(error), "Install pharo-mcp again.")


def check_environment(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """The variables that say which image is meant, proxies, and WSL."""
    try:
        Settings.read(host.environ)
    except ValueError as error:
        yield problem(f"The variables PHARO_MCP_… cannot be followed: {error}", "Correct or unset them.")
    told = [f"{name}={host.environ[name]}" for name in sorted(host.environ) if name.startswith("PHARO_MCP_")]
    if shown := [word for word in told if "TOKEN" not in word]:
        yield note(f"Set in the environment: {', '.join(shown)}")
    if proxies := [name for name in PROXIES if host.environ.get(name)]:
        yield note(f"{' and '.join(proxies)} set: pharo-mcp asks no proxy for an image on this computer")
    if "WSL_DISTRO_NAME" in host.environ:
        yield note(
            "This is WSL: an image that runs under Windows is another computer",
            "Run pharo-mcp where the image runs: let the client start it under Windows, or start a Linux "
            "image here.",
        )


def check_installed(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """A VM and images on disk."""
    machines = machines_on_disk(host)
    if machines:
        yield good(f"Pharo VM: {machines[0]}{f' and {len(machines) - 1} more' if machines[1:] else ''}")
    else:
        yield note(
            "No Pharo VM was found on PATH or in Pharo Launcher's folders",
            "Needed only for `pharo-mcp launch` and `load --image`; give it there with --vm.",
        )
    images = images_on_disk(host)
    if images:
        names = ", ".join(os.path.basename(image) for image in images[:3])
        yield good(f"Images on disk: {names}{f' and {len(images) - 3} more' if images[3:] else ''}")
    else:
        yield note("No image was found in Pharo Launcher's folders")
