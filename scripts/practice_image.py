"""Generate the size in docs/practice-image.md from the kernel of the practice image, for cog."""

from pharo_practice.image import KERNEL
from pharo_practice.tonel.reader import Definition, files_in, read_files


def summary() -> str:
    """The number of classes and packages, in one sentence."""
    kernel = definitions(*KERNEL)
    classes = [each for each in kernel if each.kind in ("Class", "Trait")]
    return f"{len(classes)} classes and traits in {len({each.package for each in kernel})} packages."


def definitions(*folders: str) -> list[Definition]:
    """The definitions in the Tonel files of some folders."""
    return [each for folder in folders for each in read_files(files_in(folder))]
