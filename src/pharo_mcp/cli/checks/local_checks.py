"""Checks of this computer: pharo-mcp itself, the environment, and the Pharo installation."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping

from pharo_mcp import __version__
from pharo_mcp.app.settings import Settings
from pharo_mcp.cli.clients import own_entry
from pharo_mcp.cli.host import Host
from pharo_mcp.cli.installed import images_on_disk, machines_beside, machines_on_disk
from pharo_mcp.image.loading import companion_folder

from .finding import Finding, good, note, problem

PROXIES = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
MINIMUM_PYTHON = (3, 11)


def check_installation(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check Python, the version of pharo-mcp, and that the companion's sources are installed."""
    python = f"Python {platform.python_version()} ({sys.executable})"
    if sys.version_info >= MINIMUM_PYTHON:
        yield good(python)
    else:
        yield problem(f"{python} is too old", "Install Python 3.11 or newer, then install pharo-mcp with it.")
    yield good(f"pharo-mcp {__version__}: {' '.join(own_entry().words)}")
    try:
        yield good(f"The companion's sources: {companion_folder()}")
    except FileNotFoundError as error:
        yield problem(str(error), "Install pharo-mcp again.")


def check_environment(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check the PHARO_MCP_… variables, proxies, and WSL."""
    try:
        Settings.read(host.environ)
    except ValueError as error:
        yield problem(f"Invalid PHARO_MCP_… environment variables: {error}", "Fix or unset them.")
    variables = [
        f"{name}={host.environ[name]}" for name in sorted(host.environ) if name.startswith("PHARO_MCP_")
    ]
    if shown := [variable for variable in variables if "TOKEN" not in variable]:
        yield note(f"Environment variables: {', '.join(shown)}")
    if proxies := [name for name in PROXIES if host.environ.get(name)]:
        yield note(f"{' and '.join(proxies)} set: pharo-mcp uses no proxy for an image on this computer")
    if "WSL_DISTRO_NAME" in host.environ:
        yield note(
            "This is WSL: Windows counts as another computer, so images there are not found",
            "Run pharo-mcp where the image runs: let the client start pharo-mcp in Windows, or start a Linux "
            "image in WSL.",
        )


def check_pharo(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Look for virtual machines and images on disk."""
    images = images_on_disk(host)
    folders = dict.fromkeys([".", *map(os.path.dirname, images)])
    beside = [machine for folder in folders for machine in machines_beside(host, folder)]
    machines = list(dict.fromkeys([*beside, *machines_on_disk(host)]))
    if machines:
        yield good(f"Pharo VM: {machines[0]}{f' and {len(machines) - 1} more' if machines[1:] else ''}")
    else:
        yield note(
            "No Pharo VM was found on PATH, beside an image, or in Pharo Launcher's folders",
            "Only `pharo-mcp launch` and `pharo-mcp load --image` need one; choose one with --vm.",
        )
    if images:
        names = ", ".join(os.path.basename(image) for image in images[:3])
        yield good(f"Images on disk: {names}{f' and {len(images) - 3} more' if images[3:] else ''}")
    else:
        yield note("No image was found in the current folder or in Pharo Launcher's folders")
