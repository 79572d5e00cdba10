"""What is left of the companion in an image that it was taken out of."""

from pathlib import Path

import pytest

from companion.printing import printed
from programs import Client, start_practice_image

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
	Transcript class name.
	(Pragma allNamed: #worldMenu) size
}
"""


@pytest.mark.parametrize(
    "removal",
    [
        "PharoMcp uninstall",
        # As Monticello does, methods first
        "ManifestPharoMcpCore preUnload. PharoMcp uninstall",
    ],
)
def test_nothing_is_left_of_it(tmp_path: Path, removal: str) -> None:
    program = (
        f"PharoMcp start. PharoMcp addTool: (PmcTool name: 'x' description: 'x' handler: [ 1 ]). {removal}"
    )

    left = printed(tmp_path, LEFT, "--do", program)
    assert left == "an Array [7 items] (0 0 0 0 0 #NonInteractiveTranscript 0)"


def test_a_class_that_a_text_keeps_does_not_keep_the_others(tmp_path: Path) -> None:
    program = "Smalltalk at: #Kept put: PharoMcp. PharoMcp start. PharoMcp uninstall"
    left = "(Smalltalk at: #Kept) in: [ :it | { it name. it selectors size. it class selectors size } ]"
    assert printed(tmp_path, left, "--do", program) == "an Array [3 items] (#AnObsoletePharoMcp 0 0)"


def test_an_evaluation_does_not_take_away_what_runs_it(tmp_path: Path) -> None:
    image = start_practice_image(tmp_path)
    with image.program, Client(env=image.env()) as client:
        client.shake_hands()
        refused = client.call("evaluate", expression="PharoMcp uninstall")
        assert refused["isError"]
        assert "in a Playground" in refused["content"][0]["text"]
        assert client.call("evaluate", expression="3 + 4")["content"][0]["text"] == "7"
