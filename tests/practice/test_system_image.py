"""What the practice image says about itself and the system below, and how it treats what it cannot do."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from pathlib import Path

import pytest

from practice_evaluation import Evaluate

PLATFORMS = {"darwin": "MacOSPlatform", "win32": "WinPlatform"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("SystemVersion current major", 13),
        ("SystemVersion current suffix", "practice image"),
        ("Smalltalk version", "Pharo13.0.0practice image"),
        ("Smalltalk vm is64bit", True),
        ("Smalltalk isHeadless", True),
        ("Smalltalk isInteractiveGraphic", False),
        ("UIManager default uiProcess", None),
        ("Smalltalk imagePath asFileReference basename", "practice.image"),
        ("LibC uniqueInstance getpid", os.getpid()),
        ("NetNameResolver localHostName", socket.gethostname()),
        ("OSPlatform current isWindows", os.name == "nt"),
        ("OSPlatform current class name", PLATFORMS.get(sys.platform, "UnixPlatform")),
        ("MacOSPlatform new isMacOS", True),
        ("UnixPlatform new isUnix", True),
        ("WinPlatform new isWindows", True),
        ("Smalltalk vm memorySize > 1000000", True),
        ("(Smalltalk at: #Nowhere ifAbsent: [ 3 ])", 3),
        ("Smalltalk globals includesKey: #Object", True),
        ("Smalltalk globals includesKey: 'Object'", False),
        ("Smalltalk globals at: #Nowhere ifPresent: [ :value | 1 ] ifAbsent: [ 2 ]", 2),
        ("Smalltalk globals at: #Object ifPresent: [ :value | value name ]", "Object"),
        ("(Smalltalk at: #PracticeGlobal put: 5) + (Smalltalk at: #PracticeGlobal)", 10),
        ("OSEnvironment current at: 'NOWHERE_SET' ifAbsent: [ 'none' ]", "none"),
        ("FileSystem workingDirectory fullName", str(Path.cwd())),
    ],
)
def test_the_image_describes_itself(evaluate: Evaluate, expression: str, value: object) -> None:
    assert evaluate(expression) == value


def test_collecting_from_the_globals_does_not_change_them(evaluate: Evaluate) -> None:
    assert evaluate("(Smalltalk globals collect: [ :each | 3 ]) isEmpty") is False
    assert evaluate("Object name") == "Object"


@pytest.mark.parametrize("text", ["", "abc", "ü"])
@pytest.mark.parametrize("name", ["MD5", "SHA1", "SHA256"])
def test_hashes_are_those_of_the_standard(evaluate: Evaluate, name: str, text: str) -> None:
    expected = hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()
    assert evaluate(f"({name} hashMessage: '{text}' utf8Encoded) hex") == expected


def test_saving_is_refused_in_a_sentence(evaluate: Evaluate) -> None:
    source = "[ Smalltalk snapshot: true andQuit: false ] on: Error do: [ :error | error messageText ]"
    assert evaluate(source) == "The practice image cannot be saved."


def test_a_question_without_anybody_to_ask_has_the_answer_nil(evaluate: Evaluate) -> None:
    assert evaluate("UIManager default request: 'Your name?'") is None
    assert evaluate("UIManager default confirm: 'Sure?'") is None


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ("chooseFrom: #(a b)", ["Choice Request: \r\ta:\t#a\r\tb:\t#b\r"]),
        ("chooseFrom: #(a b) lines: #() title: 'W'", ["Choice Request: W\r\ta:\t#a\r\tb:\t#b\r"]),
        ("chooseFrom: #(a b) values: #(1 2) title: 'W'", ["Choice Request: W\r\ta:\t1\r\tb:\t2\r"]),
        ("confirm: 'Q'", ["Q", "Confirming: Q"]),
        ("confirm: 'Q' label: 'L'", ["Interactive Request: [ L ] Q"]),
        ("confirm: 'Q' orCancel: [ 7 ]", ["Interactive Request: Q"]),
        ("confirm: 'Q' trueChoice: 'Y' falseChoice: 'N'", ["Interactive Request: Q"]),
        ("request: 'N'", ["N", "Interactive Request: [ Provide the following information ] N"]),
        ("request: 'N' initialAnswer: 'i' title: 't'", ["N", "Interactive Request: [ t ] N"]),
        ("multiLineRequest: 'N' initialAnswer: 'i' answerHeight: 9", ["Interactive Request: N"]),
        ("requestPassword: 'P'", ["Requesting Password"]),
    ],
)
def test_an_image_without_windows_asks_as_pharo_12_does(
    evaluate: Evaluate, message: str, texts: list[str]
) -> None:
    source = f"""
    | texts |
    texts := OrderedCollection new.
    [ UIManager default {message} ]
        on: ProvideAnswerNotification
        do: [ :question | texts add: question messageText. question resume: nil ].
    texts asArray
    """
    assert evaluate(source) == texts


def test_a_question_is_a_notification_that_can_be_answered(evaluate: Evaluate) -> None:
    source = """
    [ UIManager default request: 'Your name?' ]
        on: ProvideAnswerNotification
        do: [ :question | question resume: question messageText size ]
    """
    assert evaluate(source) == len("Your name?")


def test_code_deferred_to_the_user_interface_runs_at_once_without_windows(evaluate: Evaluate) -> None:
    assert evaluate("| x | UIManager default defer: [ x := 3 ]. x") == 3


def test_the_transcript_writes_to_standard_error(
    evaluate: Evaluate, capfd: pytest.CaptureFixture[str]
) -> None:
    evaluate("Transcript show: 'Grüße'; cr; show: 42; flush")
    assert capfd.readouterr() == ("", "Grüße\n42")


def test_a_registered_class_is_notified_of_sessions(evaluate: Evaluate) -> None:
    source = """
    SessionManager default registerUserClassNamed: #ZnServer; registerUserClassNamed: #ZnServer.
    SessionManager default unregisterClassNamed: #ZnServer.
    SessionManager default hasRegistered: #ZnServer
    """
    assert evaluate(source) is False


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'Grüße 🎈' utf8Encoded utf8Decoded", "Grüße 🎈"),
        ("'Grüße' utf8Encoded size", 7),
        ("'a b+ü' urlEncoded", "a%20b%2B%C3%BC"),
        ("'a%20b+c' urlDecoded", "a b c"),
        ("#[1 2 250] base64Encoded", "AQL6"),
        ("'AQL6' base64Decoded printString", "#[1 2 250]"),
        (
            "('http://me:you@Host:8080/a%20b/c?x=1&y=%3D&x=2#end' asZnUrl) printString",
            "http://me:you@host:8080/a%20b/c?x=1&x=2&y=%3D#end",
        ),
        ("('/a/b?x=1' asZnUrl queryAt: 'x')", "1"),
        ("'/a/b' asZnUrl pathPrintString", "/a/b"),
        ("'/a/b' asZnUrl firstPathSegment", "a"),
        ("'text/html;charset=utf-8' asZnMimeType charSet", "utf-8"),
        ("'application/vnd.x+json' asZnMimeType isBinary", False),
        ("'image/png' asZnMimeType isBinary", True),
        ("[ #[16r80] utf8Decoded ] on: ZnInvalidUTF8 do: [ :error | 'refused' ]", "refused"),
    ],
)
def test_texts_are_encoded_and_addresses_read(evaluate: Evaluate, expression: str, value: object) -> None:
    assert evaluate(expression) == value
