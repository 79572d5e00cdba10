"""The expected reply to each request, by the specifications and not by the server's code.

Sources: https://www.jsonrpc.org/specification, https://modelcontextprotocol.io/specification, and what this
project documents beyond these: -32600 before the handshake, and for ids that are not strings or integers.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .messages import CAPABILITIES, LEGACY, MODERN, VERSION

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
RESOURCE_MISSING, UNSUPPORTED_VERSION = -32002, -32022
WITH_SUBSCRIPTIONS = ("2025-06-18", "2025-11-25")

Members = Mapping[str, Any]
Shape = Callable[[Members], bool]
"""Whether the members of a result are valid."""


class ExpectedReply(NamedTuple):
    """The expected reply to a message: one of these errors, or a result of this shape, if it has one."""

    codes: frozenset[int] = frozenset()
    shape: Shape | None = None
    modern: bool = False
    waits: bool = False  # it can be answered after later requests, and be cancelled
    optional: bool = False
    is_crowded: bool = False  # too many wait, so it may be refused

    def admits(self, answer: Members) -> bool:
        """Whether an answer is valid."""
        if "error" in answer:
            error = answer["error"]
            if error["code"] == INTERNAL and not is_about_image(error):
                return self.is_crowded and "are waiting already" in error["message"]
            return error["code"] in self.codes
        return (
            self.shape is not None
            and is_result(answer["result"], self.modern)
            and self.shape(answer["result"])
        )

    def or_else(self, other: "ExpectedReply") -> "ExpectedReply":
        """The expected reply if this one or the other is valid."""
        shapes = [each for each in (self.shape, other.shape) if each]
        shape = shapes[0] if len(shapes) == 1 else either(*shapes) if shapes else None
        waits = self.waits or other.waits
        return self._replace(codes=self.codes | other.codes, shape=shape, waits=waits)


def either(one: Shape, other: Shape) -> Shape:
    """A shape that accepts what one of these accepts."""
    return one if one is other else lambda result: one(result) or other(result)


def is_about_image(error: Members) -> bool:
    """Whether an internal error reports a failure of the image, and not a bug."""
    data = error.get("data")
    return isinstance(data, dict) and isinstance(data.get("kind"), str)


def is_result(result: object, modern: bool) -> bool:
    """Whether a result has the members that its era requires of all results."""
    if not isinstance(result, dict):
        return False
    if not modern:
        return "resultType" not in result
    return result.get("resultType") == "complete" and isinstance(result.get("_meta"), dict)


def empty(result: Members) -> bool:
    """An empty result."""
    return not result


def has(**types: type) -> Shape:
    """A shape with members of these types."""
    return lambda result: all(isinstance(result.get(name), kind) for name, kind in types.items())


def has_content(result: Members) -> bool:
    """The result of a tool."""
    content = result.get("content")
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content)
        and isinstance(result.get("isError", False), bool)
    )


def has_contents(result: Members) -> bool:
    """The result of reading a resource, which is never empty."""
    contents = result.get("contents")
    return isinstance(contents, list) and bool(contents) and all("uri" in each for each in contents)


def has_values(result: Members) -> bool:
    """The result of a completion: at most 100 values."""
    completion = result.get("completion")
    return isinstance(completion, dict) and has(values=list)(completion) and len(completion["values"]) <= 100


HANDSHAKES: Mapping[str, Shape] = {
    version: lambda result, version=version: (  # type: ignore[misc]
        result.get("protocolVersion") == version and has(capabilities=dict, serverInfo=dict)(result)
    )
    for version in LEGACY
}
"""The shape of the answer to a handshake, by the negotiated version."""
DISCOVERED = has(supportedVersions=list, capabilities=dict)
TOOLS, RESOURCES = has(tools=list), has(resources=list)
TEMPLATES, PROMPTS = has(resourceTemplates=list), has(prompts=list)
MESSAGES = has(messages=list)
SKILLS = has(skills=list)


def refused(*codes: int) -> ExpectedReply:
    """Expect one of these errors."""
    return ExpectedReply(frozenset(codes))


def answered(shape: Shape, *codes: int) -> ExpectedReply:
    """Expect a result, or one of these errors."""
    return ExpectedReply(frozenset(codes), shape)


class Tools(NamedTuple):
    """The names of the tools that can be called, and of those that the image may register."""

    built_in: frozenset[str]
    registered: frozenset[str]


class Request(NamedTuple):
    """A request for the rule of its method."""

    params: Members
    version: str
    tools: Tools

    def has_text(self, name: str) -> bool:
        """Whether the parameter is a string."""
        return isinstance(self.params.get(name), str)

    def may_be_object(self, name: str) -> bool:
        """Whether the parameter is an object, or omitted."""
        return isinstance(self.params.get(name), dict | None)


def initialize(request: Request) -> ExpectedReply:
    version = agreed(request.params)
    return refused(INVALID_PARAMS) if version is None else answered(HANDSHAKES[version])


def listed(shape: Shape) -> Callable[[Request], ExpectedReply]:
    return lambda request: (
        answered(shape) if request.params.get("cursor") is None else refused(INVALID_PARAMS)
    )


def call_tool(request: Request) -> ExpectedReply:
    if not request.has_text("name") or not request.may_be_object("arguments"):
        return refused(INVALID_PARAMS)
    name = request.params["name"]
    if name in request.tools.registered:  # unknown if the image does not list it in time
        return answered(has_content, INVALID_PARAMS)
    return answered(has_content) if name in request.tools.built_in else refused(INVALID_PARAMS)


def read_resource(request: Request) -> ExpectedReply:
    if not request.has_text("uri"):
        return refused(INVALID_PARAMS)
    missing = INVALID_PARAMS if request.version == MODERN else RESOURCE_MISSING
    is_known = request.params["uri"].startswith(("pharo://", "shop://"))
    return answered(has_contents, missing, INTERNAL) if is_known else refused(missing)


def get_prompt(request: Request) -> ExpectedReply:
    is_valid = request.has_text("name") and request.may_be_object("arguments")
    return answered(MESSAGES, INVALID_PARAMS, INTERNAL) if is_valid else refused(INVALID_PARAMS)


def complete(request: Request) -> ExpectedReply:
    is_valid = all(isinstance(request.params.get(name), dict) for name in ("ref", "argument"))
    return answered(has_values, INVALID_PARAMS, INTERNAL) if is_valid else refused(INVALID_PARAMS)


def subscribe(request: Request) -> ExpectedReply:
    return answered(empty) if request.has_text("uri") else refused(INVALID_PARAMS)


def set_level(request: Request) -> ExpectedReply:
    levels = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
    return answered(empty) if request.params.get("level") in levels else refused(INVALID_PARAMS)


def listen(request: Request) -> ExpectedReply:
    """It is acknowledged by a notification, which the oracle checks, and answered at the end."""
    topics = request.params.get("notifications")
    uris = topics.get("resourceSubscriptions") if isinstance(topics, dict) else ()
    is_valid = uris is None or (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris))
    return ExpectedReply() if is_valid else refused(INVALID_PARAMS)


class Rule(NamedTuple):
    """A method: its expected reply, its versions, and whether it may wait for the image."""

    expected: Callable[[Request], ExpectedReply]
    versions: tuple[str, ...] = (*LEGACY, MODERN)
    waits: bool = False


RULES: Mapping[str, Rule] = {
    "initialize": Rule(initialize, LEGACY),
    "ping": Rule(lambda _: answered(empty), LEGACY),
    "server/discover": Rule(lambda _: answered(DISCOVERED), (MODERN,)),
    "tools/list": Rule(listed(TOOLS)),
    "resources/list": Rule(listed(RESOURCES)),
    "resources/templates/list": Rule(listed(TEMPLATES)),
    "prompts/list": Rule(listed(PROMPTS)),
    "skills/list": Rule(listed(SKILLS)),
    "tools/call": Rule(call_tool, waits=True),
    "resources/read": Rule(read_resource, waits=True),
    "prompts/get": Rule(get_prompt, waits=True),
    "completion/complete": Rule(complete, waits=True),
    "resources/subscribe": Rule(subscribe, WITH_SUBSCRIPTIONS),
    "resources/unsubscribe": Rule(subscribe, WITH_SUBSCRIPTIONS),
    "logging/setLevel": Rule(set_level, WITH_SUBSCRIPTIONS),
    "subscriptions/listen": Rule(listen, (MODERN,)),
}


def agreed(params: Members) -> str | None:
    """The negotiated version of a handshake; None if it requests none."""
    wanted = params.get("protocolVersion")
    if not isinstance(wanted, str):
        return None
    return wanted if wanted in LEGACY else LEGACY[-1]


def is_modern(params: Members) -> bool:
    """Whether a request declares its own version."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and (VERSION in meta or CAPABILITIES in meta)


def expected_reply(
    method: str, params: Members, negotiated: str | None, tools: Tools, *, in_batch: bool
) -> ExpectedReply:
    """The expected reply to a request after a handshake."""
    version = negotiated
    if is_modern(params):
        meta = params["_meta"]
        if not isinstance(meta.get(VERSION), str):
            return refused(INVALID_PARAMS)
        if meta[VERSION] != MODERN:
            return refused(UNSUPPORTED_VERSION)
        if not isinstance(meta.get(CAPABILITIES), dict):
            return refused(INVALID_PARAMS)
        version = MODERN
    if version is None:
        if method not in ("initialize", "ping"):
            return refused(INVALID_REQUEST)
        version = LEGACY[-1]
    rule = RULES.get(method)
    if rule is None or version not in rule.versions:
        return refused(METHOD_NOT_FOUND)
    if in_batch and (method == "initialize" or version == MODERN):
        return refused(INVALID_REQUEST)
    return rule.expected(Request(params, version, tools))._replace(modern=version == MODERN, waits=rule.waits)
