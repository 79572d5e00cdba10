"""What came of sources that were compiled, as text."""

from collections.abc import Iterator, Sequence

from pharo_mcp.image import CompiledMethods, MethodOutcome, SmalltalkError, method_name

from .wording import UNCLASSIFIED

NOT_COMPILED = {"syntax", "undeclared"}
"""The kinds of errors that are found before anything is changed."""
NOT_CHANGED = "The method was not changed."
REFUSED = NOT_COMPILED | {"badRequest", "notReached"}
"""The kinds of errors after which the method is as it was; a confirmation says so itself."""
MAY_BE_CHANGED = "The method may have been changed; get_method shows it."


def compiled_lines(compiled: CompiledMethods) -> Iterator[str]:
    """Yield how many were compiled, the failures in the order of the sources, and what was compiled."""
    failed = [(n, each) for n, each in enumerate(compiled.methods, 1) if each.error]
    done = [each for each in compiled.methods if not each.error]
    of_all = f" of {len(compiled.methods)}" if failed else ""
    noun = "method" if len(compiled.methods) == 1 else "methods"
    class_side = " class" if compiled.side == "class" else ""
    rest = f"; {len(failed)} failed" if failed else ""
    yield f"Compiled {len(done)}{of_all} {noun} in {compiled.class_name}{class_side}{rest}."
    for number, each in failed:
        yield from ("", f"Source {number}:", _failure(each))
    if failed and done:
        yield from ("", "Compiled:")
    for each in done:
        yield from _compiled(each)
    yield from _critiques(done)


def has_failed(methods: Sequence[MethodOutcome]) -> bool:
    """Return whether one of the sources was not compiled."""
    return any(each.error for each in methods)


def _failure(method: MethodOutcome) -> str:
    failure = method.failure
    if failure.kind == "confirmation":
        return failure.message_text
    return SmalltalkError(failure, NOT_CHANGED if failure.kind in REFUSED else MAY_BE_CHANGED).message


def _compiled(method: MethodOutcome) -> Iterator[str]:
    name = method_name(method.class_name or "", method.side, method.selector or "")
    protocol = "unclassified" if method.protocol == UNCLASSIFIED else method.protocol
    yield f"    {name} ({protocol}{', new' if method.created else ''})"
    yield from (f"        Warning: {warning}" for warning in method.warnings or ())


def _critiques(methods: Sequence[MethodOutcome]) -> Iterator[str]:
    """Yield each critique once, with the methods that have it."""
    selectors: dict[tuple[str, str], list[str]] = {}
    for method in methods:
        for each in method.critiques or ():
            selectors.setdefault((each.rule, each.text), []).append(method.selector or "")
    if selectors:
        yield "Critiques:"
    for (rule, text), names in selectors.items():
        yield f"    {rule}: {text} ({', '.join(names)})"
