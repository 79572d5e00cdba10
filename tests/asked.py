"""A client of the plainest kind that answers what it is asked."""

from collections.abc import Mapping
from typing import Any

from programs import Client

CAPABILITIES: Mapping[str, object] = {"elicitation": {}, "sampling": {}, "roots": {}}
DECLINED = {"action": "decline"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
}


def accepted(answer: object) -> dict[str, object]:
    """The result of a form with one field."""
    return {"action": "accept", "content": {"answer": answer}}


class AskedClient(Client):
    """Declares that it can be asked, and answers each question by its words, or not at all."""

    answers: Mapping[str, Mapping[str, Any]]
    """Results, by the questions."""

    def __init__(self, *arguments: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.answers = {}
        self.asked: list[str] = []

    def shake_hands(self, revision: str = "2025-11-25") -> Any:
        """Initialize as a legacy client that can be asked."""
        params = {"protocolVersion": revision, "capabilities": CAPABILITIES}
        response = self.request("initialize", **params, clientInfo={"name": "tests", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return response["result"]

    def _next(self) -> Any:
        while (message := super()._next()).keys() >= {"id", "method"}:
            text = message["params"].get("message", "")
            self.asked.append(text)
            if text in self.answers:
                self.respond(message["id"], self.answers[text])
            else:
                self.told.append(message)
        return message

    def respond(self, request_id: object, result: Mapping[str, Any]) -> None:
        """Answer a request of the server."""
        self.send({"jsonrpc": "2.0", "id": request_id, "result": result})

    def wait_to_be_asked(self) -> Any:
        """The next request of the server that was not answered."""
        while not (found := [each for each in self.told if each.keys() >= {"id", "method"}]):
            self.told.append(Client._next(self))
        self.told.remove(found[0])
        return found[0]

    def modern(self, tool: str, arguments: Mapping[str, Any], **params: object) -> Any:
        """Call a tool as a modern client."""
        named = {"name": tool, "arguments": arguments, "_meta": MODERN}
        return self.request("tools/call", **named, **params)
