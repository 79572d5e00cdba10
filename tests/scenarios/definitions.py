"""Every definition in an image, held against itself later: what was changed and not undone."""

from programs import Client

COLLECT = """\
now := Dictionary new.
Smalltalk globals flushClassNameCache.
Smalltalk globals allClassesAndTraits do: [ :each |
	now at: each name asString put: { each definitionString. each comment }.
	{ each. each class } do: [ :side |
		side methods do: [ :method |
			now
				at: side printString , '>>' , method selector
				put: { method protocolName asString. method } ] ] ].
"""
COMPARE = """\
isAsBefore := [ :was :is |
	was first = is first and: [
		was second == is second or: [
			is second isString
				ifTrue: [ was second = is second ]
				ifFalse: [ was second sourceCode = is second sourceCode ] ] ] ].
(now keys reject: [ :key |
	(before includesKey: key) and: [ isAsBefore value: (before at: key) value: (now at: key) ] ]) ,
	(before keys reject: [ :key | now includesKey: key ])"""
"""A method that is the same object needs no look at its source: a whole image has more than 100,000."""
WORKSPACE = "definitions"
SECONDS = 40


class Definitions:
    """All classes, traits and methods with their sources, comments and protocols, kept in the image."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._evaluate(f"| now | {COLLECT}before := now. now size")

    def changed(self) -> str:
        """The names of those that are not as they were, as the image prints them."""
        return self._evaluate(f"| now isAsBefore | {COLLECT}{COMPARE}")

    def forget(self) -> None:
        """Let go of them."""
        self._client.call("evaluate", expression="nil", workspace=WORKSPACE, reset_workspace=True)

    def _evaluate(self, expression: str) -> str:
        result = self._client.call(
            "evaluate", expression=expression, workspace=WORKSPACE, timeout_seconds=SECONDS
        )
        text: str = result["content"][0]["text"]
        assert not result["isError"], text
        return text.splitlines()[0]
