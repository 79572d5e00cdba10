"""What is wrong with the header of a file, and with the names and protocols of its methods."""

from collections.abc import Iterator, Set

from pharo_api.pharo_version import PharoVersion
from pharo_api.problems import Problem, error, warning
from pharo_api.syntax_tree import Method
from pharo_api.tonel import TonelFile
from pharo_api.traits import trait_uses

SHORTEST_COMMENT = 3


def style_problems(file: TonelFile) -> Iterator[Problem]:
    """What is wrong in any version: files, folders, comments and protocols."""
    if not file.name:
        return
    if file.kind == "Package":
        if file.name != file.folder:
            yield warning(0, f"package {file.name} is in folder {file.folder}")
        return
    expected = f"{file.name}.{file.kind.lower()}.st"
    if file.path.name != expected:
        yield warning(file.header.position, f"the file should be named {expected}")
    if file.is_class_or_trait:
        yield from definition_style_problems(file)
    yield from method_style_problems(file)


def definition_style_problems(file: TonelFile) -> Iterator[Problem]:
    """Whether a class has a comment, and is in the folder of its package."""
    name, header, folder = file.name, file.header, file.folder
    if len(header.comment.strip('"').strip()) < SHORTEST_COMMENT:
        yield warning(header.position, f"{name} has no class comment")
    if header.package != folder and not header.package.startswith(f"{folder}-"):
        yield warning(header.position, f"{name} says package '{header.package}' but is in folder {folder}")


def method_style_problems(file: TonelFile) -> Iterator[Problem]:
    """Whether each method is in its class, once, and in a protocol."""
    seen = set()
    for method in file.methods:
        if method.owner != file.name:
            yield error(method.position, f"{method.label} is in the file of {file.name}")
        if (method.side, method.selector) in seen:
            yield error(method.position, f"{method.label} is defined twice")
        seen.add((method.side, method.selector))
        if method.protocol in {"", "as yet unclassified"}:
            yield warning(method.position, f"{method.label} has no method category")
        elif file.kind == "Extension" and not is_extension_of(file.folder, method):
            category = f"its category should be '*{file.folder}'"
            yield warning(method.position, f"{method.label} extends Pharo, so {category}")


def is_extension_of(package: str, method: Method) -> bool:
    """Whether a method's protocol says that it belongs to a package or a tag of it."""
    expected, protocol = f"*{package}".lower(), method.protocol.lower()
    return protocol == expected or protocol.startswith(f"{expected}-")


def definition_problems(file: TonelFile, version: PharoVersion, allowed: Set[str]) -> Iterator[Problem]:
    """What a header names that this version has not: superclass, traits, pools, the extended class."""
    for role, name in named_in(file):
        if not version.knows(name) and name not in allowed:
            yield error(file.header.position, f"unknown {role} {name}")


def named_in(file: TonelFile) -> Iterator[tuple[str, str]]:
    """What the header of a class, trait or extension names, each with what it is there."""
    if not file.has_methods:
        return
    if file.kind == "Extension":
        yield "extended class", file.name
        return
    info = file.header.class_info()
    if file.kind == "Class" and info.superclass != "nil":
        yield "superclass", info.superclass
    for use in trait_uses(info.traits) + trait_uses(info.class_traits):
        yield "trait", use.name
    for pool in info.pools:
        yield "pool", pool
