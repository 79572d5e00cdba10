"""Primitives that step a suspended process: the active one executes an operation of its top context."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import SWITCH, PrimitiveFailed, primitive
from pharo_practice.machine.scheduler import SUSPENDED_CONTEXT
from pharo_practice.model.objects import DEAD, Code, CompiledMethod, Context, Value, new_context
from pharo_practice.primitives.contexts import is_last


@primitive("contextStep")
def _step(vm: Machine, receiver: Context) -> Value:
    """Execute the next operation of a context that does not run; answer the context that is then on top.

    The operation may switch processes: then the active one waits here, and the context that it stepped does
    not run in the meantime.
    """
    scheduler, here = vm.scheduler, vm.active
    stepper, outer = scheduler.active, scheduler.is_stepping
    if receiver is here or receiver.sender is DEAD or stepper is None:
        raise PrimitiveFailed
    vm.active, scheduler.is_stepping = receiver, True
    try:
        _execute_next(vm, receiver)
    except BaseException:
        vm.active = here
        raise
    finally:
        scheduler.is_stepping = outer
    if scheduler.active is stepper:
        top, vm.active = vm.active, here
        return top
    here.frame.append(stepper.fields[SUSPENDED_CONTEXT])
    stepper.fields[SUSPENDED_CONTEXT] = here
    return SWITCH


def _execute_next(vm: Machine, context: Context) -> None:
    """Execute one operation as the machine's loop does."""
    pc = context.pc
    try:
        following = context.method.code[pc](context, pc)
    except MemoryError:
        vm.continue_after(context, pc)
        vm.send(context, vm.classes["OutOfMemory"], "signal", [])
        return
    except Exception as error:  # noqa: BLE001
        vm.recover(context, pc, error)
        return
    if following:
        context.pc = following
    elif context.sender is DEAD and is_last(vm.active):
        _refuse_return(vm, context)


def _refuse_return(vm: Machine, context: Context) -> None:
    """Send ``cannotReturn:`` to the first context of a process, which has returned and would end it."""
    context.sender = vm.active
    vm.send(context, context, "cannotReturn:", [context.sender.frame.pop()])


@primitive("codeStopAt")
def _stop_at(vm: Machine, receiver: Code, pc: int) -> int:
    """1 if the operation sends, 2 if it returns, 3 if it assigns or makes a block, else 0."""
    if isinstance(receiver, CompiledMethod):
        vm.compile(receiver)
    if not 1 <= pc < len(receiver.step_kinds):
        raise PrimitiveFailed
    return receiver.step_kinds[pc]


# changing a context that does not run


@primitive("contextNew")
def _new(vm: Machine, _receiver: Value, sender: Value, receiver: Value, method: CompiledMethod) -> Context:
    """A context about to run a method, whose arguments are to be stored in it."""
    vm.compile(method)
    below = vm.bottom if sender is None else sender
    if type(below) is not Context:
        raise PrimitiveFailed
    return new_context(below, method, receiver, [None] * method.num_args)


@primitive("contextRefresh")
def _refresh(_vm: Machine, receiver: Context) -> Context:
    """Back to the beginning, keeping the arguments."""
    _begin(receiver)
    return receiver


def _begin(context: Context) -> None:
    context.frame[context.method.num_args :] = context.method.empty_temporaries
    context.pc = 1


@primitive("contextSetPc")
def _set_pc(_vm: Machine, receiver: Context, pc: int) -> Context:
    """Go on at another operation; the stack is left as it is."""
    if not 1 <= pc < len(receiver.method.code):
        raise PrimitiveFailed
    receiver.pc = pc
    return receiver


@primitive("contextPush")
def _push(_vm: Machine, receiver: Context, value: Value) -> Value:
    receiver.frame.append(value)
    return value


@primitive("contextPop")
def _pop(_vm: Machine, receiver: Context) -> Value:
    """Remove the topmost value from the stack, and answer it; fails where only variables are left."""
    if len(receiver.frame) <= receiver.method.num_args + len(receiver.method.empty_temporaries):
        raise PrimitiveFailed
    return receiver.frame.pop()
