"""Trait compositions: single traits, sums, exclusions and aliases."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from pharo_practice.model.objects import Behavior, CompiledMethod
from pharo_practice.reading.nodes import ArrayNode, LiteralNode, MessageNode, Node, VariableNode
from pharo_practice.reading.parser import parse_source


class Single:
    """One trait."""

    def __init__(self, trait: Behavior) -> None:
        self.trait = trait

    def slots(self) -> list[str]:
        """The instance variables that users of the composition get."""
        return self.trait.all_slots()

    def traits(self) -> list[Behavior]:
        """The traits named."""
        return [self.trait]

    def methods(self) -> dict[str, CompiledMethod]:
        """The methods that users of the composition get."""
        return dict(self.trait.methods)

    def __str__(self) -> str:
        return self.trait.name


class Sum:
    """Several traits; a selector that two of them implement differently is a conflict."""

    def __init__(self, parts: tuple[Composition, ...]) -> None:
        self.parts = parts

    def slots(self) -> list[str]:
        """See Single."""
        return list(dict.fromkeys(slot for part in self.parts for slot in part.slots()))

    def traits(self) -> list[Behavior]:
        """See Single."""
        return [trait for part in self.parts for trait in part.traits()]

    def methods(self) -> dict[str, CompiledMethod]:
        """See Single."""
        found: dict[str, CompiledMethod] = {}
        for part in self.parts:
            for selector, method in part.methods().items():
                known = found.setdefault(selector, method)
                if known.origin is not method.origin and known.source != method.source:
                    found[selector] = _rewritten(method, selector, "\n\t^ self traitConflict")
        return found

    def __str__(self) -> str:
        first, *others = self.parts
        return " + ".join([str(first), *map(_parenthesized, others)])


class Changed:
    """A composition with other methods than the one in it."""

    def __init__(self, inner: Composition) -> None:
        self.inner = inner

    def slots(self) -> list[str]:
        """See Single."""
        return self.inner.slots()

    def traits(self) -> list[Behavior]:
        """See Single."""
        return self.inner.traits()


class Without(Changed):
    """A composition without some of its methods."""

    def __init__(self, inner: Composition, excluded: tuple[str, ...]) -> None:
        super().__init__(inner)
        self.excluded = excluded

    def methods(self) -> dict[str, CompiledMethod]:
        """See Single."""
        return {
            selector: method
            for selector, method in self.inner.methods().items()
            if selector not in self.excluded
        }

    def __str__(self) -> str:
        return f"{_parenthesized(self.inner)} - {{{'. '.join('#' + each for each in self.excluded)}}}"


class Aliased(Changed):
    """A composition with some of its methods under a second name."""

    def __init__(self, inner: Composition, aliases: tuple[tuple[str, str], ...]) -> None:
        super().__init__(inner)
        self.aliases = aliases
        """Pairs of new and old selector."""

    def methods(self) -> dict[str, CompiledMethod]:
        """See Single."""
        found = self.inner.methods()
        for new, old in self.aliases:
            method = found.get(old)
            if method is not None:
                found[new] = _rewritten(method, new)
        return found

    def __str__(self) -> str:
        pairs = ". ".join(f"#{new}->#{old}" for new, old in self.aliases)
        return f"{_parenthesized(self.inner)} @ {{{pairs}}}"


Composition: TypeAlias = Single | Sum | Without | Aliased


def _parenthesized(composition: Composition) -> str:
    return str(composition) if isinstance(composition, Single) else f"({composition})"


def _rewritten(method: CompiledMethod, selector: str, body: str | None = None) -> CompiledMethod:
    """A method with the arguments of another, and its body if there is no other one, under a selector."""
    node, _ = parse_source(method.source, is_doit=False)
    if node is None:
        return method
    names = [argument.name for argument in node.arguments]
    keywords = re.findall(r"\w+:", selector) or [selector]
    pattern = (
        " ".join(f"{keyword} {name}" for keyword, name in zip(keywords, names, strict=False)) or selector
    )
    if body is None:
        pattern_stop = node.arguments[-1].stop if names else node.start - 1 + len(method.selector)
        body = method.source[pattern_stop:]
    rewritten = CompiledMethod(selector, pattern + body, method.method_class, method.protocol)
    rewritten.origin, rewritten.package = method.origin, method.package
    return rewritten


def parse_composition(text: str, find: Callable[[str], Behavior]) -> Composition | None:
    """The composition that an expression such as ``TFirst + (TSecond - {#a})`` stands for.

    ``find`` returns the trait of a name.

    Raises:
        ValueError: If the text is not such an expression.
    """
    if text.strip() in ("", "{}", "nil"):
        return None
    node, notice = parse_source(text, is_doit=True)
    if node is None or len(node.statements) != 1:
        why = f" ({notice.message})" if notice is not None else ""
        raise ValueError(f"{text} is not a trait composition{why}")
    return _composition(node.statements[0], find)


def _composition(node: Node, find: Callable[[str], Behavior]) -> Composition:
    match node:
        case VariableNode(name=name):
            return Single(find(name))
        case MessageNode(selector="classTrait" | "classSide" | "class", receiver=VariableNode(name=name)):
            return Single(find(name).cls)
        case ArrayNode(elements=[_, *_] as elements):
            return _sum([_composition(each, find) for each in elements])
        case MessageNode(selector="+", receiver=one, arguments=[other]):
            return _sum([_composition(each, find) for each in (one, other)])
        case MessageNode(selector="-", receiver=inner, arguments=[excluded]):
            return Without(_composition(inner, find), tuple(_symbols(excluded)))
        case MessageNode(selector="@", receiver=inner, arguments=[ArrayNode(elements=elements)]):
            return Aliased(_composition(inner, find), tuple(map(_alias, elements)))
    raise ValueError(
        "a trait composition of the practice image has traits, +, - {#selector} and @ {#new -> #old}"
    )


def _sum(parts: list[Composition]) -> Composition:
    flat = [each for part in parts for each in (part.parts if isinstance(part, Sum) else [part])]
    return Sum(tuple(flat)) if len(flat) > 1 else flat[0]


def _alias(node: Node) -> tuple[str, str]:
    match node:
        case MessageNode(selector="->", receiver=new, arguments=[old]):
            return _symbol(new), _symbol(old)
    raise ValueError("an alias in a trait composition is written #new -> #old")


def _symbols(node: Node) -> list[str]:
    match node:
        case LiteralNode(value=tuple() as values):
            return [str(each) for each in values]
        case ArrayNode(elements=elements):
            return [_symbol(each) for each in elements]
    return [_symbol(node)]


def _symbol(node: Node) -> str:
    match node:
        case LiteralNode(value=str() as value):
            return str(value)
    raise ValueError("a selector in a trait composition is a symbol")


def flatten(behavior: Behavior) -> None:
    """Give a class the methods of its traits, where it has none of its own."""
    local = {selector: each for selector, each in behavior.methods.items() if each.origin is behavior}
    composition: Composition | None = behavior.composition
    if composition is None:
        if len(local) != len(behavior.methods):
            behavior.methods = local
        return
    for trait in composition.traits():
        if behavior not in trait.users:
            trait.users.append(behavior)
    for selector, method in composition.methods().items():
        if selector in local:
            continue
        copied = CompiledMethod(selector, method.source, behavior, method.protocol)
        copied.origin = method.origin
        copied.package = method.package
        local[selector] = copied
    behavior.methods = local
