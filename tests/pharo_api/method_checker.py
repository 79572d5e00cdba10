"""Checks one method: its variables, and the messages that it sends."""

from collections.abc import Iterable, Iterator, Set
from itertools import chain

from pharo_api.context import Context, context_of
from pharo_api.names import Local, Names
from pharo_api.pharo_version import PharoVersion
from pharo_api.problems import Problem, warning
from pharo_api.receivers import CLASS_OF_LITERAL, Certainty, Receiver, instance_of
from pharo_api.sends import check_send
from pharo_api.syntax_tree import (
    Assignment,
    Block,
    Brace,
    Cascade,
    Literal,
    Message,
    Method,
    Node,
    Return,
    Send,
    Variable,
)


def check_method(method: Method, version: PharoVersion, allowed: Set[str]) -> list[Problem]:
    """What is wrong with a method in a version of Pharo."""
    context = context_of(method, version, allowed)
    MethodChecker(context).check()
    return context.problems


class MethodChecker:
    """Goes through a method in the order in which it is evaluated."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.names = Names(context)

    def check(self) -> None:
        """Check the whole method."""
        method = self.context.method
        codes = locals_of("error code", method.body.error_codes)
        others = declared(method.pattern.arguments, method.body.temporaries)
        self._check_scope(chain(codes, others), method.body.statements)

    def _check_scope(self, locals_: Iterable[Local], statements: tuple[Node, ...]) -> None:
        self.names.open(locals_)
        for node in statements:
            if isinstance(node, Return) and node is not statements[-1]:
                self.context.report(warning(node.position, "statements after ^ are never reached"))
            self.visit(node)
        self.names.close()

    def visit(self, node: Node) -> Receiver | None:
        """Check a node; answers what is known of its value."""
        version = self.context.version
        match node:
            case Send(receiver, message):
                return self._send(message, self.visit(receiver))
            case Variable():
                return self.names.read(node)
            case Literal(kind):
                certainty = Certainty.KIND if kind == "float" else Certainty.EXACT
                return instance_of(version, CLASS_OF_LITERAL.get(kind), certainty)
            case Block(arguments, temporaries, statements):
                self._check_scope(declared(arguments, temporaries), statements)
                return instance_of(version, "BlockClosure")
            case Assignment(variable, value):
                assigned = self.visit(value)
                self.names.assign(variable, assigned)
                return assigned
            case Return(value):
                self.visit(value)
                return None
            case Brace(elements):
                for each in elements:
                    self.visit(each)
                return instance_of(version, "Array", Certainty.EXACT)
            case Cascade(receiver, messages):
                known = self.visit(receiver)
                return [self._send(message, known) for message in messages][-1]

    def _send(self, message: Message, receiver: Receiver | None) -> Receiver | None:
        for argument in message.arguments:
            self.visit(argument)
        return check_send(self.context, message, receiver)


def declared(arguments: Iterable[Variable], temporaries: Iterable[Variable]) -> Iterator[Local]:
    """What a method or block declares."""
    yield from locals_of("argument", arguments)
    yield from locals_of("temporary", temporaries)


def locals_of(kind: str, variables: Iterable[Variable]) -> Iterator[Local]:
    """Variables of one kind as they are when none was used yet."""
    return (Local(each.name, each.position, kind) for each in variables)
