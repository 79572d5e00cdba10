"""The rules for code that moves to a newer version of Pharo, as patterns."""

import pytest

from pharo_mcp.migrations.rules import Rule, names_without_rule, rules


def rule(old: str, new: str) -> Rule:
    return Rule(13, "gone", old, new, "always", source="a test")


@pytest.mark.parametrize(
    ("old", "new", "pattern", "replacement"),
    [
        ("RBNode", "OCNode", "RBNode", "OCNode"),
        ("Object>>haltOnRead", "breakOnRead", "`@receiver haltOnRead", "`@receiver breakOnRead"),
        ("Zoo>>a:b:", "c:d:", "`@receiver a: `@arg1 b: `@arg2", "`@receiver c: `@arg1 d: `@arg2"),
        ("Float class>>epsilon", "machineEpsilon", "Float epsilon", "Float machineEpsilon"),
        ("Zoo>>open:", "`@receiver open", "`@receiver open: `@arg1", "`@receiver open"),
        ("DateAndTime class>>clock", "Time", "DateAndTime clock", "Time"),
    ],
)
def test_a_rule_is_a_pattern_and_its_replacement(old: str, new: str, pattern: str, replacement: str) -> None:
    assert rule(old, new).rewrite == (pattern, replacement)


@pytest.mark.parametrize(
    ("new", "needed"),
    [
        ("breakOnRead", {"breakOnRead"}),
        ("at:put:", {"at:put:"}),
        ("Time", {"Time"}),
        ("`@receiver wait: `@arg1 asMilliSeconds else: `@arg2", {"wait:else:", "asMilliSeconds"}),
        ("`@receiver find: $) from: #start", {"find:from:"}),
        ("Smalltalk image cleanUp: self name", {"image", "cleanUp:", "name"}),
    ],
)
def test_a_rewrite_needs_the_names_that_it_uses(new: str, needed: set[str]) -> None:
    assert rule("Zoo>>open", new).needed == needed


def test_code_that_moves_to_14_meets_the_rules_of_13_too() -> None:
    assert {each.version for each in rules(13)} == {13}
    assert {each.version for each in rules(14)} == {13, 14}


def test_a_name_that_has_a_rule_is_not_listed_without_one() -> None:
    without = {each.name for each in names_without_rule(13)}
    assert without.isdisjoint(each.name for each in rules(13))
    assert ("workspace" in without, "Gofer" in without) == (True, False)
