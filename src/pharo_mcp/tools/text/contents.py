"""The contents that a tool of the image returned, cut into pages."""

from collections.abc import Iterator, Sequence

from pharo_mcp.image.replies.registrations import Block, Called

from .paging import part_of


def page_of(called: Called, offset: int, length: int) -> tuple[Called, str | None]:
    """Return one page of the contents, and a line on which part it is unless it is all.

    All texts are counted as one text. Content that is not text is whole, on the first page.
    """
    blocks = blocks_of(called)
    shown = tuple(_shown(blocks, offset, length))
    whole, part = _length(blocks), _length(shown)
    if part == whole:
        return called, None
    page = called._replace(contents=shown, messages=())
    return page, part_of(offset, part, whole, called.evaluation)


def blocks_of(called: Called) -> tuple[Block, ...]:
    """Return the contents of a tool or resource, or the messages of a prompt."""
    return called.contents or tuple(message.content for message in called.messages)


def _shown(blocks: Sequence[Block], offset: int, length: int) -> Iterator[Block]:
    first, last = offset, offset + length
    for block in blocks:
        if block.text:
            text = block.text[max(0, first) : max(0, last)]
            first, last = first - len(block.text), last - len(block.text)
            if text:
                yield block._replace(text=text)
        elif not offset:
            yield block


def _length(blocks: Sequence[Block]) -> int:
    return sum(len(block.text or "") for block in blocks)
