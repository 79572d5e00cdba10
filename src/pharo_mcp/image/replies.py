"""What an image answers, typed."""

from typing import NamedTuple


class Status(NamedTuple):
    """Who is there. `session` is another one after each start of the companion."""

    product: str
    version: str
    session: str
    name: str


class Version(NamedTuple):
    """What runs there: `system` is such as `Pharo 13.0`, `image` a path."""

    system: str
    companion: str
    image: str
    vm: str


class Evaluation(NamedTuple):
    """The value of an expression: its print string and its class; warnings that were resumed on the way."""

    print_string: str
    class_name: str
    warnings: tuple[str, ...] = ()


class Protocol(NamedTuple):
    """Selectors under the name they are filed under."""

    name: str
    selectors: tuple[str, ...]


class ClassDetails(NamedTuple):
    """A class or a trait (`kind`), both sides; `superclasses` begins with its own."""

    name: str
    kind: str
    definition: str
    comment: str
    superclasses: tuple[str, ...]
    subclasses: tuple[str, ...]
    slots: tuple[str, ...]
    class_slots: tuple[str, ...]
    class_variables: tuple[str, ...]
    traits: tuple[str, ...]
    package: str
    tag: str
    protocols: tuple[Protocol, ...]
    class_protocols: tuple[Protocol, ...]


class Failure(NamedTuple):
    """How an image says no: whose fault it is (`kind`), and what it knows of the cause.

    `stack` is innermost first; `line` and `column` count from 1.
    """

    kind: str
    message_text: str
    class_: str | None = None
    receiver: str | None = None
    selector: str | None = None
    stack: tuple[str, ...] = ()
    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    variable: str | None = None
    near: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
