"""Running Smalltalk from Python: evaluations in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pharo_standin.code import DEAD, CompiledMethod, Context, new_context
from pharo_standin.compilation import SourceError, compile_source, parse
from pharo_standin.machine import Machine
from pharo_standin.objects import Behavior, Pointers, Value, class_of
from pharo_standin.scheduler import PRIORITY, SUSPENDED_CONTEXT, Finished

USER_PRIORITY = 40


@dataclass
class EvaluationFailed(Exception):
    """Source that could not be run; the text says why."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def evaluate(
    vm: Machine,
    source: str,
    *,
    receiver: Value = None,
    bindings: Mapping[str, Pointers] | None = None,
    turns: int | None = None,
) -> Value:
    """The value of the last expression, run as a process of the user's priority.

    ``turns`` bounds it to so many quanta of the machine (``OutOfTurns``).

    Raises:
        EvaluationFailed: If the source has errors, undeclared variables among them.
    """
    cls = class_of(receiver)
    parsed = parse(vm, source, cls=cls, is_doit=True, bindings=bindings)
    errors = [notice for notice in parsed.notices if notice.is_error]
    if errors:
        raise EvaluationFailed(f"{errors[0].message} (at position {errors[0].position})")
    try:
        method = compile_source(vm, source, cls=cls, is_doit=True, parsed=parsed)
    except SourceError as error:
        raise EvaluationFailed(str(error)) from error
    return run_method(vm, method, receiver, [], turns=turns)


def send_to_class(vm: Machine, behavior: Behavior, selector: str) -> Value:
    """Send a unary message to a class, in a process of its own."""
    method = vm.lookup(behavior.cls, selector)
    assert method is not None  # noqa: S101
    return run_method(vm, method, behavior, [])


def run_method(
    vm: Machine,
    method: CompiledMethod,
    receiver: Value,
    arguments: list[Value],
    *,
    turns: int | None = None,
) -> Value:
    """Run a method to its end in a process of its own, and others while it waits."""
    scheduler = vm.scheduler
    process = new_process(vm, new_context(_last_context(), method, receiver, arguments))
    scheduler.turns = turns
    scheduler.active = None
    scheduler.make_ready(process)
    scheduler.switch()
    try:
        vm.run()
    except Finished as finished:
        return finished.value
    except BaseException:
        scheduler.active = None  # whoever ended or overran the evaluation must not go on in the next one
        raise
    finally:
        scheduler.turns = None
        scheduler.abandon(process)


def new_process(vm: Machine, context: Context) -> Pointers:
    """A Process about to run ``context``."""
    cls = vm.classes["Process"]
    process = Pointers(cls, [None] * cls.instance_size)
    process.fields[SUSPENDED_CONTEXT] = context
    process.fields[PRIORITY] = USER_PRIORITY
    return process


def _last_context() -> Context:
    """The sender of an evaluation's first context: hands the value to Python."""
    method = CompiledMethod("", "", None)  # type: ignore[arg-type]
    method.code = [_finish, _finish]
    return new_context(DEAD, method, None, [])


def _finish(context: Context) -> int:
    raise Finished(context.frame.pop())


def display_string(vm: Machine, value: Value) -> str:
    """What ``displayString`` answers, on one line."""
    method = vm.lookup(class_of(value), "displayString")
    assert method is not None  # noqa: S101
    text = vm.text(run_method(vm, method, value, []))
    return " ".join(text.splitlines())


def run_until(vm: Machine, is_done: Callable[[], bool]) -> None:
    """Run every process until ``is_done`` answers true; it is asked whenever the machine looks up."""
    vm.scheduler.is_done = is_done
    vm.scheduler.switch()
    try:
        vm.run()
    except Finished:
        vm.scheduler.step_aside()
    finally:
        vm.scheduler.is_done = None
