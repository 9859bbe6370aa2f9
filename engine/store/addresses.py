"""Model files at an https address: resumed where an earlier try broke off, never over http."""

from __future__ import annotations

import http
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import IO, Any

from engine.errors import ModelUnavailable
from engine.store import storing
from engine.store.manifest import ModelFile

_TIMEOUT_S = 30.0
_AGAIN = "check the network and run `pads models fetch` again; it continues where it broke off"


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Refuses to be sent from https to anything else."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        if not newurl.lower().startswith("https://"):
            raise urllib.error.URLError(f"redirected away from https to {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(model: ModelFile, report: Callable[[str, float], None]) -> None:
    """Fetch the model's address into its place.

    What a broken connection left is kept beside it and continued by the next call. Raises
    `ModelUnavailable`, and `OSError` of the disk.
    """
    growing = storing.partial(model)
    have = growing.stat().st_size if growing.exists() else 0
    if have > model.size:
        growing.unlink()
        have = 0
    if have < model.size:
        with _open(model, have) as answer:
            _receive(model, answer, _resumed_at(answer, have), report)
    storing.accept(model)


def _open(model: ModelFile, have: int) -> Any:
    # The manifest admits https alone, and the opener below has no handler for another scheme.
    request = urllib.request.Request(model.source)  # noqa: S310
    if have:
        request.add_header("Range", f"bytes={have}-")
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _OnlyHttps(),
    ):
        opener.add_handler(handler)
    try:
        return opener.open(request, timeout=_TIMEOUT_S)
    except (OSError, http.client.HTTPException) as exc:
        if isinstance(exc, urllib.error.HTTPError):
            exc.close()
            if exc.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                storing.partial(model).unlink(missing_ok=True)  # it belongs to another file
        reason = getattr(exc, "reason", None) or exc
        raise ModelUnavailable(
            f"The model {model.name} could not be downloaded ({reason})", remedy=_AGAIN
        ) from exc


def _resumed_at(answer: Any, have: int) -> int:
    """The offset at which the answer begins: `have`, or 0 when the server sends it all again."""
    named = answer.headers.get("Content-Range", "")
    return have if answer.status == 206 and named.startswith(f"bytes {have}-") else 0


def _receive(
    model: ModelFile, answer: IO[bytes], start: int, report: Callable[[str, float], None]
) -> None:
    growing, done = storing.partial(model), start
    try:
        with growing.open("ab" if start else "wb") as file:
            while done <= model.size and (piece := _read(model, answer, done)):
                file.write(piece)
                done += len(piece)
                report(f"fetching {model.name}", min(done / model.size, 1.0))
    except OSError:
        growing.unlink(missing_ok=True)  # a full disk is not helped by half a model
        raise
    if done < model.size:
        raise _broken(model, done, "the server sent no more")


def _read(model: ModelFile, answer: IO[bytes], done: int) -> bytes:
    try:
        return answer.read(storing.PIECE)
    except (OSError, http.client.HTTPException) as exc:
        raise _broken(model, done, str(exc)) from exc


def _broken(model: ModelFile, done: int, reason: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The download of {model.name} broke off at {done} of {model.size} bytes ({reason})",
        remedy=_AGAIN,
    )
