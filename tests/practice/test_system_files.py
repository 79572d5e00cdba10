"""Files and folders of the practice image, on the real disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from practice_evaluation import Evaluate


def quoted(path: Path) -> str:
    return f"'{path}' asFileReference"


def test_a_written_file_can_be_read(evaluate: Evaluate, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    evaluate(f"{quoted(file)} writeStreamDo: [ :out | out << 'Grüße'; lf; print: 42 ]")
    assert file.read_text(encoding="utf-8") == "Grüße\n42"
    assert evaluate(f"{quoted(file)} contents") == "Grüße\n42"
    assert evaluate(f"{quoted(file)} size") == len(file.read_bytes())


def test_bytes_are_written_and_read_as_they_are(evaluate: Evaluate, tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    evaluate(f"{quoted(file)} binaryWriteStreamDo: [ :out | out nextPutAll: #[0 255 10 13] ]")
    assert file.read_bytes() == bytes([0, 255, 10, 13])
    assert (
        evaluate(f"({quoted(file)} binaryReadStreamDo: [ :in | in upToEnd ]) printString") == "#[0 255 10 13]"
    )


def test_a_device_without_end_gives_as_much_as_asked(evaluate: Evaluate) -> None:
    assert evaluate("('/dev/urandom' asFileReference binaryReadStreamDo: [ :in | in next: 32 ]) size") == 32


def test_a_folder_is_made_with_those_above_it(evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate(f"({quoted(tmp_path)} / 'a' / 'b') ensureCreateDirectory; ensureCreateDirectory")
    assert (tmp_path / "a" / "b").is_dir()
    assert evaluate(f"{quoted(tmp_path)} children size") == 1
    assert evaluate(f"({quoted(tmp_path)} children first / 'b') isDirectory") is True


def test_permissions_are_set_and_shown(evaluate: Evaluate, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch()
    evaluate(f"{quoted(file)} permissions: (FileSystemPermission posixPermissions: 8r600)")
    assert file.stat().st_mode & 0o777 == 0o600
    assert evaluate(f"{quoted(file)} permissions printString") == "rw-------"


def test_a_file_is_renamed_in_one_step(evaluate: Evaluate, tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    file.write_text("here")
    assert evaluate(f"({quoted(file)} renameTo: 'old.txt'; yourself) basename") == "old.txt"
    assert (tmp_path / "old.txt").read_text() == "here"


def test_a_file_is_moved_into_a_folder(evaluate: Evaluate, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("here")
    evaluate(f"{quoted(tmp_path / 'file')} moveTo: {quoted(tmp_path / 'folder')}")
    assert (tmp_path / "folder" / "file").read_text() == "here"


def test_deleting_takes_away_what_is_there(evaluate: Evaluate, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    assert evaluate(f"{quoted(tmp_path / 'folder')} deleteAll; exists") is False
    assert evaluate(f"{quoted(tmp_path / 'folder')} ensureDelete; exists") is False


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("'/no/such/file' asFileReference contents", "FileDoesNotExistException"),
        ("'/no/such/file' asFileReference delete", "FileDoesNotExistException"),
        ("'/no/such/folder' asFileReference createDirectory", "DirectoryDoesNotExist"),
        ("'/no/such/file' asFileReference writeStream", "FileDoesNotExistException"),
        ("'/no/such/file' asFileReference size", "FileDoesNotExistException"),
        ("'/' asFileReference createDirectory", "DirectoryExists"),
        ("'/no/such/folder' asFileReference children", "DirectoryDoesNotExist"),
    ],
)
def test_a_failed_file_operation_has_an_error_class_of_its_own(
    evaluate: Evaluate, expression: str, error: str
) -> None:
    assert evaluate(f"[ {expression} ] on: Error do: [ :error | error class name ]") == error


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("'/tmp/a.txt' asFileReference", "File @ /tmp/a.txt"),
        ("'/tmp' asFileReference / 'a' / 'b.txt'", "File @ /tmp/a/b.txt"),
        ("'/tmp/a.tar.gz' asFileReference basename", "'a.tar.gz'"),
        ("'/tmp/a.tar.gz' asFileReference extension", "'gz'"),
        ("'/tmp/a/../b' asFileReference fullName", "'/tmp/a/../b'"),
        ("'/tmp/a' asFileReference parent", "File @ /tmp"),
        ("FileLocator home / 'x'", "{home}/x"),
        ("'/' asFileReference", "File @ /"),
    ],
)
def test_names_are_taken_apart_and_put_together(evaluate: Evaluate, expression: str, shown: str) -> None:
    assert evaluate(f"({expression}) printString") == shown


def test_home_is_taken_from_the_environment(
    evaluate: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert evaluate("(FileLocator home / 'x') fullName") == str(tmp_path / "x")
