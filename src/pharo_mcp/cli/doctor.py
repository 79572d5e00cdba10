"""`pharo-mcp doctor`: find problems and suggest fixes.

A check is a function that yields findings; CHECKS has them in the order of the way from client to image.
"""

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import NamedTuple

from pharo_mcp import __version__
from pharo_mcp.app.settings import IMAGE_CHOICES, Settings
from pharo_mcp.image.connection_files import folder_in, read_connection_file
from pharo_mcp.image.errors import ImageError, to_the_user
from pharo_mcp.image.images import FoundImages
from pharo_mcp.image.loading import companion_folder
from pharo_mcp.image.replies.evaluations import Evaluation
from pharo_mcp.image.replies.image import Status, UserInterface
from pharo_mcp.protocol.catalog import ToolResult

from .call import open_image
from .clients import CLIENTS, Client, ClientFile, Entry, UnusableFile, own_entry
from .commands import serving_options
from .installed import (
    Host,
    NotFound,
    image_for,
    images_on_disk,
    machine_for,
    machines_beside,
    machines_on_disk,
)
from .terminal import CHOOSE_ONE, SEVERAL_IMAGES, print_json, text_of

DOCTOR_SECONDS = 2.0
"""`doctor`'s wait for images to answer."""
CHOICE = (*IMAGE_CHOICES, "token", "load", "vm")
"""The settings that say which image is used."""
FIX_PROBLEMS = "Next: fix the problems marked !!, from the top, and run this again."
NO_PROBLEMS = "No problems found. Ask your client, for example: “What is 100 factorial in my Pharo image?”"

Options = Mapping[str, object]


class Finding(NamedTuple):
    """One line of the report: what was found and, for a problem, how to fix it."""

    mark: str
    text: str
    fix: str | None = None


def good(text: str) -> Finding:
    """Return the finding of a check that passed."""
    return Finding("ok", text)


def note(text: str, fix: str | None = None) -> Finding:
    """Return a finding that is worth knowing and need not be fixed."""
    return Finding("--", text, fix)


def problem(text: str, fix: str) -> Finding:
    """Return a finding that must be fixed."""
    return Finding("!!", text, fix)


def run(options: Options) -> int:
    """Run the checks and print their findings; return 1 if there is a problem."""
    host = Host.current()
    findings = []
    for check in CHECKS:
        for finding in check(host, options):
            findings.append(finding)
            if "json" not in options:
                print(f"{finding.mark}  {finding.text}")
                print("".join(f"    {line}\n" for line in (finding.fix or "").splitlines()), end="")
    problems = [finding for finding in findings if finding.mark == "!!"]
    if "json" in options:
        step = problems[0].fix if problems else NO_PROBLEMS
        print_json({"findings": [finding._asdict() for finding in findings], "next": step})
    else:
        print(f"\n{FIX_PROBLEMS if problems else NO_PROBLEMS}")
    return 1 if problems else 0


def check_installation(host: Host, options: Options) -> Iterator[Finding]:
    """Check the versions of Python and pharo-mcp, and that the companion's sources are installed."""
    yield good(f"Python {platform.python_version()} ({sys.executable})")
    yield good(f"pharo-mcp {__version__}: {' '.join(own_entry().words)}")
    try:
        yield good(f"The companion's sources: {companion_folder()}")
    except FileNotFoundError as error:
        yield problem(str(error), "Install pharo-mcp again.")


def check_environment(host: Host, options: Options) -> Iterator[Finding]:
    """Check the PHARO_MCP_… variables, and WSL."""
    try:
        Settings.read(host.environ)
    except ValueError as error:
        yield problem(f"Invalid PHARO_MCP_… environment variables: {error}", "Fix or unset them.")
    names = sorted(each for each in host.environ if each.startswith("PHARO_MCP_") and "TOKEN" not in each)
    if shown := [f"{name}={host.environ[name]}" for name in names]:
        yield note(f"Environment variables: {', '.join(shown)}")
    if "WSL_DISTRO_NAME" in host.environ:
        yield note(
            "This is WSL: Windows counts as another computer, so images there are not found",
            "Run pharo-mcp where the image runs: let the client start pharo-mcp in Windows, or start a Linux "
            "image in WSL.",
        )


