import threading
from base64 import b64encode

import pytest

from over_http.serving import META, MODERN, ConnectionFactory, Web, as_body, call, modern_headers
from pharo_mcp.protocol.catalog import Catalog, Tool
from pharo_mcp.protocol.schema import Schema
from programs import PATIENCE
from server.conversation import Workbench, request

ECHO = call(1, "echo", text="hi")
LIST = request(1, "tools/list", _meta=META)
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def test_a_request_needs_no_session_and_opens_none(web: Web) -> None:
    reply = web.post_modern(ECHO)
    assert reply.json["result"]["resultType"] == "complete"
    assert "mcp-session-id" not in reply.headers
    assert web.post_modern(request(1, "server/discover")).json["result"]["supportedVersions"] == [MODERN]


@pytest.mark.parametrize(
    "wrong",
    [
        {"MCP_Protocol_Version": None},
        {"MCP_Protocol_Version": "2025-11-25"},
        {"Mcp_Method": None},
        {"Mcp_Method": "tools/list"},
        {"Mcp_Method": "TOOLS/CALL"},
        {"Mcp_Name": None},
        {"Mcp_Name": "wait"},
        {"Mcp_Name": "=?base64?!!!?="},
        {"Mcp_Name": "=?base64?/w==?="},
    ],
)
def test_headers_that_do_not_match_the_body_are_rejected(web: Web, wrong: dict[str, str | None]) -> None:
    body = as_body({**ECHO, "params": {**ECHO["params"], "_meta": META}})
    reply = web.ask("POST", body, **{**modern_headers(ECHO), **wrong})
    assert (reply.status, reply.json["id"], reply.json["error"]["code"]) == (400, 1, -32020)


