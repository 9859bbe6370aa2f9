"""Files made to do harm: too large, without end, leading elsewhere, named like orders."""

from __future__ import annotations

import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import psutil

from engine import paths, settings
from engine.errors import PadsError
from engine.faults.case import NotAsExpected, Observed
from engine.faults.files import READERS, WORDS, Reader, accepted, play, read_corpus, sound, taken
from engine.records import folders
from engine.records.writing import replacing
from engine.store import manifest
from engine.training.corpora import ami, archive
from engine.turntaking import head

_LARGE_BYTES, _ROOM_BYTES = 2**29, 2**28
"""A file that no reader expects, and the memory a reader may take: half of that."""
_PIPE_S = 3.0


def huge(folder: Path) -> Observed:
    """A check: a settings file of a gigabyte, a member of a corpus that unpacks to one."""
    file = folder / "settings.toml"
    with file.open("wb") as sparse:
        sparse.truncate(2**30)
    bomb = folder / "corpus.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("words/M1.A.words.xml", b"\0" * (65 * 2**20))
    for read, path in ((settings.load, file), (read_corpus, bomb)):
        try:
            read(path)
        except PadsError:
            continue
        raise NotAsExpected(f"{path.name} was read")
    return Observed(words="both were refused unread")


def leaving(folder: Path) -> Observed:
    """A check: archives and manifests whose names lead out of their folder."""
    bad = folder / "corpus.zip"
    with zipfile.ZipFile(bad, "w") as packed:
        packed.writestr("words/M1.A.words.xml", WORDS)
        for name in ("../../outside.txt", "/outside.txt", "words/../../outside.words.xml"):
            packed.writestr(name, "out")
    before = set(folder.rglob("*"))
    read_corpus(bad)
    if set(folder.rglob("*")) != before or (folder.parent / "outside.txt").exists():
        raise NotAsExpected("a file was written outside")
    text = paths.manifest().read_text("utf-8")
    first = next(line for line in text.splitlines() if line.startswith("file = "))
    (folder / "m.toml").write_text(text.replace(first, 'file = "../outside"', 1), "utf-8")
    try:
        manifest.read(folder / "m.toml")
    except PadsError:
        return Observed(words="nothing was written outside; the manifest was refused")
    raise NotAsExpected("a manifest that leaves the models folder was taken")


def strange_names(folder: Path) -> Observed:
    """A check: recordings whose names a shell, a terminal or a path would take for orders."""
    names: tuple[str, ...] = (
        "$(touch hurt).wav",
        "; touch hurt;.wav",
        "-rf.wav",
        "a\nb.wav",
        "%s%n.wav",
    )
    names += ("\u202egnp.wav", "é" * 100 + ".wav", "..wav", "&quot;<b>.wav")
    content = sound("WAV")()
    for name in names:
        if not accepted(Reader(name, sound("WAV"), play), folder, content):
            raise NotAsExpected(f"{name!r} was refused")
    if list(folder.rglob("hurt")):
        raise NotAsExpected("a name was obeyed")
    return Observed(words=f"{len(names)} names were only names")


def read_json_of_nothing(folder: Path) -> Observed:
    """A check: a folder, and a link to nowhere, where a record should be."""
    (folder / "a.json").mkdir()
    (folder / "b.json").symlink_to(folder / "nowhere")
    (folder / "c.json").symlink_to(folder / "c.json")
    found = [folders.read_json(folder / f"{name}.json") for name in "abc"]
    if any(one is not None for one in found):
        raise NotAsExpected(f"read {found}")
    return Observed(words="each counts as no record")


def endless(folder: Path) -> Observed:
    """A check: instead of each file 512 MB of nothing, a device without end, a silent pipe."""
    kinds: dict[str, Callable[[Path], None]] = {
        "512 MB": _large,
        "a link to a device": lambda path: path.symlink_to("/dev/zero"),
        "a pipe": os.mkfifo,
    }
    refused = 0
    for name, reader in READERS.items():
        for kind, put in kinds.items():
            path = folder / f"{name}, {kind}" / reader.file
            path.parent.mkdir(parents=True)
            put(path)
            what = f"{kind} in place of the {name}"
            with little_room(), _never_waiting(path, what) if kind == "a pipe" else nullcontext():
                refused += not taken(reader, path, what)
    return Observed(words=f"{len(READERS) * len(kinds)} of them: {refused} refused, none read on")


