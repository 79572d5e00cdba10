"""A profile as text: the hot paths of the call tree, then the methods by their own time. Times compared."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pharo_mcp.image.replies.evaluations import Comparison, MemoryCounts, Profile, ProfileRow
from pharo_mcp.protocol.catalog import Content, ImageContent, ResourceLink, TextContent
from pharo_mcp.tools.wording import count, listed

LEAST_SHARE = 0.02
"""Of the time: paths with less are left out."""
MOST_LINES = 20
"""Of the tree; with more, a larger share is needed."""
LEAST_OWN = 0.01
"""The same for the own time of methods."""
MOST_LEAVES = 8
MOST_WAITS = 3
LONGEST_CHAIN = 5
"""Methods in a line; of a longer chain both ends are shown."""
ARROW = " \N{RIGHTWARDS ARROW} "
MOST_DISPLACED = 0.1
"""Of the time: displacement is reported from here on. Processes that only supervise the code stay below."""
MOST_COMPARED = 20
"""Methods that are named."""
FEW_SAMPLES = 50
"""With fewer, percentages say little."""


class Path(NamedTuple):
    """A line of the tree: a chain of methods, each of which called only the next."""

    depth: int
    chain: tuple[ProfileRow, ...]


def profile_lines(profile: Profile, evaluation: str | None) -> Iterator[str]:
    """Yield the lines of a profile, and the URI of its flame graph."""
    yield from _head(profile)
    if profile.samples:
        paths, least = _hot_paths(profile)
        yield from ("", *(_line(path, profile, least) for path in paths))
        yield from _left_out(profile, paths, least)
        yield from _leaves(profile)
        if evaluation:
            yield from ("", f"Flame graph: {flame_graph_uri(evaluation)}")


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Yield how the times compare, with the spread, and what was compared."""
    if comparison.interrupted or not comparison.rounds:
        yield "The times could not be compared: the image was saved meanwhile."
        return
    rounds = count(comparison.rounds, "round")
    spread = f"{_times(comparison.least or 0)} to {_times(comparison.greatest or 0)} in {rounds}"
    yield (
        f"Now it takes {_times(comparison.ratio)} times as long ({spread}): "
        f"{_duration(comparison.now)} instead of {_duration(comparison.before)} a run."
    )
    yield f"Compared with the earlier {listed(comparison.methods, MOST_COMPARED)}."
    if comparison.not_compared:
        others = listed(comparison.not_compared, MOST_COMPARED)
        yield f"Also changed, but not compared: {others}."


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _duration(microseconds: float) -> str:
    return f"{microseconds / 1000:,.3g} ms" if microseconds >= 100 else f"{microseconds:.2g} µs"


def flame_graph(profile: Profile, evaluation: str | None, *, picture: bool) -> Iterator[Content]:
    """Yield a link to the flame graph, and with `picture` the graph itself, or what it needs."""
    if not (evaluation and profile.samples):
        return
    if picture:
        from pharo_mcp.pictures import PictureLibraryMissing, flame_graph_png  # here: few sessions draw

        try:
            yield ImageContent(flame_graph_png(profile))
        except PictureLibraryMissing as error:
            yield TextContent(str(error))
    yield ResourceLink(flame_graph_uri(evaluation), "Flame graph", "image/svg+xml")


def flame_graph_uri(evaluation: str) -> str:
    """Return the URI of the flame graph of an evaluation."""
    return f"pharo://evaluation/{evaluation}/flame-graph"


def _head(profile: Profile) -> Iterator[str]:
    if not profile.samples:
        yield "Profile: no samples, because the code took too little time. Repeat it in a loop."
        return
    running = profile.share(profile.total - profile.waiting)
    waiting = f"; running {running}, waiting {profile.share(profile.waiting)}"
    yield (
        f"Profile: {profile.total / 1_000_000:.2f} s in {count(profile.samples, 'sample')}"
        f"{waiting if profile.waiting else ''}."
    )
    if profile.samples < FEW_SAMPLES:
        yield "The percentages are rough: repeat the code in a loop for more samples."
    if profile.displaced > MOST_DISPLACED * profile.total:
        yield f"Not included: {profile.displaced / 1_000_000:.2f} s in which other processes ran."
    memory = "; ".join(_memory(profile.memory))
    if memory:
        yield f"Memory, all processes: {memory}."
    yield from profile.notes


