"""`pharo-mcp doctor`: find problems and suggest fixes."""

from collections.abc import Mapping

from pharo_mcp.cli.host import Host
from pharo_mcp.cli.output import print_json

from .checks.client_checks import check_clients
from .checks.entry_checks import check_used_images
from .checks.finding import PROBLEM, Finding
from .checks.image_checks import check_connection_files
from .checks.local_checks import check_environment, check_installation, check_pharo

CHECKS = (
    check_installation,
    check_environment,
    check_clients,
    check_pharo,
    check_connection_files,
    check_used_images,
)
FIX_PROBLEMS = "Next: fix the problems marked !!, from the top, and run this again."
NO_PROBLEMS = "No problems found. Ask your client, for example: “What is 100 factorial in my Pharo image?”"


def run(options: Mapping[str, object]) -> int:
    """Run the checks and print their findings; return 1 if there is a problem."""
    host = Host.current()
    findings = []
    for check in CHECKS:
        for finding in check(host, options):
            findings.append(finding)
            if "json" not in options:
                show(finding)
    problems = [finding for finding in findings if finding.mark == PROBLEM]
    if "json" in options:
        step = problems[0].fix if problems else NO_PROBLEMS
        print_json({"findings": [finding._asdict() for finding in findings], "next": step})
    else:
        print(f"\n{FIX_PROBLEMS if problems else NO_PROBLEMS}")
    return 1 if problems else 0


def show(finding: Finding) -> None:
    """Print a finding, with its fix below."""
    print(f"{finding.mark}  {finding.text}")
    if finding.fix:
        print("\n".join(f"    {line}" for line in finding.fix.splitlines()))
