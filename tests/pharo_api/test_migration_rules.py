"""The migration rules of the front end, held to the data of the versions, and Pharo 14, made of them."""

from pathlib import Path

from pharo_api.classes import Side
from pharo_api.later_version import later_classes
from pharo_api.lost_names import HEADING, LOST_NAMES, lost_names
from pharo_api.pharo_version import pharo_version
from pharo_api.small_projects import assert_are, check
from pharo_mcp.migrations.rules import all_rules

RULES = list(all_rules())


def test_the_list_of_lost_names_is_what_the_data_say() -> None:
    rows = lost_names(pharo_version("12"), pharo_version("13"))
    assert LOST_NAMES.read_text("utf-8").splitlines() == [HEADING, *rows]


def test_a_rule_is_about_what_the_older_version_has() -> None:
    unknown = []
    for rule in RULES:
        if rule.source.startswith("alias in"):  # which the data of classes do not have
            continue
        info = pharo_version(str(rule.version - 1)).classes.get(rule.owner)
        side = Side.CLASS if rule.is_sent_to_class else Side.INSTANCE
        if info is None or (">>" in rule.old and rule.name not in info.selectors[side]):
            unknown.append(rule.old)
    assert unknown == []


def test_a_rule_names_its_source_and_what_to_do() -> None:
    assert {rule.state for rule in RULES} == {"gone", "deprecated"}
    assert [rule.old for rule in RULES if not (rule.source and (rule.new or rule.note))] == []
    assert [rule.old for rule in RULES if bool(rule.new) != (rule.apply in {"always", "after"})] == []


def test_the_newer_version_has_what_a_rewrite_needs() -> None:
    missing = [
        (rule.old, name)
        for rule in RULES
        for version in [pharo_version(str(rule.version))]
        for name in rule.needed - version.classes.keys() - version.selectors
    ]
    assert missing == []


def test_a_class_that_is_left_as_an_empty_subclass_of_its_new_name_has_a_rule() -> None:
    before, after = pharo_version("12").classes, pharo_version("13").classes
    left = {
        (name, info.superclass)
        for name, info in after.items()
        if info.superclass not in before and not any(info.selectors.values())
        if name in before and any(before[name].selectors.values())
    }
    assert ("RBParser", "OCParser") in left
    assert left <= {(rule.old, rule.new) for rule in RULES}


def test_a_method_that_is_rewritten_whoever_gets_it_is_no_other_class_s() -> None:
    """What another class keeps would be rewritten where it is meant, too."""
    kept = [
        rule.old
        for rule in RULES
        for version in [pharo_version(str(rule.version))]
        if rule.new and ">>" in rule.old and not rule.is_sent_to_class
        if rule.name in version.selectors - version.deprecated
    ]
    assert kept == []


def test_a_table_has_each_name_once() -> None:
    names = [(rule.version, rule.old) for rule in RULES]
    assert len(set(names)) == len(names)


def test_a_later_version_lacks_what_is_gone_and_has_what_replaces_it() -> None:
    before = pharo_version("13").classes
    after = later_classes("14", before)
    assert ("CommandLineUIManager" in before, "CommandLineUIManager" in after) == (True, False)
    assert ("ReChange" in before, "ReChange" in after) == (False, True)
    assert "failBlock:" not in after["OpalCompiler"].selectors[Side.INSTANCE]
    assert "breakOnRead" in after["Object"].selectors[Side.INSTANCE]


def test_what_pharo_14_lacks_or_deprecates_is_found(tmp_path: Path) -> None:
    found = check(tmp_path, "self inform: 'x'. ^ CommandLineUIManager new")
    assert_are(
        found,
        "warning: Object>>#inform: is deprecated [14]",
        "error: unknown class or global CommandLineUIManager [14]",
    )
