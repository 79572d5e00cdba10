"""The statuses in docs/http.md are those of the server."""

import re
from collections.abc import Callable, Iterator

import pytest

from examples.pages import ROOT
from over_http.serving import META, MODERN, ConnectionFactory, Reply, Web, call, initialize, served
from pharo_mcp.http.requests import BODY_LIMIT
from pharo_mcp.http.serving import MAX_CONNECTIONS
from pharo_mcp.http.sessions import MAX_SESSIONS
from server.conversation import Workbench, request

PAGE = (ROOT / "docs" / "http.md").read_text("utf-8")
ROWS = {int(status): meaning for status, meaning in re.findall(r"^\| (\d{3}) \| (.+) \|$", PAGE, re.M)}
PING = request(1, "ping")

REFUSALS: dict[str, tuple[int, Callable[[Web], Reply]]] = {
    "the body is not a message": (400, lambda web: web.post(b"[")),
    "the headers contradict it (-32020)": (400, lambda web: modern(web, MODERN, "tools/call")),
    "`Mcp-Session-Id` is missing": (400, lambda web: web.post(PING, Mcp_Session_Id=None)),
    "the revision is not supported": (400, lambda web: modern(web, "2031-01-01", "ping")),
    "the token is missing or wrong (-32001)": (401, lambda web: web.post(PING, Authorization="Bearer x")),
    "`Host` or `Origin` is not on this computer": (403, lambda web: web.post(PING, Host="example.com")),
    "the path is not `/mcp`": (404, lambda web: web.ask("POST", b"{}", "/")),
    "the session has ended": (404, lambda web: web.post(PING, Mcp_Session_Id="ended")),
    "in 2026-07-28 also: unknown method": (404, lambda web: web.post_modern(request(1, "nothing"))),
    "the HTTP method is not `POST`, `GET` or `DELETE`": (405, lambda web: web.ask("PUT", b"{}")),
    "in 2026-07-28, not `POST`": (405, lambda web: web.ask("GET", Mcp_Protocol_Version=MODERN)),
    "`Accept` includes neither JSON nor event streams": (406, lambda web: web.post(PING, Accept="text/html")),
    "for `GET`, no event streams": (406, lambda web: web.ask("GET", Accept="application/json")),
    "the body has more than 16 MB": (413, lambda web: web.post(call(1, "echo", text="x" * BODY_LIMIT))),
    "`Content-Type` is not `application/json`": (415, lambda web: web.post(PING, Content_Type="text/plain")),
}
"""What the page says of a status, and a request that is refused so."""


def modern(web: Web, revision: str, method: str) -> Reply:
    """Send a ping with these headers."""
    meta = {**META, "io.modelcontextprotocol/protocolVersion": revision}
    return web.post(request(1, "ping", _meta=meta), MCP_Protocol_Version=revision, Mcp_Method=method)


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    """A client with a session."""
    factory = ConnectionFactory()
    factory.workbench = Workbench()
    with served(factory) as url:
        web = Web(url)
        web.post(initialize("2025-11-25"))
        web.initialize()
        yield web


@pytest.mark.parametrize("reason", REFUSALS)
def test_a_request_gets_the_status_that_the_page_names(web: Web, reason: str) -> None:
    status, ask = REFUSALS[reason]
    assert reason in ROWS[status]
    assert ask(web).status == status


@pytest.mark.parametrize("reason", [reason for reason in REFUSALS if reason.endswith(")")])
def test_the_body_has_the_code_that_the_page_names(web: Web, reason: str) -> None:
    _, ask = REFUSALS[reason]
    assert reason.endswith(f"({ask(web).json['error']['code']})")


def test_each_status_on_the_page_is_tried_or_a_limit() -> None:
    assert ROWS.keys() == {status for status, _ in REFUSALS.values()} | {503}
    assert ROWS[503] == f"{MAX_SESSIONS} sessions or {MAX_CONNECTIONS} connections are in use"