def check_pharo(host: Host, options: Options) -> Iterator[Finding]:
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


class ClientEntry(NamedTuple):
    """An entry that starts pharo-mcp on this computer, where it is, and the environment that it sets."""

    client: Client
    name: str
    entry: Entry
    environ: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.client.title}'s entry {self.name}"


def client_files(host: Host) -> Iterator[tuple[Client, str, Mapping[str, object] | UnusableFile]]:
    """Yield the configuration files of all clients, with the servers in each, or why it cannot be read."""
    for client in CLIENTS:
        for path in client.paths(host):
            try:
                yield client, path, ClientFile.read(path, is_toml=client.is_toml).servers(client.key)
            except UnusableFile as error:
                yield client, path, error


def entries_in(client: Client, servers: Mapping[str, object]) -> Iterator[ClientEntry]:
    """Yield those of a client's servers that start pharo-mcp on this computer."""
    for name, value in servers.items():
        if entry := Entry.read(value):
            yield ClientEntry(client, name, entry, _environment_in(value))


def check_clients(host: Host, options: Options) -> Iterator[Finding]:
    """Check that each installed client has an entry for pharo-mcp, and that its command exists."""
    client = None
    for client, path, servers in client_files(host):
        setup = f"pharo-mcp setup {client.name}"
        if isinstance(servers, UnusableFile):
            if client.allows_comments:
                by_hand = f"If it has comments, see that it has what `pharo-mcp config {client.name}` prints."
                yield note(f"{client.title}: {servers}", by_hand)
            else:
                yield problem(f"{client.title}: {servers}", f"Fix {path}, then run `{setup}`.")
            continue
        entries = list(entries_in(client, servers))
        if not entries:
            text = f"{client.title} has no entry that starts pharo-mcp on this computer ({path})"
            yield note(text, f"Run `{setup}`.")
        for each in entries:
            command = each.entry.command
            if shutil.which(command):
                yield good(f"{client.title} has the entry {each.name}: {command}")
            else:
                yield problem(f"{client.title} starts {command}, which does not exist", f"Run `{setup}`.")
    if client is None:
        names = ", ".join(client.name for client in CLIENTS)
        yield note("No MCP client was found", f"Paste what `pharo-mcp config CLIENT` prints ({names}).")


def check_connection_files(host: Host, options: Options) -> Iterator[Finding]:
    """Check that connection files are readable, private, and belong to live images."""
    folder = folder_in(host.home)
    try:
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        paths = []
    if not paths:
        yield note(f"No connection file in {folder}: no image has run `PharoMcp start`, or all were stopped")
    urls = {}
    for path in paths:
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            yield problem(f"{path} contains a token and can be read by other users", f"chmod 600 '{path}'")
        try:
            urls[read_connection_file(path).url] = path
        except (OSError, ValueError, RecursionError) as error:
            yield problem(f"{path} is not a valid connection file: {error}", "Delete it.")
    try:
        live = {image.url: image for image in FoundImages(folder).live(monotonic() + DOCTOR_SECONDS)}
    except ImageError as error:
        text, _, fix = to_the_user(error.message).partition("\n")
        yield problem(text, fix)
        return
    for image in live.values():
        if image.trouble:
            more = f"Run `pharo-mcp doctor --image '{image.name}'` for details."
            yield note(f"{image}: {image.trouble}", more)
        else:
            yield good(str(image))
    if stale := [path for url, path in urls.items() if url not in live]:
        files = "connection file was" if len(stale) == 1 else "connection files were"
        yield note(
            f"{len(stale)} {files} left behind by images that no longer run",
            f"pharo-mcp ignores them; you can delete them: {' '.join(stale)}",
        )


