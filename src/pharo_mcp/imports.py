"""Light substitutes for modules that are slow to import, for all that is imported before the first answer.

`tests/app/test_first_answer.py` lists what that is. Type checkers see the originals.
"""

import sys
from collections import namedtuple
from collections.abc import Callable, Sequence

TYPE_CHECKING = False
"""As in `typing`: true for type checkers only."""

if TYPE_CHECKING or sys.version_info >= (3, 13):  # from then on, `typing` imports little itself
    from typing import Any as Any
    from typing import NamedTuple as NamedTuple
    from typing import Protocol as Protocol
else:
    KEPT_BY_NAMEDTUPLE = ("__dict__", "__weakref__", "__annotations__", "__module__", "__qualname__")

    class NamedTupleType(type):
        """Makes a named tuple of a class whose base is NamedTuple, as `typing` does."""

        def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            """The named tuple, with the other members of the class."""
            if not bases:
                return super().__new__(cls, name, bases, members)
            fields = members.get("__annotations__", {})
            defaults = [members.pop(field) for field in fields if field in members]
            made = namedtuple(name, fields, defaults=defaults, module=members["__module__"])
            for member in members.keys() - set(KEPT_BY_NAMEDTUPLE):
                setattr(made, member, members[member])
            made.__annotations__ = fields
            made.__qualname__ = members["__qualname__"]
            return made

    class NamedTuple(metaclass=NamedTupleType):
        """Base of classes that are named tuples, with typed fields and methods."""

    Any = object
    Protocol = object

if TYPE_CHECKING:
    import signal as signal
    from queue import Empty as Empty
    from queue import SimpleQueue as SimpleQueue
else:
    try:
        import _signal as signal  # without the names that need `enum`
        from _queue import Empty, SimpleQueue  # without the queues that need `heapq`
    except ImportError:
        import signal as signal
        from queue import Empty as Empty
        from queue import SimpleQueue as SimpleQueue


def import_later(package: str, modules: Sequence[str]) -> Callable[[str], object]:
    """The `__getattr__` of a package that imports these modules when a name of theirs is first needed.

    No module may have the name of what another one exports: an imported module hides it.
    """

    def find(name: str) -> object:
        from importlib import import_module  # here: it imports `warnings`

        names = vars(sys.modules[package])
        if name in names["__all__"]:
            for module in modules:
                imported = import_module(f".{module}", package)
                if hasattr(imported, name):  # a package may import it later, too
                    names[name] = getattr(imported, name)
                    return names[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
