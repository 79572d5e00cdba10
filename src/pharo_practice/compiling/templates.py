"""The source of superinstructions in Python: that of one function for each shape.

A shape has a word for each instruction of a sequence: its name and, behind a colon, what the source depends
on besides. The other operands of the instructions, and the places that the source refers to, are parameters.
Values that are pushed stay in local variables until something uses them, or until code may run that could see
the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pharo_practice.compiling.fragments import (
    CLASS_OF_ANY,
    CLASS_OF_OBJECT,
    CLOSURE,
    PUSHES,
    RETURN,
    SEND,
    STORE_SLOT,
)

Shape: TypeAlias = str
"""Words with blanks between them."""
OPERATION = "operation"
"""The name of the functions."""
AFTER = "after"
"""What the names of places begin with, before how far they are from the start."""
OBJECT = "object"
"""Says of a receiver that it has an attribute `cls`, as all but integers, floats, booleans and nil have.

One of these may still be the receiver of a method that is run with a receiver of another class.
"""


def indent(text: str) -> str:
    """The text with four blanks before each line."""
    return "".join("    " + line for line in text.splitlines(keepends=True))


class Template:
    """Writes the function for one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.text = ""
        self.operands: list[str] = []
        self.stack: list[str] = []
        """The variables with the values that were pushed, and are not on the frame's stack yet."""
        self.objects: set[str] = set()
        """The variables whose values are expected to have an attribute `cls`."""
        self.variables = 0
        self.name = ""
        """The instruction that is written."""
        self.length = 0
        """How many instructions were written, with that one."""
        self.places: set[int] = set()
        """How far from the start the places are to which the code refers."""

    def source(self) -> str:
        """The function."""
        for word in self.shape.split():
            self.name, _, detail = word.partition(":")
            self.length += 1
            WRITERS[self.name](self, detail)
        if self.name not in LEAVING:
            self.add(f"{self.pushes()}return {self.after()}\n")
        places = [f"{AFTER}{place}" for place in sorted(self.places)]
        head = f"def {OPERATION}({', '.join(['context', *self.operands, *places])}):\n"
        return head + indent("frame = context.frame\n" + self.text)

    # parts of the text

    def add(self, text: str) -> None:
        """Append lines."""
        self.text += text

    def operand(self) -> str:
        """The next operand's name."""
        self.operands.append(f"operand{len(self.operands)}")
        return self.operands[-1]

    def after(self, length: int | None = None) -> str:
        """The place behind so many instructions: those that were written, unless told otherwise."""
        place = self.length if length is None else length
        self.places.add(place)
        return f"{AFTER}{place}"

    def variable(self) -> str:
        """The name of a new variable."""
        self.variables += 1
        return f"value{self.variables}"

    def push(self, value: str) -> None:
        """Keep a value in a variable."""
        self.stack.append(self.variable())
        self.add(f"{self.stack[-1]} = {value}\n")

    def pop(self) -> str:
        """The variable with the topmost value."""
        if not self.stack:
            self.push("frame.pop()")
        return self.stack.pop()

    def pushes(self, *more: str) -> str:
        """Lines that put all values on the frame's stack."""
        return "".join(f"frame.append({each})\n" for each in (*self.stack, *more))

    def alone(self, *values: str) -> str:
        """Lines of a block that puts back the instruction's operands, and leaves it to its own operation."""
        return indent(f"{self.pushes(*values)}return vm.do_alone(context, {self.after(self.length - 1)})\n")

    # the instructions that push and store

    def write_push(self, detail: str) -> None:
        """Push a value that needs no computation."""
        value = PUSHES[self.name]
        self.push(value.format(self.operand()) if "{" in value else value)
        if detail == OBJECT:
            self.objects.add(self.stack[-1])

    def write_outer(self, distance: str) -> None:
        """Push a variable of the frame some closures further out."""
        self.push(f"context{'.closure.outer' * int(distance)}.frame[{self.operand()}]")

    def write_closure(self, _detail: str) -> None:
        """Push a new closure over this context."""
        value, kind, body = self.variable(), self.operand(), self.operand()
        self.add(CLOSURE.format(value=value, kind=kind, body=body))
        self.stack.append(value)
        self.objects.add(value)

    def write_duplicate(self, _detail: str) -> None:
        """Push the topmost value again."""
        if self.stack:
            self.stack.append(self.stack[-1])
        else:
            self.push("frame[-1]")

    def write_pop(self, _detail: str) -> None:
        """Drop the topmost value."""
        if self.stack:
            self.stack.pop()
        else:
            self.add("frame.pop()\n")

    def write_store_temporary(self, _detail: str) -> None:
        """Pop into a temporary of this frame."""
        self.add(f"frame[{self.operand()}] = {self.pop()}\n")

    def write_store_outer(self, distance: str) -> None:
        """Pop into a variable of the frame some closures further out."""
        value = self.pop()
        self.add(f"context{'.closure.outer' * int(distance)}.frame[{self.operand()}] = {value}\n")

    def write_store_slot(self, _detail: str) -> None:
        """Pop into an instance variable; that of a read-only receiver is left to the operation alone."""
        value = self.pop()
        self.add(STORE_SLOT.format(index=self.operand(), value=value) + self.alone(value))

    def write_store_shared(self, _detail: str) -> None:
        """Pop into a binding."""
        self.add(f"{self.operand()}.fields[1] = {self.pop()}\n")

    # those that compute and send

    def write_compute(self, operator: str) -> None:
        """Compute with two integers, or compare two objects."""
        other, one = self.pop(), self.pop()
        if operator == "is":
            self.push(f"{one} is {other} or identical({one}, {other})")
            return
        self.add(f"if type({one}) is not int or type({other}) is not int:\n{self.alone(one, other)}")
        self.push(f"{one} {operator} {other}")

    def write_send(self, count: str) -> None:
        """Send a message; go on with the result of a primitive, or with the method."""
        receiver, *arguments = [self.pop() for _ in range(int(count) + 1)][::-1]
        self.add(self.pushes())
        joined = ", ".join(arguments)
        result = self.variable()
        self.add(
            SEND.format(
                cls=(CLASS_OF_OBJECT if receiver in self.objects else CLASS_OF_ANY).format(receiver),
                receiver=receiver,
                selector=self.operand(),
                following=self.after(),
                arguments=joined,
                values=", ".join([receiver, *arguments]),
                frame=f"[{joined}, *method.blanks]" if arguments else "method.blanks.copy()",
                result=result,
            )
        )
        self.stack = [result]

    # those that jump and return

    def write_jump(self, _detail: str) -> None:
        """Jump forward."""
        self.add(f"{self.pushes()}return {self.operand()}\n")

    def write_loop(self, _detail: str) -> None:
        """Jump backward by way of the machine's loop, which may run another process."""
        self.add(f"{self.pushes()}context.pc = {self.operand()}\nreturn 0\n")

    def write_branch(self, leaving: str) -> None:
        """Pop a boolean and jump if it is the one named; anything else is left to the operation alone."""
        value, staying = self.pop(), str(leaving != "True")
        self.add(f"if {value} is {leaving}:\n" + indent(f"{self.pushes()}return {self.operand()}\n"))
        self.add(f"if {value} is not {staying}:\n{self.alone(value)}")

    def write_jump_not_nil(self, _detail: str) -> None:
        """Pop a value and jump if it is not nil."""
        value = self.pop()
        self.add(f"if {value} is not None:\n" + indent(f"{self.pushes()}return {self.operand()}\n"))

    def write_return(self, _detail: str) -> None:
        """Return the topmost value to the sender."""
        self.add(RETURN.format(value=self.pop()))

    def write_return_self(self, _detail: str) -> None:
        """Return the receiver to the sender."""
        self.add(RETURN.format(value="context.receiver"))


WRITERS: dict[str, Callable[[Template, str], None]] = {
    **dict.fromkeys(PUSHES, Template.write_push),
    "outer": Template.write_outer,
    "closure": Template.write_closure,
    "duplicate": Template.write_duplicate,
    "pop": Template.write_pop,
    "store_temporary": Template.write_store_temporary,
    "store_outer": Template.write_store_outer,
    "store_slot": Template.write_store_slot,
    "store_shared": Template.write_store_shared,
    "compute": Template.write_compute,
    "send": Template.write_send,
    "jump": Template.write_jump,
    "loop": Template.write_loop,
    "jump_true": lambda template, _detail: template.write_branch("True"),
    "jump_false": lambda template, _detail: template.write_branch("False"),
    "jump_not_nil": Template.write_jump_not_nil,
    "return": Template.write_return,
    "return_self": Template.write_return_self,
}
"""What writes an instruction, by its name."""
LEAVING = frozenset({"jump", "loop", "return", "return_self"})
"""Instructions that never continue with the next one."""
JUMPS = frozenset({"jump", "loop", "jump_true", "jump_false", "jump_not_nil"})
"""Instructions with a place to go on at."""
