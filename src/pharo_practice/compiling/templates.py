"""The source of superinstructions in Python: one function for each shape, from the templates of its parts.

A shape is a list of words: what is pushed, what is done with it, where the result goes. The operands of the
instructions are the arguments of the function that makes an operation, in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import BUGS, FAILURES, SWITCH
from pharo_practice.model.behavior import Operation
from pharo_practice.model.code import DEAD, Context
from pharo_practice.model.objects import NATIVE_TYPES, identical, native_class

PUSHES = {
    "self": "context.receiver",
    "temporary": "frame[{}]",
    "slot": "context.receiver.fields[{}]",
    "constant": "{}",
    "shared": "{}.fields[1]",
}
"""What pushes a value, and the value."""

OPERATORS = {
    "==": "is",
    "+": "+",
    "-": "-",
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "=": "==",
    "~=": "!=",
    "bitAnd:": "&",
    "bitOr:": "|",
    "bitXor:": "^",
}
"""Python's operators for selectors that are computed without a send."""

STORES = {"store_temporary": "frame[{}] = {}", "store_slot": "context.receiver.fields[{}] = {}"}
"""What pops a value, and where to."""
TESTS = {"jump_false": ("{next}", "{target}"), "jump_true": ("{target}", "{next}")}
"""Where the code goes on for true and for false."""
JUMPS = frozenset({"jump", "loop", "jump_true", "jump_false", "jump_not_nil"})

SEND = """\
cls = {receiver}.cls if type({receiver}) not in NATIVE_TYPES else native_class({receiver})
try:
    method = cls.cache[{selector}]
except KeyError:
    method = lookup(cls, {selector})
context.pc = {following}
if method is None:
    return vm.not_understood(context, {receiver}, {selector}, [{arguments}])
primitive = method.primitive
if primitive is not None:
    try:
        result = primitive(vm, {values})
    except FAILURES:
        pass
    except BUGS as error:
        vm.primitive_raised(error, method, {values})
    else:
        if result is SWITCH:
            return 0
{then}
new = Context()
new.sender = context
new.method = method
new.receiver = {receiver}
new.frame = {frame}
new.closure = None
new.pc = 1
vm.active = new
return 0
"""
COMPUTE = """\
if {are_integers}:
{then}
return plain(context)
"""
RETURN = """\
sender = context.sender
context.sender = DEAD
sender.frame.append({value})
vm.active = sender
return 0
"""
TEST = """\
result = {value}
if result is True:
    return {true}
if result is False:
    return {false}
"""
STORE = """\
try:
    {store}
except TypeError:
    return plain(context)
return {following}
"""

NAMES: dict[str, Any] = {
    "Context": Context,
    "DEAD": DEAD,
    "SWITCH": SWITCH,
    "FAILURES": FAILURES,
    "BUGS": BUGS,
    "NATIVE_TYPES": NATIVE_TYPES,
    "native_class": native_class,
    "identical": identical,
}
"""What the source refers to."""


def indent(text: str, blanks: str) -> str:
    """The text with blanks before each line."""
    return "".join(blanks + line for line in text.splitlines(keepends=True))


Factory: TypeAlias = Callable[..., Operation]
"""Takes the operation of the first instruction, its position, and all operands."""


def make(vm: Machine, shape: tuple[str, ...]) -> Factory:
    """The function that makes the operations of a shape; compiled when the first is needed."""
    found = vm.factories.get(shape)
    if found is None:
        names: dict[str, Any] = NAMES | {"vm": vm, "lookup": vm.lookup}
        exec(compile(Template(shape).source(), f"<{' '.join(shape)}>", "exec"), names)  # noqa: S102
        found = vm.factories[shape] = names["make"]
    return found


