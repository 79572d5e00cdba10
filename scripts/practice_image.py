"""The lists of docs/practice-image.md, made from the kernel of the practice image; cog puts them in."""

from pathlib import Path

from pharo_standin.image import KERNEL
from pharo_standin.tonel import Definition, read_folder

KERNEL_TESTS = KERNEL[0].with_name("kernel_tests")


def summary() -> str:
    """How much there is, in one sentence."""
    kernel = definitions(*KERNEL)
    classes = [each for each in kernel if each.kind in ("Class", "Trait")]
    return f"{len(classes)} classes and traits in {len({each.package for each in kernel})} packages."


def packages() -> str:
    """Every package with its classes; what it adds to the classes of others counts as extensions."""
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
    written = [each for each in definitions(KERNEL_TESTS) if each.name.endswith("Test")]
    rows = []
    for package in sorted({each.package for each in written}):
        names = sorted(each.name for each in written if each.package == package)
        rows.append(f"- **{package}**: {', '.join(f'`{name}`' for name in names)}")
    return "\n".join(rows)


def definitions(*folders: Path) -> list[Definition]:
    """What the Tonel files in some folders define."""
    return [each for folder in folders for each in read_folder(folder)]
