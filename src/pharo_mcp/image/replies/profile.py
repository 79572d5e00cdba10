"""Where the time of an evaluation went, typed. Times are in microseconds."""

from typing import NamedTuple


class ProfileRow(NamedTuple):
    """A method or block in the call tree: its `total` time, of which `waiting`, and its `own` time.

    It was called by the last row before it with a smaller `depth`; if it is `recursive`, also by itself or
    by those below it.
    """

    depth: int
    method: str
    total: int
    own: int = 0
    waiting: int = 0
    recursive: bool = False


class ProfileLeaf(NamedTuple):
    """A method with its blocks: the time that it was itself on top of the stack, and of that `waiting`."""

    method: str
    own: int
    waiting: int = 0


class MemoryCounts(NamedTuple):
    """What the virtual machine counted meanwhile, as far as it counts."""

    allocated_bytes: int | None = None
    full_collections: int | None = None
    full_collection_milliseconds: int | None = None
    scavenges: int | None = None
    scavenge_milliseconds: int | None = None


class Profile(NamedTuple):
    """The time of the user's code, by samples of its stack.

    `total` includes what it spent `waiting` for semaphores and delays; it does not include `displaced`,
    during which other processes ran, and `sampling`, which the samples took. `left_out` counts the rows
    that the tree does not have; `notes` say what else is not exact.
    """

    samples: int
    total: int
    tree: tuple[ProfileRow, ...]
    leaves: tuple[ProfileLeaf, ...]
    waiting: int = 0
    displaced: int = 0
    sampling: int = 0
    left_out: int = 0
    memory: MemoryCounts = MemoryCounts()
    notes: tuple[str, ...] = ()