def check_image(host: Host, settings: Settings) -> Iterator[Finding]:
    """Check the status of the image that a client would use, and evaluate an expression in it.

    Of several images among which the client can choose, each is checked.
    """
    with open_image(settings) as call_tool:
        status = call_tool("get_status", {})
        if status.error and status.error["kind"] == SEVERAL_IMAGES:
            yield from _check_each(host, settings)
            return
        details = status.reply
        if not isinstance(details, Status):
            yield _failed(status)
            return
        yield good(f"{details.name} responds: {details.system}, companion {details.version}")
        yield from _check_interface(details.user_interface)
        if details.read_only:
            yield note(
                "The image is read-only: nothing can be evaluated",
                "In the image, evaluate `PharoMcp start` to allow changes.",
            )
            return
        trial = call_tool("evaluate", {"expression": "3 + 4", "timeout_seconds": 5})
    if isinstance(trial.reply, Evaluation) and trial.reply.print_string == "7":
        yield good("The image evaluates 3 + 4 to 7")
    else:
        yield _failed(trial, "The image cannot evaluate 3 + 4: ")


def _check_each(host: Host, settings: Settings) -> Iterator[Finding]:
    images = FoundImages(folder_in(host.home)).live(monotonic() + DOCTOR_SECONDS)
    yield note(
        f"{len(images)} images are live and none was chosen: the assistant is told to choose one",
        CHOOSE_ONE,
    )
    for image in images:
        yield from check_image(host, settings._replace(image=image.url, or_practice=False))


def _check_interface(interface: UserInterface | None) -> Iterator[Finding]:
    if interface is None or not interface.present or interface.answers:
        return
    windows = [*interface.debuggers, *interface.dialogs]
    blocker = f": it waits for {' and '.join(repr(title) for title in windows)}" if windows else ""
    yield problem(
        f"The user interface of the image does not respond{blocker}",
        "Close that window in the image." if windows else "Interrupt the code that blocks it (Cmd-.).",
    )


def _failed(result: ToolResult, prefix: str = "") -> Finding:
    first, _, rest = text_of(result).partition("\n")
    return problem(f"{prefix}{first}", rest.strip("\n") or "See above.")


def check_used_images(host: Host, options: Options) -> Iterator[Finding]:
    """Check the image that the options or the environment choose, or else those of the clients' entries."""
    try:
        chosen = Settings.read(host.environ, options)
    except ValueError as error:
        yield problem(str(error), "Fix the options or the PHARO_MCP_… environment variables.")
        return
    if chosen.chooses_image:
        yield from check_image(host, chosen)
        return
    uses: dict[Settings, list[str]] = {}
    for client, _, servers in client_files(host):
        for entry in entries_in(client, servers) if isinstance(servers, Mapping) else ():
            try:
                uses.setdefault(_choice_of(entry, host), []).append(str(entry))
            except ValueError as error:
                yield problem(f"{entry} is invalid: {error}", "Correct its options in the client's file.")
    for use, entries in (uses or {Settings(): []}).items():
        yield from _check_use(host, use, entries)


def _environment_in(value: object) -> Mapping[str, str]:
    match value:
        case {"env": {**environ}} | {"environment": {**environ}}:
            return {str(name): str(text) for name, text in environ.items()}
    return {}


def _choice_of(entry: ClientEntry, host: Host) -> Settings:
    """Return the settings that say which image an entry uses; the others have their defaults."""
    settings = Settings.read({**host.environ, **entry.environ}, serving_options(entry.entry.options or ()))
    return Settings(**{name: getattr(settings, name) for name in CHOICE})


def _check_use(host: Host, use: Settings, entries: list[str]) -> Iterator[Finding]:
    which, ending = " and ".join(entries), "" if entries[1:] else "s"
    if use.launch:
        yield _check_launch(host, use.launch, use.vm, f"{which} start{ending}")
        return
    if use.practice:
        yield good(f"{which} start{ending} a practice image")
    elif use.or_practice:
        yield good(f"{which} use{ending} the live image, or a practice image")
    elif use.chooses_image:
        yield good(f"{which} use{ending} the image {use.image or use.url}")
    yield from check_image(host, use)


def _check_launch(host: Host, launch: str, vm: str | None, which_start: str) -> Finding:
    try:
        image = image_for(host, launch)
        machine = machine_for(host, image, vm)
    except NotFound as error:
        return problem(f"{which_start} {launch}: {error}", "Correct --launch and --vm in the client's file.")
    return good(f"{which_start} {image} in {machine}; `pharo-mcp launch --image '{image}'` tries that")


CHECKS = (
    check_installation,
    check_environment,
    check_clients,
    check_pharo,
    check_connection_files,
    check_used_images,
)
