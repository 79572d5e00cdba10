"""Text for `edit_code`, from the parts that tests think in."""

import re
from collections.abc import Sequence

PATTERN = re.compile(r"\s*(?:\w+:\s*\w+(?:\s+\w+:\s*\w+)*|[^\w\s\"]+\s*\w+|\w+)")
"""The pattern of a method: keywords with arguments, an operator with its argument, or a unary selector."""


def class_text(
    name: str,
    superclass: str = "Object",
    *,
    package: str,
    slots: Sequence[str] = (),
    class_variables: Sequence[str] = (),
    traits: Sequence[str] = (),
    comment: str | None = None,
) -> str:
    """Return the definition of a class as Pharo prints it, after its comment."""
    parts = [f"slots: {{ {'. '.join('#' + slot for slot in slots)} }}"]
    if traits:
        parts.insert(0, f"traits: {' + '.join(traits)}")
    if class_variables:
        parts.append(f"sharedVariables: {{ {'. '.join('#' + each for each in class_variables)} }}")
    definition = f"{superclass} << #{name} {'; '.join(parts)}; package: '{package}'"
    return f'"{comment}"\n{definition}\n' if comment else f"{definition}\n"


def method_text(class_name: str, source: str, protocol: str | None = None) -> str:
    """Return a method, whose class may be `Foo class`, with its source as Pharo shows it."""
    found = PATTERN.match(source)
    assert found, source
    category = f"{{ #category : '{protocol}' }}\n" if protocol else ""
    return f"{category}{class_name} >> {found[0].strip()} [{source[found.end() :]}\n]\n"


def code(*texts: str) -> str:
    """Return several classes and methods as one text."""
    return "\n".join(texts)
