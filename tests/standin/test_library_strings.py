"""What the practice image's strings, symbols and characters answer, as Pharo prints it."""

from __future__ import annotations

import pytest

from standin_evaluation import Printing, Signalling

CHARACTERS = [
    ("$a", "$a"),
    ("Character space", "Character space"),
    ("Character cr", "Character cr"),
    ("Character value: 0", "Character null"),
    ("Character value: 6", "Character value: 6"),
    ("Character value: 233", "$é"),
    ("$a asInteger", "97"),
    ("$a asUppercase", "$A"),
    ("$Ä asLowercase", "$ä"),
    ("$a < $b", "true"),
    ("$a isVowel", "true"),
    ("$é isLetter", "true"),
    ("$5 isDigit", "true"),
    ("$F digitValue", "15"),
    ("Character digitValue: 11", "$B"),
    ("$_ isAlphaNumeric", "false"),
    ("Character tab isSeparator", "true"),
    ("$a asString", "'a'"),
    ("$a asSymbol", "#a"),
    ("($a to: $e)", "#($a $b $c $d $e)"),
    ("$a == $a", "true"),
    ("$+ isSpecial", "true"),
    ("$a storeString", "'$a'"),
]

STRINGS = [
    ("'text'", "'text'"),
    ("'it''s'", "'it''s'"),
    ("'it''s' size", "4"),
    ("'it''s' displayString", "'it''s'"),
    ("'abc' first", "$a"),
    ("'abc' at: 2", "$b"),
    ("'abc' copy at: 1 put: $x; yourself", "'xbc'"),
    ("'abc' , 'def'", "'abcdef'"),
    ("'abc' reversed", "'cba'"),
    ("'hello' asUppercase", "'HELLO'"),
    ("'HÉLLO' asLowercase", "'héllo'"),
    ("'hello world' capitalized", "'Hello world'"),
    ("'Hello' uncapitalized", "'hello'"),
    ("'abc' = 'abc'", "true"),
    ("'abc' = #abc", "true"),
    ("#abc = 'abc'", "true"),
    ("'abc' == 'abc' copy", "false"),
    ("'abc' = 'ABC'", "false"),
    ("'abc' sameAs: 'ABC'", "true"),
    ("'abc' = #[97 98 99]", "false"),
    ("'abc' hash = #abc hash", "true"),
    ("'abc' < 'abd'", "true"),
    ("'B' < 'a'", "true"),
    ("'b' caseInsensitiveLessOrEqual: 'C'", "true"),
    ("'abc' compare: 'abd'", "1"),
    ("'hello' includesSubstring: 'ell'", "true"),
    ("'hello' includesSubstring: 'ELL' caseSensitive: false", "true"),
    ("'hello' beginsWith: 'he'", "true"),
    ("'hello' endsWith: 'lo'", "true"),
    ("'hello' indexOf: $l", "3"),
    ("'hello' indexOf: $z", "0"),
    ("'hello' findString: 'l' startingAt: 4", "4"),
    ("'hello' occurrencesOf: $l", "2"),
    ("'hello' asSet size", "4"),
    ("'hello' asBag occurrencesOf: $l", "2"),
    ("'hello' copyReplaceAll: 'l' with: 'LL'", "'heLLLLo'"),
    ("'hello' copyFrom: 2 to: 4", "'ell'"),
    ("'hello world' copyUpTo: $ ", "'hello'"),
    ("'a.b.c' copyAfterLast: $.", "'c'"),
    ("'a.b.c' copyUpToLast: $.", "'a.b'"),
    ("'hello' first: 2", "'he'"),
    ("'hello' last: 2", "'lo'"),
    ("'hello' allButFirst", "'ello'"),
    ("'hello' allButLast: 2", "'hel'"),
    ("'  padded ' trimBoth", "'padded'"),
    ("'  padded ' trimLeft", "'padded '"),
    ("'  padded ' trimRight", "'  padded'"),
    ("'xxabxx' trimBoth: [ :c | c = $x ]", "'ab'"),
    ("'a b  c' substrings", "#('a' 'b' 'c')"),
    ("'a,b;c' substrings: ',;'", "#('a' 'b' 'c')"),
    ("'a,b,,c' findTokens: ','", "an OrderedCollection('a' 'b' 'c')"),
    ("'a+b' findTokens: '+' keep: '+'", "an OrderedCollection('a' '+' 'b')"),
    ("'a,b,,c' splitOn: ','", "an OrderedCollection('a' 'b' '' 'c')"),
    ("$, split: 'a,b'", "an OrderedCollection('a' 'b')"),
    ("', ' join: #('a' 'b' 'c')", "'a, b, c'"),
    ("(String lf join: #('a' 'b')) lines", "#('a' 'b')"),
    ("('a' , String crlf , 'b' , String cr , 'c') lines size", "3"),
    ("('a' , String crlf , 'b') withUnixLineEndings size", "3"),
    ("('a' , String lf , 'b') withInternalLineEndings = ('a' , String cr , 'b')", "true"),
    ("('a' , String lf , 'b') lineCount", "2"),
    ("'abc' asSymbol", "#abc"),
    ("'abc def' asSymbol", "#'abc def'"),
    ("'at:put:' asSymbol", "#at:put:"),
    ("'at:put:' numArgs", "2"),
    ("'+' numArgs", "1"),
    ("'abc def' numArgs", "-1"),
    ("'at:put:' keywords", "#('at:' 'put:')"),
    ("'42' asInteger", "42"),
    ("'abc 42 def' asInteger", "42"),
    ("'abc' asInteger", "nil"),
    ("'-7' asInteger", "-7"),
    ("'42' asNumber", "42"),
    ("'3.14' asNumber", "3.14"),
    ("'16r1F' asNumber", "31"),
    ("'1e3' asNumber", "1000"),
    ("'abc' asArray", "#($a $b $c)"),
    ("'abc' asByteArray", "#[97 98 99]"),
    ("'cab' sorted", "'abc'"),
    ("'cab' asSortedCollection", "a SortedCollection($a $b $c)"),
    ("'abc' collect: #asUppercase", "'ABC'"),
    ("'a1b2' select: #isDigit", "'12'"),
    ("'abc' detect: [ :c | c > $a ]", "$b"),
    ("'abc' inject: '' into: [ :all :c | all , c asString , '-' ]", "'a-b-c-'"),
    ("'abc' asOrderedCollection", "an OrderedCollection($a $b $c)"),
    ("'{1} is {2}' format: { 'x'. 42 }", "'x is 42'"),
    ("'{name}!' format: { 'name' -> 'Ada' } asDictionary", "'Ada!'"),
    ("'\\{1}' format: #(1)", "'{1}'"),
    ("'<1p> and <2s>' expandMacrosWith: 42 with: 'text'", "'42 and text'"),
    ("'<1?yes:no>' expandMacrosWith: false", "'no'"),
    ("'hello world, here I am' contractTo: 10", "'hell... am'"),
    ("'hello' padLeftTo: 8", "'   hello'"),
    ("'7' padLeftTo: 3 with: $0", "'007'"),
    ("'hello' padRightTo: 7 with: $.", "'hello..'"),
    ("'hello' truncateTo: 3", "'hel'"),
    ("'hello world' truncateWithElipsisTo: 8", "'hello...'"),
    ("'ab' repeat: 3", "'ababab'"),
    ("'say ''hi''' printString", "'''say ''''hi'''''''"),
    ("'quoted' surroundedBySingleQuotes", "'''quoted'''"),
    ("'note' asComment", "'\"note\"'"),
    ("'foo bar baz' asCamelCase", "'FooBarBaz'"),
    ("'item' asPluralBasedOn: 2", "'items'"),
    ("'item' asPluralBasedOn: 1", "'item'"),
    ("'MCMXC' romanNumber", "1990"),
    ("'foo' withoutPrefix: 'f'", "'oo'"),
    ("'foo.st' withoutSuffix: '.st'", "'foo'"),
    ("'a  b   c' withSeparatorsCompacted", "'a b c'"),
    ("'f#o*' match: 'fooo'", "true"),
    ("'*.st' match: 'Foo.st'", "true"),
    ("'f#o' match: 'fo'", "false"),
    ("'' isEmpty", "true"),
    ("'  ' isAllSeparators", "true"),
    ("'123' isAllDigits", "true"),
    ("'Foo' isString", "true"),
    ("'<a & b>' asHTMLString", "'&lt;a &amp; b&gt;'"),
    ("'one two three four' withNoLineLongerThan: 9", "'one two\rthree\rfour'"),
    ("(String new: 2 withAll: $z)", "'zz'"),
    ("String with: $a with: $b", "'ab'"),
    ("String new", "''"),
    ("'abc' class", "ByteString"),
    ("'test12' stemAndNumericSuffix", "#('test' 12)"),
    ("'hello' allRangesOfSubstring: 'l'", "{(3 to: 3). (4 to: 4)}"),
    ("'aXbX' asLowercase asUppercase", "'AXBX'"),
    ("'tab' copyWithout: $a", "'tb'"),
    ("#('one' 'two') asCommaStringAnd", "'one and two'"),
    ("'abc' shuffled size", "3"),
    ("('hello' at: 1 ifAbsent: [ nil ])", "$h"),
    ("'hello world' wordBefore: 5", "'hello'"),
    ("'asd' alike: 'asx'", "3"),
]