def _large(path: Path) -> None:
    with path.open("wb") as sparse:
        sparse.truncate(_LARGE_BYTES)


@contextmanager
def little_room() -> Iterator[None]:
    """This process may take only so much more memory."""
    process = psutil.Process()
    before = process.rlimit(psutil.RLIMIT_AS)
    process.rlimit(psutil.RLIMIT_AS, (process.memory_info().vms + _ROOM_BYTES, before[1]))
    try:
        yield
    finally:
        process.rlimit(psutil.RLIMIT_AS, before)


@contextmanager
def _never_waiting(path: Path, what: str) -> Iterator[None]:
    """`NotAsExpected` when someone waits for the other end of a pipe, which is opened then."""
    waited = threading.Event()

    def release() -> None:
        waited.set()
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))

    timer = threading.Timer(_PIPE_S, release)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
    if waited.is_set():
        raise NotAsExpected(f"{what} was waited for")


def full(folder: Path) -> Observed:
    """A check: no file may grow any more; what is replaced stays as it was, and nothing is left."""
    writers: dict[str, Callable[[Path], None]] = {
        "settings": lambda path: settings.save(settings.Settings(microphone="x"), path),
        "record": lambda path: folders.replace_json(path, {"a": 1}),
        "export": _export,
        "weights": lambda path: head.Head(0.0, {}).save(path.parent, {}),
    }
    for name, write in writers.items():
        file = folder / name / head.FILE
        file.parent.mkdir()
        file.write_text("pads = true\n")
        with _no_growth():
            try:
                write(file)
            except (PadsError, OSError):
                pass
            else:
                raise NotAsExpected(f"nobody said that the {name} were not written")
        if file.read_text() != "pads = true\n" or len(list(file.parent.iterdir())) != 1:
            raise NotAsExpected(f"the {name} became {[p.name for p in file.parent.iterdir()]}")
    return Observed(words=f"{len(writers)} kinds of file stayed as they were, and nothing was left")


def _export(path: Path) -> None:
    with replacing(path) as partial:
        partial.write_text("a long page")


@contextmanager
def _no_growth() -> Iterator[None]:
    """No file of this process may get longer than four bytes."""
    process = psutil.Process()
    before = process.rlimit(psutil.RLIMIT_FSIZE)
    process.rlimit(psutil.RLIMIT_FSIZE, (4, before[1]))
    try:
        yield
    finally:
        process.rlimit(psutil.RLIMIT_FSIZE, before)


def bombs(folder: Path) -> Observed:
    """A check: members of a corpus that unfold, refer to files, nest for ever, lead to devices."""
    documents = {
        "unfolds": _UNFOLDING,
        "refers to a file": _REFERRING,
        "nests": "<nite:root xmlns:nite='n'>" + "<a>" * 200_000,
        "has no times": WORDS.replace('"1"', '"1e999"'),
    }
    file = folder / "corpus.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for number, document in enumerate(documents.values()):
            packed.writestr(f"words/M{number}.A.words.xml", document)
    with little_room(), archive.opened(file) as corpus:
        found = {meeting.name: meeting.malformed for meeting in ami.meetings(corpus)}
    for number, kind in enumerate(documents):
        if not found[f"M{number}"]:
            raise NotAsExpected(f"a member that {kind} was taken")
    _lead_to_a_device(folder / "unpacked")
    return Observed(words="each was found malformed, and nothing was unfolded or followed")


_UNFOLDING = (
    '<!DOCTYPE a [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 50}">' for a, b in zip("abcdef", "bcdefg", strict=True))
    + ']><nite:root xmlns:nite="n"><w starttime="1" endtime="2">&g;</w></nite:root>'
)
_REFERRING = (
    '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<nite:root xmlns:nite="n"><w starttime="1" endtime="2">&a;</w></nite:root>'
)


def _lead_to_a_device(corpus: Path) -> None:
    (corpus / "words").mkdir(parents=True)
    (corpus / "words" / "M1.A.words.xml").symlink_to("/dev/zero")
    try:
        with little_room():
            read_corpus(corpus)
    except PadsError:
        return
    raise NotAsExpected("a device was taken for a member")