class Regions(Workbench):
    """Has a tool some of whose arguments clients repeat in headers."""

    @property
    def catalog(self) -> Catalog:
        """The tool, beside the usual ones."""
        properties = {
            "where": {
                "type": "object",
                "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            },
            "deep": {"type": "boolean", "x-mcp-header": "Deep"},
        }
        tool = Tool("regional", "Looks.", Schema({"type": "object", "properties": properties}), self.look)
        usual = super().catalog
        return usual._replace(tools=(*usual.tools, tool))


@pytest.fixture
def regional(web: Web, factory: ConnectionFactory) -> Web:
    """A client of a server with that tool."""
    factory.workbench = Regions()
    return web


REGIONAL = call(1, "regional", where={"region": "höhe"}, deep=True)
HÖHE = f"=?base64?{b64encode('höhe'.encode()).decode()}?="


def test_headers_that_repeat_arguments_are_accepted(regional: Web) -> None:
    reply = regional.post_modern(REGIONAL, Mcp_Param_Region=HÖHE, Mcp_Param_Deep="true", Mcp_Param_Other="x")
    assert reply.json["result"]["content"][0]["text"] == "looked"


@pytest.mark.parametrize("arguments", [{}, {"where": {}}, {"where": {"region": None}}])
def test_an_argument_that_is_missing_needs_no_header(regional: Web, arguments: dict[str, object]) -> None:
    assert regional.post_modern(call(1, "regional", **arguments)).status == 200


@pytest.mark.parametrize(
    ("region", "deep"),
    [
        (None, "true"),
        (HÖHE, None),
        ("h?he", "true"),
        (HÖHE, "True"),
        ("=?base64?aG9jaA?=", "true"),
        (HÖHE, "=?base64?!?="),
    ],
)
def test_headers_that_do_not_repeat_arguments_are_rejected(
    regional: Web, region: str | None, deep: str | None
) -> None:
    reply = regional.post_modern(REGIONAL, Mcp_Param_Region=region, Mcp_Param_Deep=deep)
    assert (reply.status, reply.json["id"], reply.json["error"]["code"]) == (400, 1, -32020)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_the_name_header_repeats_the_id_of_a_task(web: Web, method: str) -> None:
    meta = {**META, CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    body = as_body(request(1, method, taskId="t-1", inputResponses={}, _meta=meta))
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
    assert web.ask("POST", body, **headers).json["error"]["code"] == -32020
    assert web.ask("POST", body, **headers, Mcp_Name="t-2").json["error"]["code"] == -32020
    assert web.ask("POST", body, **headers, Mcp_Name="t-1").json["error"]["code"] == -32602


def test_a_header_value_may_be_encoded_in_base64(web: Web) -> None:
    encoded = f"=?base64?{b64encode('höhe'.encode()).decode()}?="
    unknown = {**call(1, "höhe"), "params": {"name": "höhe", "_meta": META}}
    reply = web.ask("POST", as_body(unknown), **{**modern_headers(ECHO), "Mcp_Name": encoded})
    assert reply.json["error"]["code"] == -32602


def test_the_name_header_may_repeat_a_uri(web: Web) -> None:
    assert web.post_modern(request(1, "resources/read", uri="pharo://class/Fixed")).status == 200
    missing = web.post_modern(request(1, "resources/read", uri="pharo://class/Missing"))
    assert (missing.status, missing.json["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize("missing", [VERSION, CAPABILITIES])
def test_meta_must_contain_revision_and_capabilities(web: Web, missing: str) -> None:
    meta = {key: value for key, value in META.items() if key != missing}
    reply = web.ask("POST", as_body(request(1, "tools/list", _meta=meta)), **modern_headers(LIST))
    assert (reply.status, reply.json["id"], reply.json["error"]["code"]) == (400, 1, -32602)


def test_meta_must_be_present(web: Web) -> None:
    reply = web.ask("POST", as_body(request(1, "tools/list")), **modern_headers(LIST))
    assert (reply.status, reply.json["error"]["code"]) == (400, -32602)


def test_an_unsupported_revision_is_rejected_with_the_supported_ones(web: Web) -> None:
    headers = {**modern_headers(LIST), "MCP_Protocol_Version": "v999"}
    reply = web.ask("POST", as_body(request(1, "tools/list", _meta={**META, VERSION: "v999"})), **headers)
    assert (reply.status, reply.json["error"]["code"]) == (400, -32022)
    assert reply.json["error"]["data"] == {"supported": [MODERN], "requested": "v999"}


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "unknown/method"])
def test_methods_of_other_eras_are_not_found(web: Web, method: str) -> None:
    reply = web.post_modern(request(1, method))
    assert (reply.status, reply.json["error"]["code"]) == (404, -32601)


def test_a_notification_is_accepted_and_a_batch_is_not(web: Web) -> None:
    notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert web.post(notification, MCP_Protocol_Version=MODERN).status == 202
    assert web.post([LIST, LIST], MCP_Protocol_Version=MODERN).status == 400


def test_only_post_is_allowed(web: Web) -> None:
    for method in ("GET", "DELETE"):
        reply = web.ask(method, MCP_Protocol_Version=MODERN)
        assert (reply.status, reply.headers["allow"]) == (405, "POST")


def test_a_failing_tool_is_a_normal_response(web: Web) -> None:
    reply = web.post_modern(call(1, "fail"))
    assert reply.status == 200
    assert reply.json["result"]["isError"]


def test_requests_with_the_same_id_are_independent(web: Web, workbench: Workbench) -> None:
    with web.begin_modern(call(1, "wait")) as response:
        assert workbench.started.wait(PATIENCE)
        assert web.post_modern(ECHO).json["id"] == 1
        workbench.released.set()
        assert response.next_event()["result"]["content"][0]["text"] == "released"


def test_a_disconnect_cancels_a_request(web: Web, workbench: Workbench) -> None:
    response = web.begin_modern(call(1, "wait"))
    assert workbench.started.wait(PATIENCE)
    response.disconnect()
    assert workbench.stopped.wait(PATIENCE)


def test_completed_requests_leave_no_thread_behind(web: Web) -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        assert web.post_modern(ECHO).status == 200
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive()
