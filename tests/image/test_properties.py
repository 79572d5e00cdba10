"""Whatever an image replies is an outcome, or an error that is told."""

from hypothesis import given, settings
from hypothesis import strategies as st

from image.servers import client_at, companion
from pharo_mcp.image.errors import ImageError

OUTER = ["ok", "value", "error", "kind", "messageText", "stack", "line", "column", "sourceLine", "near"]
INNER = ["printString", "className", "evaluation", "running", "elapsed", "warnings", "transcript", "length"]
KEYS = st.sampled_from([*OUTER, *INNER])
KINDS = ["exception", "syntax", "timeout", "busy", "internal", "unauthorized", "badRequest", "unknownClass"]
LEAVES = st.none() | st.booleans() | st.integers(-2, 10) | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    LEAVES | st.sampled_from(KINDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=10,
)
VALUES = st.fixed_dictionaries(
    {"printString": st.text(max_size=5), "className": st.text(max_size=5)},
    optional={"evaluation": st.text(max_size=5), "length": JSON, "transcript": JSON, "running": JSON},
)
ERRORS = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | st.text(max_size=5), "messageText": st.text(max_size=5)},
    optional={"stack": JSON, "line": JSON, "column": JSON, "sourceLine": JSON, "near": JSON},
)
REPLIES = (
    st.fixed_dictionaries({"ok": st.just(True), "value": VALUES | JSON}, optional={"warnings": JSON})
    | st.fixed_dictionaries({"ok": st.just(False), "error": ERRORS | JSON}, optional={"warnings": JSON})
    | st.dictionaries(KEYS, JSON, max_size=4)
)
STATUSES = st.sampled_from([200, 400, 401, 403, 404, 500, 503])


@settings(deadline=None, derandomize=True, max_examples=100)
@given(STATUSES, REPLIES)
def test_any_reply_is_an_outcome_or_a_reported_error(status: int, reply: dict[str, object]) -> None:
    with companion(evaluate=lambda _: (status, reply)) as image, client_at(image.address) as client:
        try:
            told = client.evaluate("x").__class__.__name__
        except ImageError as error:
            told = error.message
    assert told
