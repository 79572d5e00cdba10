"""The machine: its loop runs operations and checks clocks, descriptors and limits in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from pharo_practice.machine.interpreter import Interpreter, log_error
from pharo_practice.machine.limits import Limits
from pharo_practice.machine.scheduler import Finished, NothingToRun, OutOfTurns, Scheduler
from pharo_practice.model.objects import CompiledMethod, Context, Operation

QUANTUM = 1_000
"""Activations, returns and backward jumps between two polls."""

MOST_SHARED = 50_000
"""Operations that are kept to be shared; those that are forgotten stay with their methods."""

BROKEN = "The practice image could not go on here (its log says why; Pharo may)"


class Machine(Interpreter):
    """Everything that runs Smalltalk. ``image.boot`` makes one and fills it with the kernel."""

    def __init__(self, compile_lazily: Callable[[Machine, CompiledMethod], None]) -> None:
        super().__init__()
        self.compile_lazily = compile_lazily
        """The compiler, which is built on the machine: it gives a method its code."""
        self.scheduler = Scheduler(self)
        self.timers_and_io = self.scheduler.timers_and_io
        self.limits = Limits(self, self.scheduler)
        self.operations: dict[tuple[object, ...], Operation] = {}
        """Those that methods share."""
        self.image_name = "practice"
        """What its file would be called, had it one."""

    def compile(self, method: CompiledMethod) -> None:
        """See ``ObjectMemory.compile``."""
        if not method.is_compiled:
            self.compile_lazily(self, method)

    def share(self, key: tuple[object, ...], operation: Operation) -> Operation:
        """Let methods share an operation, found by its function and operands."""
        if len(self.operations) >= MOST_SHARED:
            self.operations.clear()
        self.operations[key] = operation
        return operation

    # running

    def run(self) -> NoReturn:
        """Run operations until one ends the loop with ``Finished``, or there is nothing to run."""
        context, code, pc = self.active, self.active.method.code, self.active.pc
        while True:
            try:
                while True:
                    self.poll()  # here, since an exception also ends the quantum
                    self.quantum = iter(range(QUANTUM))
                    for _ in self.quantum:
                        context = self.active
                        code = context.method.code
                        pc = context.pc
                        while pc:
                            pc = code[pc](context, pc)
            except (Finished, NothingToRun, OutOfTurns):
                raise
            except MemoryError:
                self.continue_after(context, pc)
                self.send(context, self.classes["OutOfMemory"], "signal", [])
            except Exception as error:  # noqa: BLE001
                self.recover(context, pc, error)

    def poll(self) -> None:
        """Check clocks, descriptors and limits, between two quanta of work."""
        self.scheduler.look()
        self.limits.check()
        self.scheduler.end_turn()

    def recover(self, context: Context, pc: int, error: Exception) -> None:
        """Turn an unexpected Python exception into a Smalltalk one in the process that met it."""
        if self.raises_bugs:
            raise error
        log_error(__name__, "the practice image failed in %s", context.home_method.selector, cause=error)
        self.continue_after(context, pc)
        self.send(context, self.classes["PrimitiveFailed"], "signal:", [self.string(BROKEN)])
