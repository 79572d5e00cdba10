"""The names of a version that the next one lacks or deprecates altogether, for the front end to look for."""

from collections.abc import Iterator

from pharo_api.pharo_version import TEST_PACKAGE, PharoVersion
from pharo_mcp.migrations.rules import FOLDER

LOST_NAMES = FOLDER / "names13.tsv"
HEADING = (
    "# Made by scripts/check-smalltalk names 12 13: names of 12 that 13 lacks or that all there deprecate."
)


def lost_names(older: PharoVersion, newer: PharoVersion) -> Iterator[str]:
    """A row for each class and selector, without those of tests and manifests."""
    infos = [
        info
        for info in older.classes.values()
        if not TEST_PACKAGE.search(info.package) and not info.name.startswith("Manifest")
    ]
    selectors = {name for info in infos for names in info.selectors.values() for name in names}
    classes = {info.name for info in infos if info.is_known}
    for name in sorted(classes - newer.classes.keys()) + sorted(selectors - newer.selectors):
        yield f"gone\t{name}"
    for name in sorted(selectors & newer.deprecated):
        yield f"deprecated\t{name}"