WIDE = [
    ("'δλπ'", "'δλπ'"),
    ("'δλπ' class", "WideString"),
    ("'δλπ' asUppercase", "'ΔΛΠ'"),
    ("'δλπ' size", "3"),
    ("'δλπ' first", "$δ"),
    ("'δλc' copyFrom: 3 to: 3", "'c'"),
    ("('δλc' copyFrom: 3 to: 3) class", "ByteString"),
    ("'aλ' = ('a' , (Character value: 955) asString)", "true"),
    ("'abc' copy at: 1 put: $δ; yourself", "'δbc'"),
    ("| s | s := 'abc' copy. s at: 1 put: $δ. s class", "WideString"),
    ("'ab' , 'π'", "'abπ'"),
    ("'π' , 'ab'", "'πab'"),
    ("(WideString from: 'abc') = 'abc'", "true"),
    ("(WideString from: 'abc') hash = 'abc' hash", "true"),
    ("'δλπ' asSymbol class", "WideSymbol"),
    ("'δλπ' asSymbol == 'δλπ' copy asSymbol", "true"),
    ("String streamContents: [ :s | s << 'a'; nextPut: $λ; << 'c' ]", "'aλc'"),
    ("'δλπ' indexOf: $λ", "2"),
    ("'δλπ' includesSubstring: 'λπ'", "true"),
    ("'δλπ' asByteArray size", "12"),
    ("'😀' size", "1"),
    ("'😀' first asInteger", "128512"),
]