def _memory(counts: MemoryCounts) -> Iterator[str]:
    if counts.allocated_bytes is not None:
        yield f"{counts.allocated_bytes / 1_000_000:,.1f} MB allocated"
    if counts.scavenges is not None:
        yield f"{count(counts.scavenges, 'scavenge')}, {counts.scavenge_milliseconds or 0:,} ms"
    if counts.full_collections is not None:
        collections = count(counts.full_collections, "full collection")
        yield f"{collections}, {counts.full_collection_milliseconds or 0:,} ms"


def _hot_paths(profile: Profile) -> tuple[list[Path], float]:
    """Return the lines of the tree, and the share below which rows are left out."""
    least = LEAST_SHARE
    while True:
        rows = [row for row in profile.tree if row.total >= least * profile.total]
        paths = list(_folded(rows, least * profile.total))
        if len(paths) <= MOST_LINES:
            return paths, least
        least *= 1.25


def _folded(rows: Sequence[ProfileRow], least: float) -> Iterator[Path]:
    """Yield rows, each together with those that follow it as its only callees, if these take `least`."""
    depths: list[int] = []  # of the rows in whose lines the next one is indented
    index = 0
    while index < len(rows):
        first = rows[index]
        chain = [first]
        index += 1
        while index < len(rows) and _is_all_of(chain[-1], rows[index], least):
            chain.append(rows[index])
            index += 1
        while depths and depths[-1] >= first.depth:
            depths.pop()
        yield Path(len(depths), tuple(chain))
        depths.append(chain[-1].depth)


def _is_all_of(row: ProfileRow, next_row: ProfileRow, least: float) -> bool:
    """Return whether the next row is called by this one and leaves it hardly any time for anything else."""
    return next_row.depth > row.depth and row.total - next_row.total < least


def _line(path: Path, profile: Profile, least: float) -> str:
    first, last = path.chain[0], path.chain[-1]
    names = [f"{row.method} (recursive)" if row.recursive else row.method for row in path.chain]
    if len(names) > LONGEST_CHAIN:
        names[3:-1] = [f"… {len(names) - 4} more …"]
    details = []
    if last.own >= least * profile.total and last.own < last.total:
        details.append(f"own {profile.share(last.own)}")
    if last.waiting >= least * profile.total:
        all_of_it = last.waiting * 1.02 >= last.total
        details.append("waiting" if all_of_it else f"waiting {profile.share(last.waiting)}")
    more = f"  [{', '.join(details)}]" if details else ""
    return f"{profile.share(first.total):>7}  {'  ' * path.depth}{ARROW.join(names)}{more}"


def _left_out(profile: Profile, paths: Sequence[Path], least: float) -> Iterator[str]:
    shown = sum(len(path.chain) for path in paths)
    more = len(profile.tree) - shown + profile.left_out
    if more:
        yield f"Left out: {count(more, 'call')} with less than {100 * least:.2g} % of the time."


def _leaves(profile: Profile) -> Iterator[str]:
    running = [(leaf.own - leaf.waiting, leaf.method) for leaf in profile.leaves]
    waiting = [(leaf.waiting, leaf.method) for leaf in profile.leaves]
    for heading, methods, limit in (
        ("Own time by method:", running, MOST_LEAVES),
        ("Waiting in:", waiting, MOST_WAITS),
    ):
        if most := [each for each in methods if each[0] >= LEAST_OWN * profile.total]:
            yield from ("", heading)
            most.sort(key=lambda each: -each[0])
            yield from (f"{profile.share(time):>7}  {method}" for time, method in most[:limit])
