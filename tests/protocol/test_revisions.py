from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision

EVERY = [*LEGACY_REVISIONS.values(), *MODERN_REVISIONS.values()]


def names(having: list[Revision]) -> list[str]:
    return [revision.name for revision in having]


def test_every_revision_is_served_oldest_first() -> None:
    assert names(EVERY) == ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
    assert NEWEST_LEGACY is list(LEGACY_REVISIONS.values())[-1]


def test_features_of_a_revision_stay_in_later_ones() -> None:
    assert [revision for revision in EVERY if revision.annotations] == EVERY[1:]
    assert [revision for revision in EVERY if revision.progress_messages] == EVERY[1:]
    assert [revision for revision in EVERY if revision.titles] == EVERY[2:]
    assert [revision for revision in EVERY if revision.modern] == EVERY[4:]
