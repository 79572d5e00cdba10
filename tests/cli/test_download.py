"""Fetching Pharo from its site: a site of the tests, on loopback."""

import io
import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pharo_mcp.cli.download import NoDownload, download
from pharo_mcp.cli.host import Host


def archive(files: Mapping[str, bytes], mode: int = 0o644) -> bytes:
    """A zip file, its files with that mode."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            file.writestr(member, content)
    return whole.getvalue()


IMAGE = archive(
    {"Pharo13.0-64bit-abc.image": b"image", "Pharo13.0-64bit-abc.changes": b"changes", "a.sources": b""}
)
MACHINE = archive({"pharo": b"#!/bin/sh\n", "lib/pharo": b"elf"}, 0o755)


@contextmanager
def site(machine: bytes, image: bytes, promised: int = 0) -> Iterator[tuple[str, list[str]]]:
    """A site that has both, and what was asked of it; it promises some bytes more than it sends."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = image if self.path.startswith("/image/") else machine
            self.send_response(200)
            self.send_header("Content-Length", str(len(body) + promised))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def host(home: Path) -> Host:
    return Host("linux", str(home), {})


def test_it_fetches_a_virtual_machine_and_an_image(home: Path) -> None:
    with site(MACHINE, IMAGE) as (url, asked):
        machine, image = download(host(home), "13", url)
    assert asked[0].startswith("/get-files/130/pharo-vm-Linux-")
    assert asked[1] == "/image/130/latest-64.zip"
    assert os.path.basename(image) == "Pharo13.image"
    assert Path(image).with_suffix(".changes").read_bytes() == b"changes"
    assert os.access(machine, os.X_OK)


def test_the_virtual_machine_is_fetched_once_and_each_image_is_a_new_one(home: Path) -> None:
    with site(MACHINE, IMAGE) as (url, asked):
        first, one = download(host(home), "13", url)
        second, other = download(host(home), "13", url)
    assert first == second
    assert one != other
    assert len(asked) == 3


def test_no_network_is_told(home: Path) -> None:
    with pytest.raises(NoDownload, match=r"could not be fetched from \S+: .*Without a network"):
        download(host(home), "13", "http://127.0.0.1:1")
    assert not list((home / ".pharo-mcp" / "pharo" / "130").iterdir())


@pytest.mark.parametrize(
    ("machine", "image", "promised", "why"),
    [
        (b"<h1>Moved</h1>", IMAGE, 0, "not a zip file"),
        (MACHINE, IMAGE, 5, "the connection ended after|IncompleteRead"),
        (archive({"readme": b""}), IMAGE, 0, "holds no pharo"),
        (MACHINE, archive({"readme": b""}), 0, "holds no image"),
    ],
)
def test_what_is_not_what_it_should_be_is_told(
    home: Path, machine: bytes, image: bytes, promised: int, why: str
) -> None:
    with site(machine, image, promised) as (url, _), pytest.raises(NoDownload, match=why):
        download(host(home), "13", url)


def test_a_member_that_leads_elsewhere_stays_inside(home: Path) -> None:
    with site(archive({"../../evil": b"", "pharo": b""}), IMAGE) as (url, _):
        download(host(home), "13", url)
    assert not list(home.rglob("../evil"))
    assert [path.parent.name for path in home.rglob("evil")] == ["vm"]
