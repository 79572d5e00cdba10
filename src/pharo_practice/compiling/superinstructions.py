"""Superinstructions: sequences of instructions that become one operation.

A sequence pushes some values, does one thing with them, and goes on with the result, for example
``temporary send0 jump_false``.
Where its fast case does not hold, it does its first instruction alone; the others follow one by one.
"""

from __future__ import annotations

from typing import NamedTuple

from pharo_practice.compiling.instructions import Instruction
from pharo_practice.compiling.templates import JUMPS, OPERATORS, PUSHES, STORES, TESTS, make
from pharo_practice.machine.machine import Machine
from pharo_practice.model.arithmetic import FAST
from pharo_practice.model.behavior import NO_SUPERINSTRUCTIONS, Operation

SHAPES = frozenset(
    tuple(line.split())
    for line in """\
send0 return
send0 pop
send0 jump_false
send0 store_temporary
send1 return
send1 jump_false
send1 pop
send1 store_temporary
send2 return
send2 pop
self send0
self send0 return
self send0 store_temporary
self send0 jump_false
self send0 jump_true
self send0 pop
self constant send1
self temporary send1
self temporary send1 store_temporary
self temporary send1 return
self temporary send1 pop
self constant send1 return
temporary send0
temporary send0 return
temporary send0 jump_false
temporary send0 jump_true
temporary send1
temporary send1 return
temporary send0 store_temporary
temporary constant send1
temporary temporary send1
temporary temporary send2
temporary temporary send2 return
slot send0
slot send0 return
slot send0 jump_false
slot send0 jump_true
slot temporary send1
slot temporary send1 return
slot temporary temporary send2 return
shared send0
slot temporary send1 pop
slot constant send1 pop
shared send0 store_temporary
shared temporary send1
shared temporary send1 return
computed store_temporary
computed jump_false
computed jump_true
computed return
temporary temporary computed
temporary temporary computed jump_false
temporary constant computed
temporary constant computed jump_false
temporary constant computed jump_true
temporary constant computed store_temporary
temporary constant computed store_temporary loop
slot constant computed
slot temporary computed
slot slot computed return
temporary return
constant return
temporary store_slot
constant store_temporary
constant store_slot
slot store_temporary
duplicate jump_not_nil
temporary duplicate jump_not_nil
slot duplicate jump_not_nil
pop return_self
temporary store_temporary
temporary constant
temporary temporary
slot temporary
self temporary
self temporary temporary
temporary temporary temporary
""".splitlines()
)
"""Those that are worth an operation: each takes a third of a millisecond when it is first needed.

They are the most frequent ones while the image answers requests; ``computed`` is any of the ``OPERATORS``.
"""
MOST_PUSHES = 3
COMPUTED = frozenset(OPERATORS.values())


def fuse(vm: Machine, instructions: list[Instruction], code: list[Operation]) -> dict[int, Operation]:
    """Replace the first operation of each sequence that has a superinstruction; return what they were."""
    single: dict[int, Operation] = {}
    entered: set[int] = set()
    pending = [1, *(int(each[-1]) for each in instructions if each[0] in JUMPS)]
    while pending:  # follows the code from where the machine may enter it
        start = pending.pop()
        if start in entered or start > len(instructions):
            continue
        entered.add(start)
        words = Sequence(vm, instructions, start).words
        pending += [start + max(1, len(words)), *(start + place for place in _returns(words))]
        if len(words) > 1:
            single[start], code[start] = code[start], _operation(vm, start, words, code[start])
    return single or NO_SUPERINSTRUCTIONS


class Word(NamedTuple):
    """One instruction of a sequence: its part of the shape, and its operands."""

    text: str
    operands: tuple[object, ...] = ()


def _returns(words: list[Word]) -> list[int]:
    """How far from the start a message that the sequence sends returns to."""
    return [place for place, word in enumerate(words, start=1) if word.text.startswith("send")]


def _operation(vm: Machine, start: int, words: list[Word], plain: Operation) -> Operation:
    """The operation of a sequence; methods share it unless operands are compared by their values."""
    shape = tuple(word.text for word in words)
    operands = tuple(operand for word in words for operand in word.operands)
    if not {"constant", "shared"}.isdisjoint(shape):
        return make(vm, shape)(plain, start, *operands)
    key = (start, *shape, *operands)
    return vm.operations.get(key) or vm.share(key, make(vm, shape)(plain, start, *operands))


class Sequence:
    """The longest sequence from one place that has a superinstruction."""

    def __init__(self, vm: Machine, instructions: list[Instruction], start: int) -> None:
        self.vm = vm
        self.instructions = instructions
        self.start = start
        self.words: list[Word] = []
        self._pushes()
        self._consumer()
        while self.words and tuple(_class_of(word.text) for word in self.words) not in SHAPES:
            self.words.pop()

    def _ahead(self, distance: int) -> Instruction:
        """What follows the sequence."""
        place = self.start - 1 + len(self.words) + distance
        return self.instructions[place] if place < len(self.instructions) else ("",)

    def _take(self, text: str, *operands: object) -> None:
        self.words.append(Word(text, operands))

    def _pushes(self) -> None:
        """Take what is pushed for the message that follows, or what has to be pushed before that."""
        run = 0
        while _is_push(self._ahead(run)):
            run += 1
        used = self._used(run)
        for _ in range(min(MOST_PUSHES, run if run <= used else run - used)):
            name, *operands = self._ahead(0)
            self._take(str(name), *operands[-1:])

    def _used(self, ahead: int) -> int:
        """How many of the values that are pushed last the instruction behind them uses."""
        name, *operands = self._ahead(ahead)
        if name == "send":
            return int(operands[1]) + 1
        return 1 if name in STORES or name in TESTS or name in ("return", "duplicate") else 0

    def _consumer(self) -> None:
        """Use what was pushed."""
        name, *operands = self._ahead(0)
        pushes = len(self.words)
        if name == "send" and pushes <= operands[1] + 1:
            self._message(operands[0], operands[1])
        elif name == "duplicate" and pushes <= 1 and self._ahead(1)[0] == "jump_not_nil":
            self._take("duplicate")
            self._take("jump_not_nil", self._ahead(0)[1])
        elif pushes == 1 and (name in STORES or name == "return"):
            self._take(str(name), *operands)
        elif name == "pop" and not pushes:
            self._take("pop")
            self._take(str(self._ahead(0)[0]))

    def _message(self, selector: str, count: int) -> None:
        """Compute or send, and use the result; not what the plain operation computes by itself."""
        if selector == "==" or (selector in OPERATORS and selector not in self.vm.redefined):
            self._take(OPERATORS[selector])
        elif selector not in FAST:
            self._take(f"send{count}", selector)
        else:
            return
        name, *operands = self._ahead(0)
        if name in TESTS or name in ("return", "store_temporary", "pop"):
            self._take(str(name), *operands)
        if name == "store_temporary" and self._ahead(0)[0] == "loop":
            self._take("loop", *self._ahead(0)[1:])


def _is_push(instruction: Instruction) -> bool:
    """Whether the instruction only pushes something that lies at hand."""
    return instruction[0] in PUSHES


def _class_of(word: str) -> str:
    return "computed" if word in COMPUTED else word
