"""Damaged models and recordings, which native code reads: compared first, or read elsewhere."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine import paths
from engine.audio.decoding import Decoding
from engine.errors import AudioUnavailable, ModelUnavailable
from engine.faults.case import NotAsExpected, Observed, variables
from engine.faults.files import READERS, damaged
from engine.settings import Settings
from engine.speculation import adapter, client, starting
from engine.speculation.inspection import inspect
from engine.speculation.messages import Message
from engine.store.fetching import locate
from engine.trigger import judging
from engine.turntaking import trial

DAMAGES = 3
"""Of each kind; every file costs a process."""

_HEADER_BYTES = 2**21
_WORDS = 8
_PROJECTION = """channels = "mono"
sample_rate_hz = 16000
frame_rate_hz = 50
context_s = 1.0
p_now = "output"
p_future = "stateN"
"""


def language_models(folder: Path) -> Observed:
    """A check: a language model of which the beginning is left, damaged in every way."""
    with locate(Settings().decoder.model).open("rb") as file:
        beginning = file.read(_HEADER_BYTES)
    return _refused(folder / "damaged.gguf", beginning, lambda path: inspect(path, _quiet))


def projections(folder: Path) -> Observed:
    """A check: an ONNX that belongs elsewhere, damaged in every way, as the user's projection."""
    (folder / "damaged.toml").write_text(_PROJECTION, "utf-8")
    whole = locate("silero-vad").read_bytes()
    opened = trial.opened
    return _refused(folder / "damaged.onnx", whole, lambda path: opened(path, lambda _: None))


def listening(read: Callable[[], object]) -> Callable[[Path], Observed]:
    """A check: each listening model damaged in every way; `read` is what the engine finds then."""

    def check(folder: Path) -> Observed:
        files = {name: locate(name) for name in judging.listening()}
        chance = random.Random(7)  # noqa: S311 - no secret
        tried = 0
        for name, file in files.items():
            whole = file.read_bytes()
            spoilt = _with_one_spoilt(folder / name, file)
            with variables({"PADS_MODELS": str(folder / name)}):
                for content in (b"", *damaged(whole, chance)):
                    spoilt.write_bytes(content)
                    tried += 1
                    _must_refuse(read, name)
        return Observed(words=f"{tried} files refused in a sentence, before any was loaded")

    return check


def _with_one_spoilt(folder: Path, spoilt: Path) -> Path:
    """A models folder with links to all files but one, whose place is returned."""
    models = paths.fetched_models()
    for file in models.rglob("*"):
        place = folder / file.relative_to(models)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file() and file != spoilt:
            place.symlink_to(file)
    return folder / spoilt.relative_to(models)


def _must_refuse(read: Callable[[], object], name: str) -> None:
    try:
        read()
    except ModelUnavailable as exc:
        if "pads models fetch" not in exc.remedy:
            raise NotAsExpected(f"{name}: the remedy is {exc.remedy!r}") from exc
        return
    raise NotAsExpected(f"a damaged {name} was taken")


installed = listening(judging.ModelFiles.installed)


def sounds(folder: Path) -> Observed:
    """A check: recordings damaged in every way, through the process that decodes them."""
    chance = random.Random(7)  # noqa: S311 - no secret
    read = refused = crashed = 0
    for kind in ("WAV", "FLAC", "OGG"):
        whole = READERS[kind].whole()
        path = folder / f"damaged.{kind.lower()}"
        for content in [one for _ in range(DAMAGES) for one in damaged(whole, chance)]:
            path.write_bytes(content)
            try:
                with closing(Decoding(path)) as sound:
                    for _ in sound.blocks():
                        pass
                read += 1
            except AudioUnavailable as exc:
                refused += 1
                crashed += "status -" in exc.thing
    return Observed(
        words=f"{read} files read, {refused} refused in a sentence; {crashed} crashed their "
        "reader, alone"
    )


def adapters(folder: Path) -> Observed:
    """A check: an exit adapter damaged in every way; the reply is what it is without one."""
    (name,) = (p for p in adapter.files() if p.name.endswith("-exit-15.gguf"))
    whole, place = name.read_bytes(), adapter.installed() / "mine.gguf"
    place.parent.mkdir(parents=True)
    wanted, _ = _reply(folder)
    chance = random.Random(7)  # noqa: S311 - no secret
    contents = [one for _ in range(DAMAGES) for one in damaged(whole, chance)]
    left_out = 0
    for content in contents:
        place.write_bytes(content)
        reply, problems = _reply(folder)
        left_out += bool(problems)
        if reply != wanted:
            raise NotAsExpected(f"with a damaged adapter it answered {reply} instead of {wanted}")
    return Observed(
        words=f"of {len(contents)} files {left_out} were left out with a sentence; each reply "
        "was the same"
    )


def halves(folder: Path) -> Observed:
    """A check: each file that is kept of a cut model damaged; the reply is what it was.

    Of a half itself one bit is turned over, which its size does not tell, nor perhaps the reply:
    it must be the whole one again afterwards.
    """
    wanted, _ = _reply(folder)
    files = [path for path in (folder / "halves").rglob("*") if path.is_file()]
    chance = random.Random(7)  # noqa: S311 - no secret
    for number, file in enumerate(sorted(files, key=lambda path: (path.suffix, path.name))):
        whole = file.read_bytes()
        cut, _, longer, noise = damaged(whole, chance)
        half = file.suffix == ".gguf"
        file.write_bytes(_turned(whole) if half else (cut, longer, noise)[number % 3])
        reply, _ = _reply(folder)
        if half and file.read_bytes() != whole:
            raise NotAsExpected("a half of the model with a bit turned over was used")
        if reply != wanted:
            raise NotAsExpected(f"with a damaged {file.suffix} it answered {reply}")
    return Observed(words=f"{len(files)} files, one after the other: each reply was the same")


def _turned(whole: bytes) -> bytes:
    """With one bit turned over amid the weights."""
    turned = bytearray(whole)
    turned[len(turned) // 2] ^= 1
    return bytes(turned)


def _reply(folder: Path) -> tuple[tuple[int, ...], list[str]]:
    """The first tokens of a reply, and what the decoder said is the matter."""
    chosen = Settings().decoder
    process = client.DecoderProcess(chosen, locate(chosen.model), folder / "halves")
    process.start()
    try:
        details = starting.ready(process, threading.Event(), _quiet)
        process.decode(1, [Message("user", "How often should I water a cactus?")], _WORDS)
        while True:
            for report in process.poll():
                match report:
                    case client.Done(tokens=tokens):
                        return tuple(tokens), details["problems"]
                    case client.Died(reason=reason) | client.Failed(message=reason):
                        raise NotAsExpected(f"the decoder died of it ({reason})")
            threading.Event().wait(0.005)
    finally:
        process.close()


def _refused(path: Path, whole: bytes, read: Callable[[Path], object]) -> Observed:
    chance = random.Random(7)  # noqa: S311 - no secret
    contents = [whole, *(one for _ in range(DAMAGES) for one in damaged(whole, chance))]
    crashed = 0
    for content in contents:
        path.write_bytes(content)
        try:
            read(path)
        except ModelUnavailable as exc:
            crashed += "reader crash" in exc.thing
            continue
        raise NotAsExpected(f"a damaged {path.suffix} was taken: {content[:40]!r}…")
    return Observed(
        words=f"{len(contents)} files refused in a sentence; {crashed} crashed their reader, alone"
    )


def _quiet(_step: str, _fraction: float) -> None:
    """Nobody waits for it."""
