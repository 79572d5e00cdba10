"""What a tool of the image answered: as much of its texts as fits into an answer, and how to read on."""

from collections.abc import Iterator, Sequence

from pharo_mcp.image import Block, Called

from .paging import part_of


def page_of(called: Called, offset: int, most: int) -> tuple[Called, str | None]:
    """That page of it, and which one it is, if not all there is.

    All its texts count as one. What is no text is whole, on the first page.
    """
    blocks = blocks_of(called)
    shown = tuple(_shown(blocks, offset, most))
    whole, part = _length(blocks), _length(shown)
    if part == whole:
        return called, None
    page = called._replace(contents=shown, messages=())
    return page, part_of(offset, part, whole, called.evaluation)


def blocks_of(called: Called) -> tuple[Block, ...]:
    """What a tool or a resource answered, or the messages of a prompt."""
    return called.contents or tuple(said.content for said in called.messages)


def _shown(blocks: Sequence[Block], offset: int, most: int) -> Iterator[Block]:
    first, last = offset, offset + most
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
