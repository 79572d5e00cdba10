"""Primitives of contexts: senders, handlers, unwind blocks, temporaries, and the source that they execute."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, SWITCH, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import DEAD, Code, CompiledMethod, Context, Pointers, SourceRange, Value

CONTEXT: dict[str, Primitive] = {
    "contextNodePosition": lambda vm, context: _position(vm, current_source_range(context)),
    "codeNodePosition": lambda vm, context, pc: _position(vm, _source_range_at(context, pc)),
    "contextCaller": lambda _vm, context: None if context.sender is DEAD else context.sender,
    "contextReceiver": lambda _vm, context: context.receiver,
    "contextMethod": lambda _vm, context: context.method,
    "contextHomeMethod": lambda _vm, context: context.home_method,
    "contextHome": lambda _vm, context: context.home,
    "contextClosure": lambda _vm, context: context.closure,
    "contextPc": lambda _vm, context: None if context.sender is DEAD else context.pc,
    "contextIsDead": lambda _vm, context: context.sender is DEAD and (not is_last(context)),
    "contextNumTemps": lambda _vm, context: context.method.num_args + len(context.method.empty_temporaries),
    "contextStops": lambda _vm, context: bool(context.method.step_kinds[context.pc]),
    "contextStackPtr": lambda _vm, context: len(context.frame),
    "contextMark": lambda _vm, context: context.method.primitive_number,
    "contextHasSender": lambda _vm, context, sought: _has_sender(context, sought),
    "contextTempNames": lambda vm, context: vm.array(
        [vm.string(name) for name in reversed(_temporaries(context))]
    ),
}
"""What a context is asked for, and knows."""

PRIMITIVES.update(CONTEXT)


def _position(vm: Machine, source_range: SourceRange | None) -> Value:
    return None if source_range is None else vm.array(list(source_range))


def current_source_range(context: Context) -> SourceRange | None:
    """The source that a context is executing, or that the message belongs to whose answer it waits for."""
    has_jumped = context.pc in context.method.loops
    return _source_range_at(context.method, context.pc if has_jumped else context.pc - 1)


def _source_range_at(code: Code, pc: int) -> SourceRange | None:
    """The source of an operation, if it has some."""
    start, stop = code.source_ranges[2 * pc : 2 * pc + 2] or (0, 0) if pc >= 0 else (0, 0)
    return (start, stop) if start else None


UNWIND, HANDLER = 198, 199


def is_last(context: Context) -> bool:
    """Whether this is the machine's own context at the bottom of a process, hidden from Smalltalk."""
    return isinstance(context.method, CompiledMethod) and not context.method.selector


@primitive("contextSender")
def _context_sender(_vm: Machine, receiver: Context) -> Context | None:
    sender = receiver.sender
    return None if sender is DEAD or is_last(sender) else sender


@primitive("contextTempAt")
def _context_temp_at(_vm: Machine, receiver: Context, index: int) -> Value:
    if not 1 <= index <= len(receiver.frame):
        raise PrimitiveFailed
    return receiver.frame[index - 1]


@primitive("contextTempAtPut")
def _context_temp_at_put(_vm: Machine, receiver: Context, index: int, value: Value) -> Value:
    if not 1 <= index <= len(receiver.frame):
        raise PrimitiveFailed
    receiver.frame[index - 1] = value
    return value


@primitive("contextFindMarked")
def _context_find_marked(vm: Machine, receiver: Context) -> Value:
    """The receiver, or the nearest sender, that handles or signals exceptions."""
    context = receiver
    while context.method.primitive_number != HANDLER:
        context = context.sender
        if context is DEAD:
            return None
    return context


@primitive("contextFindUnwind")
def _context_find_unwind(_vm: Machine, receiver: Context, limit: Value) -> Value:
    """The nearest sender below ``limit`` with an unwind block."""
    context = receiver.sender
    while context is not limit and context is not DEAD:
        if context.method.primitive_number == UNWIND:
            return context
        context = context.sender
    return None


