"""Generate the lists in docs/practice-image.md from the kernel of the practice image, for cog."""

import os

from pharo_practice.image import KERNEL
from pharo_practice.tonel.reader import Definition, files_in, read_files

KERNEL_TESTS = os.path.join(os.path.dirname(KERNEL[0]), "kernel_tests")


def summary() -> str:
    """The number of classes and packages, in one sentence."""
    kernel = definitions(*KERNEL)
    classes = [each for each in kernel if each.kind in ("Class", "Trait")]
    return f"{len(classes)} classes and traits in {len({each.package for each in kernel})} packages."


def packages() -> str:
    """Every package with its classes and the classes of other packages that it extends."""
    kernel = definitions(*KERNEL)
    rows = []
    for package in sorted({each.package for each in kernel}):
        own = [each for each in kernel if each.package == package]
        names = sorted(each.name for each in own if each.kind in ("Class", "Trait"))
        extended = sorted(each.name for each in own if each.kind == "Extension")
        rows.append(f"- **{package}**: {', '.join(f'`{name}`' for name in names) or 'no class of its own'}")
        if extended:
            rows[-1] += f"; extends {', '.join(f'`{name}`' for name in extended)}"
    return "\n".join(rows)


def tests() -> str:
    """The kernel's own test classes, by package."""
    classes = [each for each in definitions(KERNEL_TESTS) if each.name.endswith("Test")]
    rows = []
    for package in sorted({each.package for each in classes}):
        names = sorted(each.name for each in classes if each.package == package)
        rows.append(f"- **{package}**: {', '.join(f'`{name}`' for name in names)}")
    return "\n".join(rows)


def definitions(*folders: str) -> list[Definition]:
    """The definitions in the Tonel files of some folders."""
    return [each for folder in folders for each in read_files(files_in(folder))]
