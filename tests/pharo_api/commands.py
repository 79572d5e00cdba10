"""What each command of ``scripts/check-smalltalk`` does with its options."""

from argparse import Namespace
from pathlib import Path

from pharo_api.allowed import read_allowed
from pharo_api.copied import TABLE, compare, write_table
from pharo_api.index_maker import make_index
from pharo_api.lookup import class_lines, implementor_lines
from pharo_api.lost_names import HEADING, LOST_NAMES, lost_names
from pharo_api.outcome import Outcome, of_comparison, of_findings
from pharo_api.own_rules import check_own
from pharo_api.pharo_version import PharoVersion, data_file, pharo_version
from pharo_api.project_check import check_project
from pharo_api.subset_check import check_subset
from pharo_api.tonel_reader import tonel_files


def own(_: Namespace) -> Outcome:
    """Check this project's own rules."""
    return check_own()


def check(options: Namespace) -> Outcome:
    """Check a project."""
    files, loaded = tonel_files(options.folder), tonel_files(*options.loaded)
    findings = check_project(files, versions(options), read_allowed(options.allow), loaded)
    return of_findings(findings, only_errors=options.errors_only)


def subset(options: Namespace) -> Outcome:
    """Check classes that stand in for Pharo's."""
    findings = check_subset(tonel_files(options.folder), versions(options), read_allowed(options.allow))
    return of_findings(findings, only_errors=options.errors_only)


def copied(options: Namespace) -> Outcome:
    """Look for methods that are Pharo's own."""
    return of_comparison(compare(options.folders))


def lookup(options: Namespace) -> Outcome:
    """Look up a class or the implementors of a selector; not to find any is a failure."""
    name, known = options.name.lstrip("#"), versions(options)
    kind = options.kind or ("class" if options.name[0].isupper() else "selector")
    if kind == "class":
        return Outcome(class_lines(name, known), failed=not any(name in each.classes for each in known))
    return Outcome(implementor_lines(name, known), failed=not any(name in each.selectors for each in known))


def index(options: Namespace) -> Outcome:
    """Make the data file of a version anew."""
    file: Path = data_file(options.version)
    classes = make_index(file, f"Pharo {options.version}: {options.note}", options.sources)
    unknown = sorted(name for name, info in classes.items() if not info.is_known)
    return Outcome([f"{file}: {len(classes)} classes", f"Only extended: {' '.join(unknown)}"])


def names(options: Namespace) -> Outcome:
    """Make the names anew that the migration rules add to."""
    rows = list(lost_names(*map(pharo_version, (options.older, options.newer))))
    LOST_NAMES.write_text("\n".join([HEADING, *rows]) + "\n", "utf-8")
    return Outcome([f"{LOST_NAMES}: {len(rows)} names"])


def fingerprints(options: Namespace) -> Outcome:
    """Make the table of fingerprints anew."""
    count = write_table(TABLE, options.sources, options.folders)
    return Outcome([f"{TABLE}: {count} methods"])


def versions(options: Namespace) -> list[PharoVersion]:
    """The versions that are asked for."""
    return [pharo_version(number) for number in options.versions]