@primitive("contextTerminateTo")
def _context_terminate_to(vm: Machine, receiver: Context, previous: Value) -> Value:
    """Let the receiver return to ``previous``, and terminate the contexts between them."""
    below = vm.bottom if previous is None else previous
    between = receiver.sender
    if previous is None or _has_sender(receiver, previous):
        while between is not previous and between is not DEAD:
            if between is below:
                break
            between.sender, between = DEAD, between.sender
    else:
        _check_no_circle(receiver, below)
    receiver.sender = below
    return receiver


def _has_sender(context: Context, sought: Context) -> bool:
    while context is not DEAD:
        context = context.sender
        if context is sought:
            return True
    return False


@primitive("contextSetSender")
def _context_set_sender(vm: Machine, receiver: Context, sender: Value) -> Value:
    below = vm.bottom if sender is None else sender
    _check_no_circle(receiver, below)
    receiver.sender = below
    return receiver


def _check_no_circle(context: Context, sender: Value) -> None:
    """Fail for a cycle of senders, in which the search for a handler would never end."""
    if type(sender) is not Context or sender is context or _has_sender(sender, context):
        raise PrimitiveFailed


@primitive("contextInsertSender")
def _context_insert_sender(_vm: Machine, receiver: Context, inserted: Context) -> Value:
    """Put a context and its senders between the receiver and its sender."""
    last = inserted
    while last.sender is not DEAD and not is_last(last.sender):
        last = last.sender
    _check_no_circle(inserted, receiver)
    _check_no_circle(last, receiver.sender)
    last.sender = receiver.sender
    receiver.sender = inserted
    return last


@primitive("contextRestart")
def _context_restart(vm: Machine, receiver: Context, subject: Value) -> Value:
    """Restart a context; an ``on:do:`` may evaluate another block this time."""
    if receiver.sender is DEAD:
        raise PrimitiveFailed
    receiver.receiver = subject
    del receiver.frame[receiver.method.num_args :]
    receiver.frame += receiver.method.empty_temporaries
    receiver.pc = 1
    vm.active = receiver
    return SWITCH


@primitive("contextJump")
def _context_jump(vm: Machine, receiver: Context) -> Value:
    """Continue in the receiver; the active context is abandoned."""
    if receiver.sender is DEAD:
        raise PrimitiveFailed
    vm.active = receiver
    return SWITCH


# temporaries by name


@primitive("contextTempNamed")
def _context_temp_named(vm: Machine, receiver: Context, name: Value) -> Value:
    """The value of an argument or temporary; fails where the code has none of this name."""
    context, index = _temporaries(receiver)[text_of(name)]
    return context.frame[index]


@primitive("contextTempNamedPut")
def _context_temp_named_put(vm: Machine, receiver: Context, name: Value, value: Value) -> Value:
    context, index = _temporaries(receiver)[text_of(name)]
    context.frame[index] = value
    return value


@primitive("contextTempBinding")
def _context_temp_binding(vm: Machine, receiver: Context, name: Value) -> Pointers:
    """A binding that stands for an argument or temporary; fails where the code has none of this name."""
    context, index = _temporaries(receiver)[text_of(name)]
    return Pointers(vm.classes["AdditionalBinding"], _TemporaryFields(name, context, index))


class _TemporaryFields(list[Value]):
    """The key and value of a binding whose value is in the frame of a context."""

    def __init__(self, key: Value, context: Context, index: int) -> None:
        super().__init__([key, None])
        self.context = context
        self.frame_index = index

    def __getitem__(self, field: object) -> Value:
        return self.context.frame[self.frame_index] if field == 1 else self.copy()[0]

    def __setitem__(self, field: object, value: Value) -> None:
        self.context.frame[self.frame_index] = value


def _temporaries(context: Context) -> dict[str, tuple[Context, int]]:
    """The frame and index of each variable, the nearest first."""
    found: dict[str, tuple[Context, int]] = {}
    position, _ = current_source_range(context) or (1, 1)
    while True:
        for name, index, (start, stop) in context.method.temporaries:
            if start <= position <= stop:
                found.setdefault(name, (context, index))
        if context.closure is None:
            return found
        position, _ = context.closure.body.source_range
        context = context.closure.outer
