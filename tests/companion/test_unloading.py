"""What is left of the companion in an image that it was taken out of."""

import subprocess
import sys
from pathlib import Path

import pytest

from programs import PATIENCE, environment

COMPANION = Path(__file__).parents[2] / "pharo"
LEFT = """
| ours |
ours := [ :name | (name beginsWith: 'Pmc') or: [ name includesSubstring: 'PharoMcp' ] ].
{
	Smalltalk globals allClassesAndTraits count: [ :each | ours value: each name ].
	self packageOrganizer packages count: [ :each | ours value: each name ].
	Process allSubInstances count: [ :each |
		each isTerminated not and: [ (each name includesSubstring: 'MCP') or: [ ours value: each name ] ] ].
	SessionManager default startupList count: [ :each | ours value: each printString ].
	(FileLocator home resolve / '.pharo-mcp' / 'images') children size.
	Transcript class name
}
"""


@pytest.mark.parametrize(
    "removal",
    [
        "PharoMcp uninstall",
        # As Monticello does, methods first
        "ManifestPharoMcpServer preUnload. ManifestPharoMcpModel preUnload. PharoMcp uninstall",
    ],
)
def test_nothing_is_left_of_it(tmp_path: Path, removal: str) -> None:
    program = (
        f"PharoMcp start. PharoMcp addTool: (PmcTool name: 'x' description: 'x' handler: [ 1 ]). {removal}"
    )

    run = subprocess.run(
        [sys.executable, "-m", "pharo_practice", "--load", COMPANION, "--do", program, "--print", LEFT],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.stdout.strip() == "an Array [6 items] (0 0 0 0 0 #NonInteractiveTranscript)", (
        run.stdout + run.stderr
    )