SYMBOLS = [
    ("#abc", "#abc"),
    ("#+", "#+"),
    ("#at:put:", "#at:put:"),
    ("#'with space'", "#'with space'"),
    ("#abc == 'abc' asSymbol", "true"),
    ("#abc class", "ByteSymbol"),
    ("#abc asString", "'abc'"),
    ("#abc asString class", "ByteString"),
    ("#abc , 'def'", "#abcdef"),
    ("#abc copy == #abc", "true"),
    ("#abc size", "3"),
    ("#at:put: numArgs", "2"),
    ("#foo asMutator", "#foo:"),
    ("#foo isUnary", "true"),
    ("#+ isBinary", "true"),
    ("#at:put: isKeyword", "true"),
    ("#foo capitalized", "#Foo"),
    ("#negated value: 3", "-3"),
    ("#foo asUppercase", "'FOO'"),
    ("#foo displayString", "'foo'"),
    ("#foo storeString", "'#foo'"),
    ("(#abc collect: #asUppercase)", "'ABC'"),
    ("Symbol findInterned: 'nobodyWroteThis' , 'Before'", "nil"),
    ("#(foo bar: #baz) first", "#foo"),
    ("#value < #values", "true"),
]

ERRORS = [
    ("'abc' at: 4", "SubscriptOutOfBounds", "4 in 'abc'"),
    ("'abc' copy at: 1 put: 7", "Error", "Improper store into indexable object"),
    ("#abc at: 1 put: $x", "Error", "symbols can not be modified."),
    ("Symbol new", "ShouldNotImplement", None),
    ("Character new", "Error", "cannot create new characters"),
    ("'x' repeat: -1", "Error", "aNumber cannot be negative"),
    ("'xyz' asNumber", "Error", "Reading a number failed: a digit between 0 and 9 expected"),
]


@pytest.mark.parametrize(("expression", "printed"), CHARACTERS)
def test_a_character_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), STRINGS)
def test_a_string_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), WIDE)
def test_a_wide_string_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), SYMBOLS)
def test_a_symbol_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "error_class", "text"), ERRORS)
def test_what_a_string_cannot_do_is_signalled_as_in_pharo(
    signalling: Signalling, expression: str, error_class: str, text: str | None
) -> None:
    signalled, described = signalling(expression)
    assert signalled == error_class
    assert text is None or described == text
