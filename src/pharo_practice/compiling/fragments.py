"""Pieces of the Python source of superinstructions; words in braces stand for what differs."""

from __future__ import annotations

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
PUSHES = {
    "self": "context.receiver",
    "context": "context",
    "temporary": "frame[{}]",
    "slot": "context.receiver.fields[{}]",
    "constant": "{}",
    "shared": "{}.fields[1]",
}
"""The Python expression that each instruction which only pushes evaluates."""

CLASS_OF_OBJECT = "{0}.cls"
CLASS_OF_ANY = "({0}.cls if type({0}) not in NATIVE_TYPES else native_class({0}))"
SEND = """\
context.pc = {following}
try:
    method = {cls}.cache[{selector}]
except UNKNOWN:
    method = lookup(class_of({receiver}), {selector})
    if method is None:
        return vm.not_understood(context, {receiver}, {selector}, [{arguments}])
primitive = method.primitive
if primitive is None:
    new = Context()
    new.sender = context
    new.method = method
    new.receiver = {receiver}
    new.frame = {frame}
    new.closure = None
    new.pc = 1
    vm.active = new
    return 0
try:
    {result} = primitive(vm, {values})
except PRIMITIVE_ERRORS as error:
    return vm.primitive_failed(error, context, method, {receiver}, [{arguments}])
if {result} is SWITCH:
    return 0
"""
RETURN = """\
sender = context.sender
context.sender = DEAD
sender.frame.append({value})
vm.active = sender
return 0
"""
CLOSURE = """\
{value} = {kind}()
{value}.body = {body}
{value}.outer = context
{value}.receiver = context.receiver
"""
STORE_SLOT = """\
try:
    context.receiver.fields[{index}] = {value}
except TypeError:
"""
