"""Real sources of model files: a wheel that pip finds, a TLS server with its own certificate."""

from __future__ import annotations

import hashlib
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from engine.store.manifest import ModelFile
from tests.wheels import write_wheel

Wheel = Callable[[dict[str, bytes]], None]


def entry(content: bytes, **changes: Any) -> ModelFile:
    """A manifest entry for `content`, as a member of the package the `wheel` fixture makes."""
    values: dict[str, Any] = {
        "role": "voice",
        "name": "tiny",
        "file": "tiny.bin",
        "source": "pads-tiny-model==1.0",
        "member": "pads_tiny_model/tiny.bin",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "licence": "MIT",
        "use": "default",
        "note": "",
    }
    return ModelFile(**{**values, **changes})


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of fetched models, empty and the test's own."""
    folder = tmp_path / "models"
    monkeypatch.setenv("PADS_MODELS", str(folder))
    return folder


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wheel:
    """Makes a real wheel of the given members, the only one pip can find while the test runs."""
    offered = tmp_path / "offered"
    offered.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(offered))

    def make(members: dict[str, bytes]) -> None:
        write_wheel(offered, "pads_tiny_model", "1.0", members)

    return make


@dataclass
class Site:
    """A https server: what it has, how it misbehaves, what it was asked."""

    address: str = ""
    content: bytes = b""
    breaks_at: int | None = None
    """Bytes after which it hangs up."""
    ranges: bool = True
    redirect: str | None = None
    asked: list[str | None] = field(default_factory=list)
    """The Range header of each request."""


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-made certificate for 127.0.0.1, with its key."""
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    certificate = subprocess.run(
        [*command.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    path = folder / "site.pem"
    path.write_text((folder / "key").read_text() + certificate)
    return path


@pytest.fixture
def site(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A running https server on this machine that clients trust while the test runs."""
    state = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    state.address = f"https://127.0.0.1:{server.server_port}/tiny.bin"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def _handler(state: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            state.asked.append(asked)
            if state.redirect:
                self.send_response(302)
                self.send_header("Location", state.redirect)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            if start >= max(1, len(state.content)):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            if start:
                total = len(state.content)
                self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
            self.send_header("Content-Length", str(len(state.content) - start))
            self.end_headers()
            end = len(state.content) if state.breaks_at is None else state.breaks_at
            self.wfile.write(state.content[start:end])

        def log_message(self, *_: object) -> None:
            pass

    return Handler
