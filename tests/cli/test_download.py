"""Downloading Pharo, from a local web server."""

import io
import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pharo_mcp.cli.ending import CommandFailed
from pharo_mcp.cli.installed import Host, download


def archive(files: Mapping[str, bytes], mode: int = 0o644) -> bytes:
    """The bytes of a zip file whose members have a mode."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            file.writestr(member, content)
    return buffer.getvalue()


IMAGE = archive(
    {"Pharo13.0-64bit-abc.image": b"image", "Pharo13.0-64bit-abc.changes": b"changes", "a.sources": b""}
)
MACHINE = archive({"pharo": b"#!/bin/sh\n", "lib/pharo": b"elf"}, 0o755)


@contextmanager
def site(machine: bytes, image: bytes, missing: int = 0) -> Iterator[tuple[str, list[str]]]:
    """A web server with both files, and the paths requested from it.

    Each response ends `missing` bytes before its announced length.
    """
    requested: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)
            body = image if self.path.startswith("/image/") else machine
            self.send_response(200)
            self.send_header("Content-Length", str(len(body) + missing))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Do not log requests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", requested
        server.shutdown()


def host(home: Path) -> Host:
    return Host("linux", str(home), {})


def test_it_downloads_a_virtual_machine_and_an_image(home: Path) -> None:
    with site(MACHINE, IMAGE) as (url, requested):
        machine, image = download(host(home), "13", url)
    assert requested[0].startswith("/get-files/130/pharo-vm-Linux-")
    assert requested[1] == "/image/130/latest-64.zip"
    assert os.path.basename(image) == "Pharo13.image"
    assert Path(image).with_suffix(".changes").read_bytes() == b"changes"
    assert os.access(machine, os.X_OK)


def test_the_virtual_machine_is_downloaded_once_and_each_image_is_new(home: Path) -> None:
    with site(MACHINE, IMAGE) as (url, requested):
        first, one = download(host(home), "13", url)
        second, other = download(host(home), "13", url)
    assert first == second
    assert one != other
    assert len(requested) == 3


def test_a_missing_network_is_reported(home: Path) -> None:
    with pytest.raises(CommandFailed, match=r"could not be downloaded from \S+: .*Without a network"):
        download(host(home), "13", "http://127.0.0.1:1")
    assert not list(home.iterdir())


@pytest.mark.parametrize(
    ("machine", "image", "missing", "message"),
    [
        (b"<h1>Moved</h1>", IMAGE, 0, "not a zip file"),
        (MACHINE, IMAGE, 5, "the connection ended after|IncompleteRead"),
        (archive({"readme": b""}), IMAGE, 0, "contains no pharo"),
        (MACHINE, archive({"readme": b""}), 0, "contains no image"),
    ],
)
def test_a_broken_download_is_reported(
    home: Path, machine: bytes, image: bytes, missing: int, message: str
) -> None:
    with site(machine, image, missing) as (url, _), pytest.raises(CommandFailed, match=message):
        download(host(home), "13", url)
    left = [path.name for path in home.glob(".pharo-mcp/pharo/130/*")]
    assert left == (["vm"] if message == "contains no image" else [])


def test_archive_members_are_unpacked_inside_the_folder(home: Path) -> None:
    with site(archive({"../../evil": b"", "pharo": b""}), IMAGE) as (url, _):
        download(host(home), "13", url)
    assert not list(home.rglob("../evil"))
    assert [path.parent.name for path in home.rglob("evil")] == ["vm"]
