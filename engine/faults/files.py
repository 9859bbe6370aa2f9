"""Files of every kind that is read here, damaged in every way that happens, and worse."""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from engine import paths, settings
from engine.audio import decoding
from engine.dialogue_act import weights
from engine.errors import PadsError
from engine.faults.case import NotAsExpected, Observed
from engine.history import recording, sessions
from engine.jobs.runner import ProgressReader
from engine.records import session_log
from engine.records.runs import RunDirectory
from engine.store import library, manifest, storing
from engine.store.manifest import ADDED
from engine.training.corpora import ami, archive, chats
from engine.turntaking import head

DAMAGES = 40
"""Of each kind, for each file."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of file: its name, a whole one, and what reads it."""

    file: str
    whole: Callable[[], bytes]
    read: Callable[[Path], object]


def _events() -> bytes:
    line = {"type": "turn_committed", "heard_s": 1.0, "turn": 1, "text": "x", "from_branch": True}
    return (json.dumps(line) + "\n").encode() * 3


def _session(path: Path) -> None:
    folder = path.parent
    (folder / "manifest.json").write_text(
        '{"status": "finished", "started": "2026-01-01"}', "utf-8"
    )
    sessions.brief(folder)
    recording.read(folder)


def _interrupted(path: Path) -> None:
    session_log.mark_interrupted(path.parent.parent)


def _run(path: Path) -> None:
    RunDirectory(path.parent).status()


def _metrics(path: Path) -> None:
    list(RunDirectory(path.parent).metrics())


def _progress(path: Path) -> None:
    ProgressReader(path.parent).poll()


def _corpus() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("words/M1.A.words.xml", WORDS)
    return packed.getvalue()


WORDS = '<nite:root xmlns:nite="n"><w starttime="1" endtime="2">hi</w></nite:root>'


def read_corpus(path: Path) -> None:
    with archive.opened(path) as corpus:
        list(ami.meetings(corpus))


def sound(kind: str) -> Callable[[], bytes]:
    def made() -> bytes:
        noise = np.random.default_rng(1).normal(0, 0.1, 4000).astype(np.float32)
        file = io.BytesIO()
        soundfile.write(file, noise, 16_000, format=kind)
        return file.getvalue()

    return made


def play(path: Path) -> None:
    """Decode a recording as the process does that a conversation has for it."""
    with decoding.opened(path) as file:
        for _ in decoding.samples(file):
            pass


def _two_models() -> bytes:
    """The manifest's first two entries: all of them would be parsed for most of a minute."""
    return b"[[model]]".join(paths.manifest().read_bytes().split(b"[[model]]")[:3])


_ACTS = paths.shipped() / "models" / "dialogue_act"


def _description(path: Path) -> None:
    shutil.copy(_ACTS / weights.ARRAYS, path.parent)
    weights.load(path.parent)


def _arrays() -> bytes:
    """Small arrays that fit together; the shipped ones have 2 MB."""
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        words=np.frombuffer(b"a\nb", np.uint8),
        pairs=np.array([1], np.uint32),
        documents=np.ones(3, np.uint32),
        coefficients=np.zeros((3, 2), np.float32),
        intercepts=np.zeros(2),
    )
    return packed.getvalue()


def _read_arrays(path: Path) -> None:
    """Read them under a description that fits: someone who means harm would write one."""
    small = path.is_file() and path.stat().st_size < 2**20
    digest = hashlib.sha256(path.read_bytes() if small else b"").hexdigest()
    described = {"format": weights.FORMAT, "sha256": digest, "acts": ["a", "b"], "texts": 3}
    (path.parent / weights.DESCRIPTION).write_text(json.dumps(described), "utf-8")
    weights.load(path.parent)


def _added() -> bytes:
    record = dict.fromkeys(("role", "name", "file", "sha256", "licence", "use", "note"), "x")
    return json.dumps({**record, "source": ADDED, "size": 1}).encode()


def _read_added(path: Path) -> None:
    place = paths.added_models() / path.name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(path)
    for model in library.added():
        storing.damage(model)


