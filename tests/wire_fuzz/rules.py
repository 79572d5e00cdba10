"""What each request must be answered by, from the documents; none of it is read from the server's code.

Sources: https://www.jsonrpc.org/specification, https://modelcontextprotocol.io/specification, and what this
project documents beyond these: -32600 before the handshake, and for ids that are no string or integer.
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
TELLS_NEWS = ("2025-06-18", "2025-11-25")

Members = Mapping[str, Any]
Shape = Callable[[Members], bool]
"""Whether the members of a result are what they should be."""


class Want(NamedTuple):
    """What a message must be answered by: one of these errors, or a result of this shape if there is one."""

    codes: frozenset[int] = frozenset()
    shape: Shape | None = None
    modern: bool = False
    waits: bool = False  # it may be answered after what is sent later, and be cancelled
    optional: bool = False
    is_crowded: bool = False  # so many wait that it may be turned away

    def admits(self, answer: Members) -> bool:
        """Whether an answer is right."""
        if "error" in answer:
            error = answer["error"]
            if error["code"] == INTERNAL and not says_why(error):
                return self.is_crowded and "are waiting already" in error["message"]
            return error["code"] in self.codes
        return (
            self.shape is not None
            and is_result(answer["result"], self.modern)
            and self.shape(answer["result"])
        )

    def or_else(self, other: "Want") -> "Want":
        """What is right where this or the other is."""
        shapes = [each for each in (self.shape, other.shape) if each]
        shape = shapes[0] if len(shapes) == 1 else either(*shapes) if shapes else None
        waits = self.waits or other.waits
        return self._replace(codes=self.codes | other.codes, shape=shape, waits=waits)


def either(one: Shape, other: Shape) -> Shape:
    """The shape of one or the other."""
    return one if one is other else lambda result: one(result) or other(result)


def says_why(error: Members) -> bool:
    """Whether an internal error is about the image, and not a bug."""
    data = error.get("data")
    return isinstance(data, dict) and isinstance(data.get("kind"), str)


def is_result(result: object, modern: bool) -> bool:
    """Whether a result has what its era asks of every one."""
    if not isinstance(result, dict):
        return False
    if not modern:
        return "resultType" not in result
    return result.get("resultType") == "complete" and isinstance(result.get("_meta"), dict)


def empty(result: Members) -> bool:
    """The answer to ping and its like."""
    return not result


def has(**types: type) -> Shape:
    """Members of these types."""
    return lambda result: all(isinstance(result.get(name), kind) for name, kind in types.items())


def has_content(result: Members) -> bool:
    """What a tool answers."""
    content = result.get("content")
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content)
        and isinstance(result.get("isError", False), bool)
    )


def has_contents(result: Members) -> bool:
    """What reading a resource answers: never nothing."""
    contents = result.get("contents")
    return isinstance(contents, list) and bool(contents) and all("uri" in each for each in contents)


def has_values(result: Members) -> bool:
    """What completing answers: 100 at most."""
    completion = result.get("completion")
    return isinstance(completion, dict) and has(values=list)(completion) and len(completion["values"]) <= 100


SHAKEN: Mapping[str, Shape] = {
    version: lambda result, version=version: (  # type: ignore[misc]
        result.get("protocolVersion") == version and has(capabilities=dict, serverInfo=dict)(result)
    )
    for version in LEGACY
}
"""The answer to a handshake, by the version that is agreed on."""
DISCOVERED = has(supportedVersions=list, capabilities=dict)
TOOLS, RESOURCES = has(tools=list), has(resources=list)
TEMPLATES, PROMPTS = has(resourceTemplates=list), has(prompts=list)
MESSAGES = has(messages=list)


def refused(*codes: int) -> Want:
    """No result is right."""
    return Want(frozenset(codes))


def answered(shape: Shape, *codes: int) -> Want:
    """A result is right, and these errors are."""
    return Want(frozenset(codes), shape)


class Tools(NamedTuple):
    """The names of the tools that can be called, and of those that the image may register."""

    built_in: frozenset[str]
    registered: frozenset[str]


class Asked(NamedTuple):
    """A request, as its method sees it."""

    params: Members
    version: str
    tools: Tools

    def has_text(self, name: str) -> bool:
        """Whether there is a string of that name."""
        return isinstance(self.params.get(name), str)

    def may_be_object(self, name: str) -> bool:
        """Whether what has that name is an object, or is left out."""
        return isinstance(self.params.get(name), dict | None)


def initialize(asked: Asked) -> Want:
    version = agreed(asked.params)
    return refused(INVALID_PARAMS) if version is None else answered(SHAKEN[version])


def listed(shape: Shape) -> Callable[[Asked], Want]:
    return lambda asked: answered(shape) if asked.params.get("cursor") is None else refused(INVALID_PARAMS)


def call_tool(asked: Asked) -> Want:
    if not asked.has_text("name") or not asked.may_be_object("arguments"):
        return refused(INVALID_PARAMS)
    name = asked.params["name"]
    if name in asked.tools.registered:  # unknown where the image does not say in time that it has it
        return answered(has_content, INVALID_PARAMS)
    return answered(has_content) if name in asked.tools.built_in else refused(INVALID_PARAMS)


def read_resource(asked: Asked) -> Want:
    if not asked.has_text("uri"):
        return refused(INVALID_PARAMS)
    missing = INVALID_PARAMS if asked.version == MODERN else RESOURCE_MISSING
    is_offered = asked.params["uri"].startswith(("pharo://", "shop://"))
    return answered(has_contents, missing, INTERNAL) if is_offered else refused(missing)


def get_prompt(asked: Asked) -> Want:
    is_asked = asked.has_text("name") and asked.may_be_object("arguments")
    return answered(MESSAGES, INVALID_PARAMS, INTERNAL) if is_asked else refused(INVALID_PARAMS)


def complete(asked: Asked) -> Want:
    is_asked = all(isinstance(asked.params.get(name), dict) for name in ("ref", "argument"))
    return answered(has_values, INVALID_PARAMS, INTERNAL) if is_asked else refused(INVALID_PARAMS)


def subscribe(asked: Asked) -> Want:
    return answered(empty) if asked.has_text("uri") else refused(INVALID_PARAMS)


def set_level(asked: Asked) -> Want:
    levels = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
    return answered(empty) if asked.params.get("level") in levels else refused(INVALID_PARAMS)


def listen(asked: Asked) -> Want:
    """It is acknowledged by a notification, which is not judged here, and answered at the end."""
    wishes = asked.params.get("notifications")
    uris = wishes.get("resourceSubscriptions") if isinstance(wishes, dict) else ()
    is_right = uris is None or (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris))
    return Want() if is_right else refused(INVALID_PARAMS)


class Rule(NamedTuple):
    """A method: what it answers, where it is known, and whether it may wait for the image."""

    judge: Callable[[Asked], Want]
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
    "tools/call": Rule(call_tool, waits=True),
    "resources/read": Rule(read_resource, waits=True),
    "prompts/get": Rule(get_prompt, waits=True),
    "completion/complete": Rule(complete, waits=True),
    "resources/subscribe": Rule(subscribe, TELLS_NEWS),
    "resources/unsubscribe": Rule(subscribe, TELLS_NEWS),
    "logging/setLevel": Rule(set_level, TELLS_NEWS),
    "subscriptions/listen": Rule(listen, (MODERN,)),
}


def agreed(params: Members) -> str | None:
    """The version that a handshake agrees on; None if it asks for none."""
    wanted = params.get("protocolVersion")
    if not isinstance(wanted, str):
        return None
    return wanted if wanted in LEGACY else LEGACY[-1]


def is_modern(params: Members) -> bool:
    """Whether a request says itself which version it is of."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and (VERSION in meta or CAPABILITIES in meta)


def want_of(method: str, params: Members, negotiated: str | None, tools: Tools, *, in_batch: bool) -> Want:
    """What a request must be answered by, after that handshake."""
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
    return rule.judge(Asked(params, version, tools))._replace(modern=version == MODERN, waits=rule.waits)
