"""`pharo-mcp doctor`: find out what is wrong, and how to mend it."""

import json
from collections.abc import Mapping

from .check_clients import check_clients
from .check_here import check_environment, check_installed, check_ourselves
from .check_images import check_connection_files, check_image
from .finding import PROBLEM, Finding
from .host import Host

CHECKS = (
    check_ourselves,
    check_environment,
    check_clients,
    check_installed,
    check_connection_files,
    check_image,
)
MEND = "mend what is marked !!, from the top, and run this again."
ALL_WELL = "Nothing is wrong. Ask your client, for example: “What is 100 factorial in my Pharo image?”"


def run(options: Mapping[str, object]) -> int:
    """Print what the checks find, as they find it; 1 if there is a problem."""
    host = Host.current()
    findings = []
    for check in CHECKS:
        for finding in check(host, options):
            findings.append(finding)
            if "json" not in options:
                show(finding)
    problems = [finding for finding in findings if finding.mark == PROBLEM]
    if "json" in options:
        step = problems[0].fix if problems else ALL_WELL
        print(json.dumps({"findings": [finding._asdict() for finding in findings], "next": step}))
    else:
        print(f"\nNext: {MEND if problems else ALL_WELL}")
    return 1 if problems else 0


def show(finding: Finding) -> None:
    """Print a finding, its fix below."""
    print(f"{finding.mark}  {finding.text}")
    if finding.fix:
        print("\n".join(f"    {line}" for line in finding.fix.splitlines()))
