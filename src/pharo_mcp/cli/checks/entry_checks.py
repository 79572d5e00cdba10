"""Checks of the images that clients use: those that their entries for pharo-mcp choose."""

from collections.abc import Iterator, Mapping

from pharo_mcp.app.settings import IMAGE_CHOICES, Settings
from pharo_mcp.cli.commands import serving_options
from pharo_mcp.cli.host import Host
from pharo_mcp.cli.installed import image_for, machine_for

from .client_checks import ClientEntry, client_entries
from .finding import Finding, good, problem
from .image_checks import check_image

CHOICE = (*IMAGE_CHOICES, "token", "load", "vm")
"""The settings that say which image is used."""


def check_used_images(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check the image that the options or the environment choose, or else those of the clients' entries."""
    if any(name in options for name in IMAGE_CHOICES) or _environment_chooses(host):
        yield from check_image(host, options)
        return
    uses: dict[Settings, list[str]] = {}
    for entry in client_entries(host):
        try:
            uses.setdefault(_choice_of(entry, host), []).append(str(entry))
        except ValueError as error:
            yield problem(f"{entry} is invalid: {error}", "Correct its options in the client's file.")
    for use, entries in (uses or {Settings(): []}).items():
        yield from _check_use(host, use, entries)


def _environment_chooses(host: Host) -> bool:
    try:
        return Settings.read(host.environ).chooses_image
    except ValueError:
        return True  # which is then reported


def _choice_of(entry: ClientEntry, host: Host) -> Settings:
    """Return the settings that say which image an entry uses; the others have their defaults."""
    options = serving_options(entry.options)
    given = {name: value for name, value in options.items() if name in Settings._fields}
    settings = Settings.read({**host.environ, **entry.environ}, given)
    return Settings(**{name: getattr(settings, name) for name in CHOICE})


def _check_use(host: Host, use: Settings, entries: list[str]) -> Iterator[Finding]:
    which, ending = " and ".join(entries), "" if entries[1:] else "s"
    if use.launch:
        yield _check_launch(host, use.launch, use.vm, f"{which} start{ending}")
        return
    if use.practice:
        yield good(f"{which} start{ending} a practice image")
    elif use.chooses_image:
        yield good(f"{which} use{ending} the image {use.image or use.url}")
    chosen = {name: getattr(use, name) for name in CHOICE}
    yield from check_image(host, {name: value for name, value in chosen.items() if value})


def _check_launch(host: Host, launch: str, vm: str | None, which_start: str) -> Finding:
    try:
        image = image_for(host, launch)
        machine = machine_for(host, image, vm)
    except LookupError as error:
        return problem(f"{which_start} {launch}: {error}", "Correct --launch and --vm in the client's file.")
    return good(f"{which_start} {image} in {machine}; `pharo-mcp launch --image '{image}'` tries that")
