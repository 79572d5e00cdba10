"""Messages: whether anybody implements the selector, and whether a known receiver understands it."""

from pharo_api.classes import Side
from pharo_api.context import Context
from pharo_api.problems import Problem, Severity, error, warning
from pharo_api.receivers import Certainty, Receiver, answer
from pharo_api.suggestions import suggestion
from pharo_api.syntax_tree import Message

OPEN_ENDED = frozenset(
    {
        "ProtoObject",
        "Object",
        "Behavior",
        "ClassDescription",
        "Class",
        "Metaclass",
        "TraitedMetaclass",
        "TraitedClass",
    }
)
"""Classes so general that what is known to be of their kind may understand anything."""


def check_send(context: Context, message: Message, receiver: Receiver | None) -> Receiver | None:
    """Check a message; answers what is known of its answer."""
    version, selector = context.version, message.selector
    if selector in context.allowed:
        return None
    if selector not in version.selectors:
        context.report(
            error(
                message.position,
                f"nobody implements #{selector}",
                lambda: suggestion(selector, version.selectors),
            )
        )
        return None
    if receiver is None:
        check_implementors(context, message)
        return None
    check_understood(context, message, receiver)
    return answer(version, receiver, selector, context.method.owner)


def check_implementors(context: Context, message: Message) -> None:
    """Check who implements a selector that is sent to an unknown receiver."""
    selector = message.selector
    if selector in context.version.only_in_tests:
        only = f"only classes of tests and examples implement #{selector}"
        context.report(warning(message.position, only))
    elif selector in context.version.deprecated:
        context.report(warning(message.position, f"#{selector} is deprecated by all who implement it"))


def check_understood(context: Context, message: Message, receiver: Receiver) -> None:
    """Check that a known receiver understands a selector."""
    version, selector, name = context.version, message.selector, receiver.name
    understood = version.understood(name, receiver.side)
    if selector in understood.selectors:
        check_deprecated(context, message, receiver)
        return
    if not understood.is_complete or not context.allowed.isdisjoint({name, f"{receiver.label}>>{selector}"}):
        return
    if receiver.certainty is Certainty.KIND and may_be_below(context, message, receiver):
        return
    is_approximate = any(info.origin.endswith("~") for info in version.chain(name).classes)
    context.report(
        Problem(
            message.position,
            Severity.WARNING if is_approximate else Severity.ERROR,
            f"{receiver.label} does not understand #{selector}",
            lambda: suggestion(selector, understood.selectors),
        )
    )


def may_be_below(context: Context, message: Message, receiver: Receiver) -> bool:
    """Whether the receiver may be of a subclass that understands the selector."""
    version, name = context.version, receiver.name
    if receiver.side is Side.INSTANCE and name in OPEN_ENDED:
        return True
    if message.selector not in version.below(name, receiver.side):
        return False
    if name in version.own and name == context.method.owner:
        context.report(warning(message.position, f"only subclasses of {name} implement #{message.selector}"))
    return True


def check_deprecated(context: Context, message: Message, receiver: Receiver) -> None:
    """Check that the method found is not deprecated."""
    found = context.version.implementor(receiver.name, receiver.side, message.selector)
    if found is None or found[0] == context.method.owner:
        return
    name, side = found
    if message.selector in context.version.classes[name].deprecated[side]:
        old = f"{side.of(name)}>>#{message.selector} is deprecated"
        context.report(warning(message.position, old))
