"""JSON as text: set or remove one value, and keep all other text, comments and trailing commas included."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

STRING = r'("(?:\\.|[^"\\])*")'
COMMENT = re.compile(STRING + r"|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
TRAILING_COMMA = re.compile(STRING + r"|,(?=\s*[}\]])")
REST_OF_LINE = re.compile(r"(?:[ \t]|/\*[^\r\n]*?\*/)*(?://[^\r\n]*)?(?=\r?\n)")
COMMA = re.compile(r"\s*,")
SPACES = re.compile(r"[ \t]*")
DECODER = json.JSONDecoder()


class Member(NamedTuple):
    """A member of an object: its name, where its name and its value begin, and where it ends."""

    name: str
    start: int
    value: int
    end: int


class JsonText:
    """The text of a file; with `comments`, it may contain comments and trailing commas."""

    def __init__(self, text: str, *, comments: bool = False) -> None:
        self.text = text
        self.uncommented = COMMENT.sub(_blank, text) if comments else text
        self.plain = TRAILING_COMMA.sub(_blank, self.uncommented) if comments else text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        indentation = re.search(r"^([ \t]+)\"", text, re.MULTILINE)
        self.indent = indentation[1] if indentation else "  "

    def content(self) -> object:
        """The value in the text.

        Raises:
            ValueError: If it is not JSON.
        """
        content: object = json.loads(self.plain) if self.plain.strip() else {}
        return content

    def with_value(self, path: Sequence[str], value: object) -> str:
        """The text with a value at a path of names; objects on the way are added."""
        if not self.plain.strip():
            return self._rendered(_nested(path, value)) + self.newline
        start = end = self.plain.index("{")
        for depth, name in enumerate(path):
            members = self._members(start)
            if name not in members:
                return self._with_member(start, members, name, _nested(path[depth + 1 :], value))
            _, _, start, end = members[name]
        several_lines = "\n" in self.text[start:end]
        rendered = self._rendered(value, self._indentation(start), several_lines=several_lines)
        return _edited(self.text, (start, end, rendered))

    def without(self, path: Sequence[str]) -> str:
        """The text without the member at a path, which must be there."""
        start = self.plain.index("{")
        for name in path[:-1]:
            start = self._members(start)[name].value
        members = self._members(start)
        member = members.pop(path[-1])
        before = [one for one in members.values() if one.end < member.start]
        is_last = len(before) == len(members)
        comma = self._after_comma(member.end)
        cut = self._cut(member.start, comma or member.end, is_last=is_last)
        close = self._close(start)
        if not members and not (self.text[start + 1 : cut[0]] + self.text[cut[1] : close]).strip():
            return _edited(self.text, (start + 1, close, ""))
        if is_last and before and not comma:  # the member before is the last one now
            previous = self._after_comma(before[-1].end)
            return _edited(self.text, (previous - 1, previous, ""), (*cut, ""))
        return _edited(self.text, (*cut, ""))

    def _with_member(self, start: int, members: Mapping[str, Member], name: str, value: object) -> str:
        close = self._close(start)
        if not members:
            return self._with_first_member(start, close, name, value)
        last = max(members.values(), key=lambda member: member.end)
        several_lines = "\n" in self.text[start:close]
        indentation = self._indentation(last.start) if several_lines else ""
        separator = self.newline + indentation if several_lines else " "
        member = separator + self._rendered_member(name, value, indentation, several_lines=several_lines)
        comma = self._after_comma(last.end)
        rest = REST_OF_LINE.match(self.text, comma or last.end)
        place = rest.end() if rest else comma or last.end
        if comma:
            return _edited(self.text, (place, place, member + ","))
        return _edited(self.text, (last.end, last.end, ","), (place, place, member))

    def _with_first_member(self, start: int, close: int, name: str, value: object) -> str:
        several_lines = "\n" in self.text.strip() or start == self.plain.index("{")
        outer = self._indentation(start)
        member = self._rendered_member(name, value, outer + self.indent, several_lines=several_lines)
        if several_lines:
            member = f"{self.newline}{outer}{self.indent}{member}{self.newline}{outer}"
        comments_end = len(self.text[:close].rstrip())
        return _edited(self.text, (comments_end, close, member))

    def _members(self, start: int) -> dict[str, Member]:
        """The members of the object that begins there. Of several with one name the last counts."""
        members: dict[str, Member] = {}
        at = self._skip(start + 1)
        while self.plain[at] == '"':
            name, after = DECODER.raw_decode(self.plain, at)
            value = self._skip(self._skip(after) + 1)
            _, end = DECODER.raw_decode(self.plain, value)
            members[name] = Member(name, at, value, end)
            at = self._skip(end)
            at = self._skip(at + 1) if self.plain[at] == "," else at
        return members

    def _close(self, start: int) -> int:
        return DECODER.raw_decode(self.plain, start)[1] - 1

    def _skip(self, at: int) -> int:
        while self.plain[at] in " \t\r\n":
            at += 1
        return at

    def _after_comma(self, at: int) -> int:
        """The place after the comma that follows, a trailing one included; 0 if there is none."""
        comma = COMMA.match(self.uncommented, at)
        return comma.end() if comma else 0

    def _cut(self, start: int, end: int, *, is_last: bool) -> tuple[int, int]:
        """What to remove with a member: its line if it has one, else the spaces after or before it."""
        line = len(self.text[:start].rstrip(" \t"))
        rest = SPACES.match(self.text, end)
        after = rest.end() if rest else end
        if self.text[line - 1] == "\n" and self.text[after] in "\r\n}":
            return len(self.text[:line].removesuffix("\n").removesuffix("\r")), after
        return (line, end) if is_last else (start, after)

    def _indentation(self, at: int) -> str:
        """The spaces with which the line of a place begins."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _rendered_member(self, name: str, value: object, indentation: str, *, several_lines: bool) -> str:
        rendered = self._rendered(value, indentation, several_lines=several_lines)
        return f"{json.dumps(name, ensure_ascii=False)}: {rendered}"

    def _rendered(self, value: object, indentation: str = "", *, several_lines: bool = True) -> str:
        text = json.dumps(value, indent=self.indent if several_lines else None, ensure_ascii=False)
        return text.replace("\n", self.newline + indentation)


def _blank(found: re.Match[str]) -> str:
    """A string as it is; anything else as spaces, so that all places stay."""
    return found[0] if found[0].startswith('"') else re.sub(r"[^\r\n]", " ", found[0])


def _nested(path: Sequence[str], value: object) -> object:
    for name in reversed(path):
        value = {name: value}
    return value


def _edited(text: str, *edits: tuple[int, int, str]) -> str:
    """The text with parts replaced, given in order."""
    for start, end, replacement in reversed(edits):
        text = text[:start] + replacement + text[end:]
    return text