READERS: dict[str, Reader] = {
    "settings": Reader(
        "settings.toml", lambda: b"pads = true\n[gate]\ntheta_end = 0.4\n", settings.load
    ),
    "session log": Reader("session/events.jsonl", _events, _session),
    "session manifest": Reader(
        "session/manifest.json",
        lambda: b'{"status": "running", "process": 1, "process_started": 1.0}',
        _interrupted,
    ),
    "run manifest": Reader(
        "run/manifest.json", lambda: b'{"run": "a", "job": "b", "status": "running"}', _run
    ),
    "run metrics": Reader("run/metrics.jsonl", lambda: b'{"a": 1}\n{"b": 2}\n', _metrics),
    "job progress": Reader(
        "run/progress.jsonl", lambda: b'{"type": "note", "text": "hi"}\n', _progress
    ),
    "model manifest": Reader("manifest.toml", _two_models, manifest.read),
    "record of an added model": Reader("x.json", _added, _read_added),
    "turn-end weights": Reader(
        f"head/{head.FILE}",
        (paths.shipped() / "models" / "turn_end" / head.FILE).read_bytes,
        lambda path: head.load(path.parent),
    ),
    "classifier weights": Reader(
        f"acts/{weights.DESCRIPTION}",
        (_ACTS / weights.DESCRIPTION).read_bytes,
        _description,
    ),
    "classifier arrays": Reader(f"acts/{weights.ARRAYS}", _arrays, _read_arrays),
    "corpus": Reader("corpus.zip", _corpus, read_corpus),
    "chats": Reader(
        "chats.jsonl",
        lambda: (
            b'{"messages": [{"role": "user", "content": "a"}, '
            b'{"role": "assistant", "content": "b"}]}\n'
        ),
        chats.read,
    ),
    "WAV": Reader("sound.wav", sound("WAV"), play),
    "FLAC": Reader("sound.flac", sound("FLAC"), play),
    "OGG": Reader("sound.ogg", sound("OGG"), play),
}
"""Every kind of file that is read in this process; models are read in one of their own."""

HOSTILE = (
    b"",
    b"\0" * 4096,
    b"\xff\xfe\xfd",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"a." * 50_000 + b"b = 1",
    b"a = " + b"[" * 100_000,
    b"a = 1" + b"0" * 5000,
    b'{"status": "running", "process": -1, "process_started": 1.0}',
    b'{"status": "finished"}',
    b'{"status": ["running"], "job": {}}',
    b"null\n",
    b"[1]\n",
    b"NaN\n",
    b"1e999\n",
    b"PK\x03\x04" + b"\xff" * 200,
    b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
    b"cos\nsystem\n(S'true'\ntR.",
    b"\x80\x04\x95" + b"\0" * 40,
)
"""Files nobody writes by accident: without an end, of another kind, with orders in them."""


def damaged(whole: bytes, chance: random.Random) -> Iterator[bytes]:
    """The file cut off, with bits turned over, with bytes put in, and replaced by noise."""
    yield whole[: chance.randrange(len(whole) + 1)]
    turned = bytearray(whole)
    for _ in range(chance.choice((1, 3, 30))):
        turned[chance.randrange(len(turned))] ^= 1 << chance.randrange(8)
    yield bytes(turned)
    at = chance.randrange(len(whole))
    yield whole[:at] + chance.randbytes(20) + whole[at:]
    yield chance.randbytes(200)


def refuses(reader: Reader, times: int = DAMAGES) -> Callable[[Path], Observed]:
    """A check: whatever lies there is read, or refused with one sentence that names a remedy."""

    def check(folder: Path) -> Observed:
        whole, chance = reader.whole(), random.Random(7)  # noqa: S311 - no secret
        contents = [*HOSTILE, *(d for _ in range(times) for d in damaged(whole, chance))]
        refused = sum(not accepted(reader, folder, content) for content in contents)
        if not accepted(reader, folder, whole):
            raise NotAsExpected("the whole file was refused, too")
        return Observed(words=f"{len(contents)} files: {refused} refused in a sentence, none fatal")

    return check


def accepted(reader: Reader, folder: Path, content: bytes) -> bool:
    """Whether a file with this content is read; False for a refusal, `NotAsExpected` otherwise."""
    path = folder / reader.file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return taken(reader, path, f"{content[:40]!r}…")


def taken(reader: Reader, path: Path, what: str) -> bool:
    """Whether what lies there is read; False for a refusal, `NotAsExpected` otherwise."""
    try:
        reader.read(path)
    except PadsError as exc:
        if not exc.remedy:
            raise NotAsExpected(f"the refusal names no remedy: {exc}") from exc
        return False
    except (Exception, MemoryError) as exc:
        error = f"{type(exc).__name__}: {str(exc)[:80]}"
        raise NotAsExpected(f"{what} gave {error}") from exc
    return True
