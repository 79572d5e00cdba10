"""What a model pays before it has asked anything: the list of tools, in bytes, as a client gets it."""

from pathlib import Path

import pytest

from programs import Client, environment

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
NOWHERE = ("--url", "http://127.0.0.1:9", "--token", "none")


@pytest.mark.parametrize("meta", [None, MODERN], ids=["legacy", "modern"])
@pytest.mark.parametrize(
    ("options", "most"),
    [((), 24_000), (("--tools", "core"), 14_000)],
    ids=["all", "core"],
)
def test_the_list_of_tools_stays_small(
    home: Path, options: tuple[str, ...], most: int, meta: dict[str, object] | None
) -> None:
    with Client(*NOWHERE, *options, env=environment(home)) as client:
        client.shake_hands()
        params = {"_meta": meta} if meta else {}
        client.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params})
        line = client.read_line()
    assert line is not None
    assert len(line) <= most


def test_the_environment_can_ask_for_the_core(home: Path) -> None:
    with Client(*NOWHERE, env=environment(home, PHARO_MCP_TOOLS="core")) as client:
        client.shake_hands()
        names = [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]
    assert "evaluate" in names
    assert "find_objects" not in names
