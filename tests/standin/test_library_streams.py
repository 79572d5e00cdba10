"""What the practice image's streams answer, as Pharo prints it."""

from __future__ import annotations

import pytest

from standin_evaluation import Printing, Signalling

READING = [
    ("'hello' readStream next", "$h"),
    ("('hello' readStream next: 2)", "'he'"),
    ("'hello' readStream next; next; upToEnd", "'llo'"),
    ("'hello world' readStream upTo: $ ", "'hello'"),
    ("('hello world' readStream upTo: $ ; upToEnd)", "'world'"),
    ("'a,b;c' readStream upToAnyOf: ',;'", "'a'"),
    ("'one--two' readStream upToAll: '--'", "'one'"),
    ("('one--two' readStream upToAll: '--'; upToEnd)", "'two'"),
    ("'hello' readStream peek", "$h"),
    ("'hello' readStream peek; next", "$h"),
    ("'hello' readStream skip: 2; next", "$l"),
    ("'hello' readStream position: 4; next", "$o"),
    ("'hello' readStream next; position", "1"),
    ("'hello' readStream next; reset; next", "$h"),
    ("'hello' readStream atEnd", "false"),
    ("'' readStream next", "nil"),
    ("'hello' readStream peekFor: $h", "true"),
    ("'hello' readStream peekFor: $x", "false"),
    ("'  x' readStream skipSeparators; next", "$x"),
    ("'abc' readStream skipTo: $b; next", "$c"),
    ("'abc' readStream next; peekBack", "$a"),
    ("('a' , String crlf , 'b') readStream nextLine; nextLine", "'b'"),
    ("'' readStream nextLine", "nil"),
    ("'abc' readStream upTo: $z", "'abc'"),
    ("#(1 2 3) readStream next; next", "2"),
    ("(#(1 2 3 4) readStream next: 3)", "#(1 2 3)"),
    ("#[1 2 3] readStream upToEnd", "#[1 2 3]"),
    ("(#[1 2 3] readStream nextNumber: 2)", "258"),
    ("(ReadStream on: 'abcdef' from: 2 to: 4) upToEnd", "'bcd'"),
    ("Array streamContents: [ :s | #(1 2) readStream do: [ :each | s nextPut: each * 2 ] ]", "#(2 4)"),
    ("'abc' readStream size", "3"),
    ("'abcabc' readStream match: 'ca'; upToEnd", "'bc'"),
]

WRITING = [
    ("String streamContents: [ :s | s << 'x = '; print: 42 ]", "'x = 42'"),
    ("String streamContents: [ :s | s << 42 printString; space; << #sym; tab; nextPut: $! ]", "'42 sym\t!'"),
    ("String streamContents: [ :s | #(1 2) do: [ :e | s print: e ] separatedBy: [ s << ', ' ] ]", "'1, 2'"),
    ("String streamContents: [ :s | s cr; lf; crlf ]", "'\r\n\r\n'"),
    ("String streamContents: [ :s | s nextPutAll: 'abc' ; next: 2 put: $z ]", "'abczz'"),
    ("String streamContents: [ :s | s next: 2 putAll: 'hello' startingAt: 2 ]", "'el'"),
    ("String streamContents: [ :s | 1000 timesRepeat: [ s << 'ab' ] ] limitedTo: 5", "'ababa'"),
    ("(String streamContents: [ :s | 1000 timesRepeat: [ s << 'ab' ] ]) size", "2000"),
    ("Array streamContents: [ :s | s nextPut: 1; nextPut: nil ]", "#(1 nil)"),
    ("OrderedCollection streamContents: [ :s | s nextPut: 1 ]", "an OrderedCollection(1)"),
    ("Symbol streamContents: [ :s | s << 'abc' ]", "#abc"),
    ("ByteArray streamContents: [ :s | s nextPut: 1; nextPutAll: #[2 3] ]", "#[1 2 3]"),
    ("(WriteStream on: String new) << 'abc'; contents", "'abc'"),
    ("(WriteStream with: 'abc') << 'def'; contents", "'abcdef'"),
    ("(WriteStream on: (String new: 100)) << 'abc'; position", "3"),
    ("(ReadWriteStream on: String new) << 'abc'; reset; next", "$a"),
    ("(ReadWriteStream on: String new) << 'abc'; reset; upToEnd", "'abc'"),
    ("(ReadWriteStream with: 'abc') << 'd'; contents", "'abcd'"),
    ("String streamContents: [ :s | s << 'abc'; store: 'it''s' ]", "'abc''it''''s'''"),
    ("String streamContents: [ :s | 'abc' putOn: s. $d putOn: s ]", "'abcd'"),
    ("String streamContents: [ :s | s << 'a b'; ensureASpace; ensureASpace; << 'c' ]", "'a b c'"),
    ("(WriteStream on: #()) nextPut: 3; nextPut: 4; contents", "#(3 4)"),
]


@pytest.mark.parametrize(("expression", "printed"), READING)
def test_a_stream_reads_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), WRITING)
def test_a_stream_writes_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


def test_a_stream_cannot_be_positioned_outside_of_its_collection(signalling: Signalling) -> None:
    assert signalling("'abc' readStream position: 9") == (
        "Error",
        "Attempt to set the position of a PositionableStream out of bounds",
    )
