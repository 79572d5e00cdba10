"""Superinstructions: sequences of instructions that become one operation.

A sequence sends one message at most, and goes on with the result if it comes from a primitive. Where its fast
case does not hold, the instruction at which it stands is done alone.

A place gets its superinstruction when it is reached again, so most code never gets any.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from pharo_practice.compiling.fragments import OPERATORS, PUSHES
from pharo_practice.compiling.instructions import DOIT, Instruction
from pharo_practice.compiling.superinstruction_code import make
from pharo_practice.compiling.templates import JUMPS, LEAVING, OBJECT, WRITERS
from pharo_practice.machine.machine import Machine
from pharo_practice.model.arithmetic import FAST
from pharo_practice.model.behavior import NO_SUPERINSTRUCTIONS, Code, CompiledMethod, Operation
from pharo_practice.model.code import CONSTANT_CLOSURES, BlockClosure, CompiledBlock, Context
from pharo_practice.model.objects import has_natives

MOST_INSTRUCTIONS = 20
"""How many instructions a sequence has at most."""
VISITS = 2
"""How often a place of a method is reached before it is queued for its superinstruction."""
VISITS_OF_EXPRESSION = 50
"""How often a place of an expression is reached before it gets its superinstruction, which delays it."""
REFERRING = frozenset({"constant", "shared", "store_shared", "closure"})
"""Instructions whose operands may be equal without being the same object, so that code cannot share them."""
PUSHING = frozenset({*PUSHES, "outer", "closure", "duplicate"})
"""Instructions that only push something."""


class SuperinstructionBuilder:
    """Gives the code of a method, or of a block in it, its superinstructions.

    Those of methods are made while the machine is idle. An expression gets its own at once, so that nothing
    that waits keeps it alive.
    """

    __slots__ = ("body", "code", "instructions", "method", "receiver", "vm")

    def __init__(
        self, vm: Machine, method: CompiledMethod, body: Code, instructions: list[Instruction]
    ) -> None:
        self.vm = vm
        self.method = method
        self.body = body
        self.code = body.code
        self.instructions = instructions
        self.receiver: Word | None = None
        """The word that pushes the receiver, made when it is first needed."""

    def begin(self) -> None:
        """Watch where the machine enters the code, and where it loops."""
        for place in {1, *self.body.loops}:
            self.watch(place)

    def watch(self, place: int) -> None:
        """Count how often a place is reached, unless that has begun before."""
        replaced = self.body.replaced
        if place in replaced or place > len(self.instructions):
            return
        if replaced is NO_SUPERINSTRUCTIONS:
            replaced = self.body.replaced = {}
        replaced[place] = plain = self.code[place]
        left = VISITS if self.method.selector != DOIT else VISITS_OF_EXPRESSION

        def operation(context: Context) -> int:
            nonlocal left
            left -= 1
            if not left:
                self.reached(place)
            return plain(context)

        self.code[place] = operation

    def reached(self, place: int) -> None:
        """Have a superinstruction made for a place that was reached often enough."""
        self.code[place] = self.body.replaced[place]
        if self.method.selector != DOIT:
            self.vm.scheduler.deferred_work.add(partial(self.build, place))
        else:
            self.build(place)

    def build(self, place: int) -> None:
        """Let one operation do what begins at a place, unless the code has been compiled again since."""
        if self.body.code is not self.code:
            return
        words = self.sequence(place)
        if len(words) > 1:
            self.code[place] = self.operation(place, words)
        for each in self.followers(place, words):
            self.watch(each)

    def sequence(self, start: int) -> list[Word]:
        """The longest sequence from a place; pushes at its end are left to the sequence that uses them."""
        words: list[Word] = []
        has_sent = False
        for instruction in self.instructions[start - 1 : start - 1 + MOST_INSTRUCTIONS]:
            word = self.word(*instruction)
            is_send = word is not None and word.name == "send"
            if word is None or (is_send and has_sent):
                break
            has_sent = has_sent or is_send
            words.append(word)
            if word.name in LEAVING:
                return words
        while has_sent and words[-1].name in PUSHING:
            words.pop()
        return words

    def word(self, name: str, *operands: object) -> Word | None:
        """An instruction as a part of a sequence; None if it must be done alone."""
        match name, operands:
            case "self", ():
                if self.receiver is None:
                    self.receiver = Word(name, "" if has_natives(self.method.method_class) else OBJECT)
                return self.receiver
            case "send", (str(selector), count):
                if selector == "==" or (selector in FAST and selector not in self.vm.redefined):
                    operator = OPERATORS.get(selector)
                    return None if operator is None else Word("compute", operator)
                return Word("send", str(count), (selector,))
            case "outer" | "store_outer", (distance, index):
                return Word(name, str(distance), (index,))
            case "closure", (CompiledBlock() as body,):
                kind = CONSTANT_CLOSURES[body.num_args] if body.is_constant else BlockClosure
                return Word(name, "", (kind, body))
        return Word(name, "", operands) if name in WRITERS else None

    def operation(self, start: int, words: list[Word]) -> Operation:
        """The operation of a sequence, which code of the same instructions at the same place shares."""
        shape = " ".join([word.text for word in words])
        operands = tuple(operand for word in words for operand in word.operands)
        if any(word.name in REFERRING for word in words):
            return make(self.vm, shape, start, operands)
        key = (start, shape, *operands)
        return self.vm.operations.get(key) or self.vm.share(key, make(self.vm, shape, start, operands))

    def followers(self, start: int, words: list[Word]) -> set[int]:
        """Where the machine may go on after a sequence, or in the middle of it when a method returns."""
        if not words:
            return {start + 1}
        places = {start + count for count, word in enumerate(words, start=1) if word.name == "send"}
        places |= {int(str(word.operands[0])) for word in words if word.name in JUMPS}
        return places if words[-1].name in LEAVING else places | {start + len(words)}


class Word(NamedTuple):
    """An instruction of a sequence: its part of the shape, and its operands."""

    name: str
    detail: str = ""
    operands: tuple[object, ...] = ()

    @property
    def text(self) -> str:
        """Its part of the shape."""
        return f"{self.name}:{self.detail}" if self.detail else self.name
