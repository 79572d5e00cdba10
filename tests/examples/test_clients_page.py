"""The table of the clients that were tried has those that scripts/clients tries."""

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any

import pytest

from examples.pages import ROOT
from pharo_mcp.cli.clients import BY_NAME

SCRIPTS = ROOT / "scripts"


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clients of the script."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    spec = spec_from_loader("clients", SourceFileLoader("clients", str(SCRIPTS / "clients")))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CLIENTS


def test_the_table_has_each_client_with_its_package_and_a_version(clients: Any) -> None:
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| `(.+?)` \((npm|pip)\) \| [\d.]+ \| (.+) \|$", page, re.M)
    assert rows == [(one.title, one.package, one.registry, one.what) for one in clients]


def test_each_client_starts_a_program_that_is_there(clients: Any) -> None:
    named = {name for one in clients for name in re.findall(r"\{programs\}/(\S+)", one.command)}
    assert named == {path.name for path in (SCRIPTS / "client_programs").iterdir()} - {"__pycache__"}
    assert {one.name for one in clients if one.setup} <= BY_NAME.keys()
