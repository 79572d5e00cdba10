"""Generation of messages as clients of both eras send them.

Any `random.Random` can choose them: one with a seed, or one of hypothesis, which can shrink its choices.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSIONS = (*LEGACY, MODERN, "1999-01-01", "")

CALLS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("evaluate", {"expression": "3 + 4"}),
    ("evaluate", {"expression": "1/0", "timeout_seconds": 3, "wait_seconds": 1}),
    ("evaluate", {"expression": "'\ud800\U0001f600' , (String new: 9)", "workspace": "fuzz"}),
    ("get_evaluation", {"evaluation_id": "e-1", "wait_seconds": 1}),
    ("stop_evaluation", {"evaluation_id": "e-1"}),
    ("get_class", {"class_name": "Collection", "include": ["comment"]}),
    ("read_code", {"items": ["Object>>printString"]}),
    ("search", {"query": "do:", "kind": ["implementors", "senders"]}),
    ("read_code", {}),
    ("edit_code", {"text": "Fuzzed >> fuzzed [ ^ 3 ]"}),
    ("edit_code", {"text": "Object << #Fuzzed package: 'Fuzz'", "preview": True}),
    ("edit_code", {"remove": ["Fuzzed>>fuzzed"]}),
    ("run_tests", {"tests": ["FuzzedTest"]}),
    ("list_changes", {"limit": 3}),
    ("undo_change", {"number": 1}),
    ("inspect_object", {"object_id": "o-1", "path": [1, "name"]}),
    ("find_objects", {"relation": "holders", "object_id": "o-1"}),
    ("take_screenshot", {}),
    ("get_status", {}),
    ("get_version", {}),
    ("select_image", {"name": "Pharo"}),
    ("order_total", {"orderId": "7"}),
    ("no_such_tool", {}),
    ("", {}),
)
URIS = (
    "pharo://version",
    "pharo://system/version",
    "pharo://system/status",
    "pharo://changes",
    "pharo://class/Collection",
    "pharo://class/%F0%9F%98%80",
    "pharo://package/Kernel",
    "shop://orders/open",
    "shop://order/7",
    "file:///etc/passwd",
    "",
)
PROMPTS = ("explain_class", "explore_package", "review_class", "review_order", "no_such_prompt", "")
LEVELS = ("debug", "error", "loud")
TOPICS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "skills/list")
UNKNOWN = ("unknown/method", "", "tools", "rpc.discover", "__init__", "tasks/create", "\ud800", "é" * 200)
NOTIFICATIONS = (
    "notifications/initialized",
    "notifications/roots/list_changed",
    "notifications/unknown",
    "ping",
)
IDS: tuple[Any, ...] = (0, -1, 2**53, 10**40, "", "0", "é\U0001f600", "\udc00", None, True, 1.0, 1.5, [], {})


class MessageGenerator:
    """Generates the messages of one session; keeps their ids, to cancel and to repeat them."""

    def __init__(self, random: Random, *, modern: float) -> None:
        self.random = random
        self._modern = modern
        self._used_ids: list[Any] = ["nobody"]
        self._number = 0

    def message(self) -> Any:
        """A message that is valid, or nearly so."""
        return self.random.choice(KINDS)(self)

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """A request in one of the eras."""
        meta: dict[str, Any] = {}
        if self.random.random() < self._modern:
            meta = {VERSION: MODERN, CAPABILITIES: {}}
        if self.random.random() > 0.8:
            meta["progressToken"] = self._id()
        request = {"jsonrpc": "2.0", "id": self._id(), "method": method, "params": params}
        if meta:
            params["_meta"] = meta
        elif not params and self.random.random() < 0.5:
            del request["params"]
        return request

    def initialize(self, version: str | None = None) -> dict[str, Any]:
        """The legacy handshake."""
        info = {"name": "fuzz", "version": "1"}
        params = {"protocolVersion": version or self.random.choice(VERSIONS), "capabilities": {}}
        return {
            "jsonrpc": "2.0",
            "id": self._id(),
            "method": "initialize",
            "params": {**params, "clientInfo": info},
        }

    def list_request(self) -> dict[str, Any]:
        """A request for a list, perhaps with a cursor."""
        cursor = {"cursor": self.random.choice(["0", "250", "x", ""])} if self.random.random() > 0.8 else {}
        return self.request(self.random.choice(LISTS), dict(cursor))

    def call_tool(self) -> dict[str, Any]:
        """A call of a tool."""
        name, arguments = self.random.choice(CALLS)
        return self.request("tools/call", {"name": name, "arguments": dict(arguments)})

    def read_resource(self) -> dict[str, Any]:
        """A request to read a resource, to subscribe to it or to unsubscribe."""
        methods = ["resources/read", "resources/read", "resources/subscribe", "resources/unsubscribe"]
        return self.request(self.random.choice(methods), {"uri": self.random.choice(URIS)})

    def get_prompt(self) -> dict[str, Any]:
        """A request for a prompt, with or without arguments."""
        arguments = {"class_name": "Collection", "package": "Kernel", "order": "7"}
        filled = {} if self.random.random() < 0.2 else {"arguments": arguments}
        return self.request("prompts/get", {"name": self.random.choice(PROMPTS), **filled})

    def complete(self) -> dict[str, Any]:
        """A request for completions."""
        prompt = {"type": "ref/prompt", "name": self.random.choice(PROMPTS)}
        resource = {"type": "ref/resource", "uri": "pharo://class/{className}"}
        argument = {"name": self.random.choice(["className", "class", "x"]), "value": "Coll"}
        reference = self.random.choice([prompt, resource])
        return self.request("completion/complete", {"ref": reference, "argument": argument})

    def listen(self) -> dict[str, Any]:
        """The subscription of a modern client to notifications."""
        topics: dict[str, Any] = {self.random.choice(TOPICS): True, "resourceSubscriptions": list(URIS[:2])}
        return self.request("subscriptions/listen", {"notifications": topics})

    def simple_request(self) -> dict[str, Any]:
        """A request without parameters, or of an unknown method."""
        level = {"level": self.random.choice(LEVELS)}
        choices: list[tuple[str, dict[str, Any]]] = [
            *[("ping", {}), ("ping", {}), ("server/discover", {}), ("logging/setLevel", level)],
            (self.random.choice(UNKNOWN), {}),
        ]
        return self.request(*self.random.choice(choices))

    def cancel(self) -> dict[str, Any]:
        """A cancellation of a recent, finished or unknown request."""
        latest = self.random.choice(self._used_ids[-4:])
        target = self.random.choice([latest, latest, self.random.choice(self._used_ids), "nobody", None])
        return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": target}}

    def notification(self) -> dict[str, Any]:
        """A notification."""
        return {"jsonrpc": "2.0", "method": self.random.choice(NOTIFICATIONS)}

    def answer(self) -> dict[str, Any]:
        """An unexpected response."""
        error = {"error": {"code": -32000, "message": "no"}}
        return {"jsonrpc": "2.0", "id": self._id(), **self.random.choice([{"result": {}}, error])}

    def _id(self) -> Any:
        """An id: nearly always a new one."""
        chance = self.random.random()
        if chance > 0.97:
            return self.random.choice(IDS)
        if chance > 0.94:
            return self.random.choice(self._used_ids)
        self._number += 1
        self._used_ids.append(self.random.choice([self._number, f"id {self._number}"]))
        return self._used_ids[-1]


KINDS: tuple[Callable[[MessageGenerator], Any], ...] = (
    *[MessageGenerator.simple_request] * 6,
    *[MessageGenerator.list_request] * 3,
    *[MessageGenerator.call_tool] * 4,
    *[MessageGenerator.read_resource] * 2,
    MessageGenerator.get_prompt,
    MessageGenerator.complete,
    MessageGenerator.listen,
    *[MessageGenerator.cancel] * 2,
    *[MessageGenerator.notification] * 2,
    MessageGenerator.answer,
    MessageGenerator.initialize,
)