class Template:
    """Writes the function for one shape."""

    def __init__(self, shape: tuple[str, ...]) -> None:
        self.words = list(shape)
        self.operands: list[str] = []
        self.length = 0
        """How many instructions were written."""

    def source(self) -> str:
        """A function that makes operations of this shape."""
        body = "frame = context.frame\n" + self.body()
        operation = "def operation(context):\n" + indent(body, "    ") + "return operation\n"
        return f"def make({', '.join(['plain', 'start', *self.operands])}):\n" + indent(
            self.constants() + operation, "    "
        )

    def constants(self) -> str:
        """The places in the code behind each instruction."""
        return "".join(f"after{count} = start + {count}\n" for count in range(self.length + 1))

    def operand(self) -> str:
        """The next operand's name."""
        self.operands.append(f"operand{len(self.operands)}")
        return self.operands[-1]

    def word(self) -> str:
        """The next word."""
        self.length += 1
        return self.words.pop(0)

    def after(self) -> str:
        """The place behind what was written."""
        return f"after{self.length}"

    def body(self) -> str:
        """The statements of the operation."""
        pushed = []
        while self.words and self.words[0] in PUSHES:
            word = self.word()
            pushed.append(PUSHES[word] if word == "self" else PUSHES[word].format(self.operand()))
        if not self.words:
            return "".join(f"frame.append({each})\n" for each in pushed) + f"return {self.after()}\n"
        word = self.word()
        if word.startswith("send"):
            return self.send(pushed, int(word[-1]))
        if word in OPERATORS.values():
            return self.compute(pushed, word)
        if word == "duplicate":
            self.word()
            return self.nil_test(pushed[0] if pushed else "frame[-1]", is_pushed=not pushed)
        if word == "pop":
            self.word()
            return RETURN.format(value="context.receiver")
        return self.use(word, pushed[0], is_pushed=False)

    def values(self, pushed: list[str], count: int) -> tuple[str, list[str]]:
        """Statements that give names to the operands of a message, and the names."""
        names = [f"value{index}" for index in range(count)]
        popped = names[: count - len(pushed)]
        pops = "".join(f"{name} = frame.pop()\n" for name in reversed(popped))
        gets = "".join(
            f"{name} = {value}\n" for name, value in zip(names[len(popped) :], pushed, strict=True)
        )
        return pops + gets, names

    def send(self, pushed: list[str], count: int) -> str:
        """Send a message; a primitive's result is used at once."""
        selector, following = self.operand(), self.after()
        gets, names = self.values(pushed, count + 1)
        arguments = ", ".join(names[1:])
        return gets + SEND.format(
            receiver=names[0],
            selector=selector,
            following=following,
            arguments=arguments,
            values=", ".join(names),
            frame=f"[{arguments}, *method.blanks]" if count else "method.blanks.copy()",
            then=indent(self.result("result"), " " * 8),
        )

    def compute(self, pushed: list[str], operator: str) -> str:
        """Compute with two integers, or compare two objects; what is on the stack stays there until then."""
        missing = 2 - len(pushed)
        values = [f"frame[{index - missing}]" for index in range(missing)] + pushed
        gets = f"one = {values[0]}\nother = {values[1]}\n"
        drops = f"del frame[-{missing}:]\n" if missing else ""
        if operator == "is":
            return gets + drops + self.result("one is other or identical(one, other)")
        return gets + COMPUTE.format(
            are_integers="type(one) is int and type(other) is int",
            then=indent(drops + self.result(f"one {operator} other"), "    "),
        )

    def result(self, value: str) -> str:
        """Use the result of a message as the shape says; push it if it says nothing."""
        if not self.words:
            return f"frame.append({value})\nreturn {self.after()}\n"
        return self.use(self.word(), value, is_pushed=True)

    def use(self, word: str, value: str, *, is_pushed: bool) -> str:
        """Return, test, store or drop a value, which may be one that the machine pushes when a test fails."""
        if word == "return":
            return RETURN.format(value=value)
        if word == "pop":
            return f"return {self.after()}\n"
        if word in TESTS:
            before = f"after{self.length - 1}"
            places = {"next": self.after(), "target": self.operand()}
            true, false = (each.format(**places) for each in TESTS[word])
            failing = f"frame.append(result)\nreturn {before}\n" if is_pushed else "return plain(context)\n"
            return TEST.format(value=value, true=true, false=false) + failing
        store = STORES[word].format(self.operand(), value)
        if word == "store_temporary" and self.words:
            self.word()
            return f"{store}\ncontext.pc = {self.operand()}\nreturn 0\n"
        if word == "store_temporary":
            return f"{store}\nreturn {self.after()}\n"
        return STORE.format(store=store, following=self.after())

    def nil_test(self, value: str, *, is_pushed: bool) -> str:
        """Go on where the value, which stays on the stack, is nil; jump where it is not."""
        push = "" if is_pushed else "frame.append(value)\n"
        return f"value = {value}\n{push}return {self.after()} if value is None else {self.operand()}\n"
