"""A profile as text."""

from collections.abc import Sequence

import pytest

from pharo_mcp.image.replies.evaluations import MemoryCounts, Profile, ProfileLeaf, ProfileRow
from pharo_mcp.tools.reports import MOST_LINES, flame_graph_uri, profile_lines


def profile(*rows: ProfileRow, samples: int = 500, **members: object) -> Profile:
    """A profile of one second."""
    return Profile(samples, 1_000_000, rows, members.pop("leaves", ()), **members)  # type: ignore[arg-type]


def row(depth: int, method: str, percent: float, **members: object) -> ProfileRow:
    times = {
        name: int(value * 10_000) if name in ("own", "waiting") else value  # type: ignore[operator]
        for name, value in members.items()
    }
    return ProfileRow(depth, method, int(percent * 10_000), **times)  # type: ignore[arg-type]


def tree(profiled: Profile) -> Sequence[str]:
    """The lines of the tree."""
    lines = [*profile_lines(profiled, None), ""]
    begin = lines.index("") + 1
    return lines[begin : lines.index("", begin)]


def test_callees_are_indented_below_their_caller() -> None:
    rows = (row(0, "(expression)", 100), row(1, "Zoo>>feed", 60), row(1, "Zoo>>open", 40))
    assert tree(profile(*rows)) == [
        "100.0 %  (expression)",
        " 60.0 %    Zoo>>feed",
        " 40.0 %    Zoo>>open",
    ]


def test_a_chain_without_branches_is_one_line() -> None:
    rows = (
        row(0, "(expression)", 100),
        row(1, "Zoo>>open", 99),
        row(2, "Zoo>>feed", 99, own=20),
        row(3, "Animal>>eat", 50),
        row(3, "Animal>>drink", 29),
    )
    assert tree(profile(*rows)) == [
        "100.0 %  (expression) → Zoo>>open → Zoo>>feed  [own 20.0 %]",
        " 50.0 %    Animal>>eat",
        " 29.0 %    Animal>>drink",
    ]


def test_of_a_long_chain_both_ends_are_shown() -> None:
    rows = (row(depth, f"Zoo>>cage{depth}", 100) for depth in range(9))
    assert tree(profile(*rows)) == [
        "100.0 %  Zoo>>cage0 → Zoo>>cage1 → Zoo>>cage2 → … 5 more … → Zoo>>cage8",
    ]


def test_time_spent_waiting_is_told_apart() -> None:
    rows = (
        row(0, "(expression)", 100, waiting=62),
        row(1, "Delay>>wait", 62, own=62, waiting=62),
        row(1, "Zoo>>feed", 38, own=38),
    )
    leaves = (ProfileLeaf("Delay>>wait", 620_000, 620_000), ProfileLeaf("Zoo>>feed", 380_000))
    lines = [*profile_lines(profile(*rows, waiting=620_000, leaves=leaves), None)]
    assert lines == [
        "Profile: 1.00 s in 500 samples; running 38.0 %, waiting 62.0 %.",
        "",
        "100.0 %  (expression)  [waiting 62.0 %]",
        " 62.0 %    Delay>>wait  [waiting]",
        " 38.0 %    Zoo>>feed",
        "",
        "Own time by method:",
        " 38.0 %  Zoo>>feed",
        "",
        "Waiting in:",
        " 62.0 %  Delay>>wait",
    ]


def test_recursion_is_marked() -> None:
    assert tree(profile(row(0, "Tree>>depth", 100, recursive=True))) == ["100.0 %  Tree>>depth (recursive)"]


def test_what_takes_less_than_two_percent_is_left_out_and_counted() -> None:
    rows = (row(0, "(expression)", 100), row(1, "Zoo>>feed", 97), row(1, "Zoo>>open", 1.9))
    assert tree(profile(*rows, left_out=4)) == [
        "100.0 %  (expression)",
        " 97.0 %    Zoo>>feed",
        "Left out: 5 calls with less than 2 % of the time.",
    ]


def test_a_tree_with_very_many_branches_is_cut_at_a_larger_share() -> None:
    branches = (row(1, f"Zoo>>cage{n}", 2 + n / 30) for n in range(36))
    lines = tree(profile(row(0, "(expression)", 100), *branches))
    assert len(lines) <= MOST_LINES + 1
    assert lines[-1].startswith("Left out: ")
    assert not lines[-1].endswith("less than 2 % of the time.")


def test_a_whole_profile_has_at_most_forty_lines_besides_its_notes() -> None:
    branches = (row(1, f"Zoo>>cage{n}", 3, waiting=1) for n in range(33))
    leaves = tuple(ProfileLeaf(f"Zoo>>cage{n}", 30_000, 15_000) for n in range(33))
    busy = profile(row(0, "(expression)", 100), *branches, leaves=leaves, waiting=330_000)
    assert len([*profile_lines(busy, "e-1")]) <= 40


def test_code_that_took_no_time_has_no_tree() -> None:
    [line] = profile_lines(Profile(0, 0, (), ()), "e-1")
    assert line == "Profile: no samples, because the code took too little time. Repeat it in a loop."


def test_few_samples_are_said_to_be_few() -> None:
    lines = [*profile_lines(profile(row(0, "Zoo>>feed", 100), samples=12), None)]
    assert lines[1] == "The percentages are rough: repeat the code in a loop for more samples."


def test_what_other_processes_took_is_not_included_but_reported() -> None:
    lines = [*profile_lines(profile(row(0, "Zoo>>feed", 100), displaced=250_000), None)]
    assert lines[1] == "Not included: 0.25 s in which other processes ran."
    assert "Not included" not in "".join(
        profile_lines(profile(row(0, "Zoo>>feed", 100), displaced=50_000), None)
    )


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (
            MemoryCounts(48_200_000, 1, 120, 12, 9),
            "48.2 MB allocated; 12 scavenges, 9 ms; 1 full collection, 120 ms",
        ),
        (MemoryCounts(allocated_bytes=1_000_000), "1.0 MB allocated"),
    ],
)
def test_memory_is_reported_as_far_as_the_image_counts_it(counts: MemoryCounts, words: str) -> None:
    lines = [*profile_lines(profile(row(0, "Zoo>>feed", 100), memory=counts), None)]
    assert lines[1] == f"Memory, all processes: {words}."


def test_an_image_that_counts_no_memory_reports_none() -> None:
    assert not any("Memory" in line for line in profile_lines(profile(row(0, "Zoo>>feed", 100)), None))


def test_notes_of_the_image_are_repeated() -> None:
    assert "Sampling ended early." in [
        *profile_lines(profile(row(0, "Zoo>>feed", 100), notes=("Sampling ended early.",)), None)
    ]


def test_the_flame_graph_is_named_by_its_uri() -> None:
    [*_, last] = profile_lines(profile(row(0, "Zoo>>feed", 100)), "e-1")
    assert last == f"Flame graph: {flame_graph_uri('e-1')}"
    assert flame_graph_uri("e-1") == "pharo://evaluation/e-1/flame-graph"
