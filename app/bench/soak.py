"""`pads bench soak`: hours of conversation in the window; what is lost, what grows, what slows?

The demos are heard one after the other, in turn as files and, where PulseAudio is installed,
through a virtual microphone, by one engine and one window that draws all the while.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

import psutil

from app import display
from app.bench.gui import painted
from app.bench.soak_figures import Sample, Turn, judged, pictures
from app.bench.window import insist, opened
from engine import commands, events, paths, settings
from engine.errors import DataUnavailable, JobFailed
from engine.evaluation.conversations.conversation import unspoken, with_pads
from engine.evaluation.conversations.recordings import seconds as seconds_of
from engine.evaluation.measurement.bench_run import Bench, recorded
from engine.evaluation.measurement.protocol import Rules
from engine.events import Event
from engine.faults.case import variables
from engine.faults.virtual_microphone import VirtualMicrophone
from engine.records.evidence import as_records, words
from engine.records.output import print_record
from engine.session import Session
from engine.telemetry.processes import private_mb

RULES = Rules(warm_up=0, discarded=0, cool_down_s=0.0, most_background_cores=None)
"""What others do meanwhile is measured, and stands beside the latencies."""

_SAMPLE_S = 10.0
_LOOK_MS = 200
_SILENCE_S = 3.0
"""How long nobody speaks into the room before the microphone is closed."""
_PATIENCE_S = 60.0


@dataclass(slots=True)
class Hearing:
    """What one source has brought so far: its turns, by their number in it."""

    kind: str
    turns: dict[int, Turn] = field(default_factory=dict)
    over: bool = False
    begun: bool = False

    @property
    def unanswered(self) -> bool:
        """Whether a reply is still to come."""
        return any(not turn.replies for turn in self.turns.values())


@dataclass(slots=True)
class Soak:
    """The conversation under way, and what it has shown."""

    began_s: float = field(default_factory=time.monotonic)
    turns: list[Turn] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    gates_ms: list[tuple[float, float]] = field(default_factory=list)
    """Each decision of the gate: when, in seconds from the beginning, and how late it was."""
    sources: int = 0
    lost: int = 0
    failed: JobFailed | None = None
    hearing: Hearing = field(default_factory=lambda: Hearing(""))

    @property
    def elapsed_s(self) -> float:
        """Seconds since it began."""
        return round(time.monotonic() - self.began_s, 3)

    def take(self, event: Event) -> None:
        """Take the next event of the engine; called by Qt, which would swallow an error."""
        try:
            insist(event)
        except JobFailed as exc:
            self.failed = exc
        turns = self.hearing.turns
        match event:
            case events.AudioHeard():
                self.hearing.begun = True
            case events.BlocksDropped(blocks=blocks):
                self.lost += blocks
            case events.GateDecided(gate_ms=gate_ms):
                self.gates_ms.append((self.elapsed_s, gate_ms))
            case events.TurnCommitted(turn=turn):
                turns[turn] = Turn(self.elapsed_s, self.sources, self.hearing.kind, turn)
            case events.ReplyFinished(turn=turn) if turn in turns:
                turns[turn].replies += 1
            case events.TurnAccounted(turn=turn, perceived_ttft_ms=ms) if turn in turns:
                turns[turn].perceived_ms = ms
            case events.SourceEnded(reason=reason):
                if reason not in ("finished", "closed"):
                    self.failed = JobFailed(reason, remedy="")
                self.hearing.over = True


def add_parser(benches: Any) -> None:
    """Add `soak` to the benches."""
    parser = benches.add_parser("soak", help="hours of conversation: what is lost, grows, slows")
    parser.add_argument("--minutes", type=float, default=120.0, help="how long (default: 120)")
    parser.add_argument("--recording", help="what is heard (default: all demos, in turn)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Converse, keep every turn and sample in the run's folder; 1 when something was not kept."""
    named = arguments.recording
    recordings = [Path(named).resolve()] if named else paths.demo_recordings()
    if not recordings:
        raise DataUnavailable(f"There are no demos in {paths.demos()}", remedy="name a recording")
    purpose = "hours of conversation in the window: blocks, turns, memory, latencies"
    with recorded("soak", purpose, arguments, RULES) as bench:
        with display.found_or_virtual() as screen, _room() as room:
            soak = converse(recordings, 60 * arguments.minutes, room, bench)
        bench.keep("turns.jsonl", (asdict(turn) for turn in soak.turns))
    assert bench.watch is not None
    found = judged(soak.turns, soak.samples, soak.gates_ms, soak.lost, bench.evidence)
    plots, tables = pictures(soak.turns, soak.samples, soak.gates_ms, found, bench.evidence)
    summary = {
        "type": "summary",
        "minutes": arguments.minutes,
        "display": screen,
        "microphone": "virtual" if room else "none: PulseAudio is not installed",
        "sources": soak.sources,
        **as_records(found.figures),
        "kept": found.kept,
        "evidence": bench.evidence.value,
    }
    bench.finish({**summary, **bench.watch.result(plots, tables)})
    if arguments.json:
        print_record(summary)
    else:
        for name, figure in found.figures.items():
            print(f"  {name.replace('_', ' ')}: {words(figure.record())}")
        for name, kept in found.kept.items():
            print(f"  {name.replace('_', ' ')}: {'yes' if kept else 'NO'}")
        print(f"samples in {bench.folder}")
    return 0 if all(found.kept.values()) else 1


def converse(
    recordings: list[Path], seconds: float, room: VirtualMicrophone | None, bench: Bench
) -> Soak:
    """Hear the recordings again and again until the time is over; the last one is heard out."""
    chosen = with_pads(unspoken(settings.load(paths.settings_file())), True)
    with ExitStack() as stack:
        temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="pads-soak-"))
        stack.enter_context(variables({"TMPDIR": temporary}))
        file = stack.enter_context((bench.folder / "samples.jsonl").open("w", encoding="utf-8"))
        window, session, outbox = stack.enter_context(opened(chosen))
        soak, frames_ms = Soak(), list[float]()
        window.bridge.listen(event=soak.take)
        stack.callback(window.bridge.stop)
        stack.enter_context(painted(window, frames_ms))
        window.show()
        window.bridge.start()
        look = _looking(soak, frames_ms, Path(temporary), file)
        longest_s = {one: seconds_of(one) + _PATIENCE_S for one in recordings}
        for recording in itertools.cycle(recordings):
            if soak.elapsed_s >= seconds and soak.sources >= 2:  # each way was heard
                break
            done = f"{soak.elapsed_s / 60:.0f} of {seconds / 60:.0f} minutes, {len(soak.turns)}"
            bench.note(f"{done} turns, {soak.lost} blocks lost; now {recording.name}")
            speaks = room if soak.sources % 2 else None
            _hear(session, soak, recording, longest_s[recording], speaks, look)
        soak.lost += outbox.lost
    return soak


def _hear(
    session: Session,
    soak: Soak,
    recording: Path,
    longest_s: float,
    room: VirtualMicrophone | None,
    look: Iterator[None],
) -> None:
    """One recording, to its last reply: as a file, or through the microphone of the room."""
    soak.hearing = Hearing("file" if room is None else "microphone")
    if room is None:
        session.send(commands.OpenFile(path=str(recording)))
    else:
        session.send(commands.OpenMicrophone())
    player: subprocess.Popen[bytes] | None = None
    opened_s = quiet_s = time.monotonic()
    while not soak.hearing.over:
        _draw()
        next(look)
        now_s = time.monotonic()
        if soak.failed:
            raise soak.failed
        if now_s - opened_s > longest_s:
            raise JobFailed(f"{recording.name} did not end", remedy="see the run's log")
        if room is None:
            continue
        if player is None and soak.hearing.begun:  # what is said before is said to nobody
            player = room.play(recording)
        if player is None or player.poll() is None or soak.hearing.unanswered:
            quiet_s = now_s
        elif now_s - quiet_s > _SILENCE_S:
            session.send(commands.CloseSource())
            quiet_s = now_s + _PATIENCE_S
    soak.turns += soak.hearing.turns.values()
    soak.sources += 1


def _draw() -> None:
    """Let Qt draw for a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(_LOOK_MS, loop.quit)
    loop.exec()


def _looking(soak: Soak, frames_ms: list[float], temporary: Path, file: TextIO) -> Iterator[None]:
    """Each `next` takes a sample if one is due."""
    this = psutil.Process()
    before_s = soak.elapsed_s
    while True:
        if (now_s := soak.elapsed_s) - before_s >= _SAMPLE_S:
            soak.samples.append(
                _sample(this, now_s, len(frames_ms) / (now_s - before_s), temporary)
            )
            file.write(json.dumps(asdict(soak.samples[-1])) + "\n")
            file.flush()
            frames_ms.clear()
            before_s = now_s
        yield


def _sample(this: psutil.Process, now_s: float, frames_a_second: float, folder: Path) -> Sample:
    """What the window, the engine's decoder and whatever else they started hold now."""
    memory_mb, threads, descriptors, processes = 0.0, 0, 0, 0
    for one in (this, *this.children(recursive=True)):
        try:
            if one.name() in ("paplay", "pulseaudio", "Xvfb"):
                continue  # the room and the screen are not the product
            memory_mb += private_mb(one)
            threads += one.num_threads()
            descriptors += one.num_fds() if os.name == "posix" else one.num_handles()
            processes += 1
        except psutil.NoSuchProcess:
            continue
    files = sum(len(names) for _, _, names in os.walk(folder))
    return Sample(
        elapsed_s=now_s,
        memory_mb=memory_mb,
        threads=threads,
        descriptors=descriptors,
        processes=processes,
        temporary_files=files,
        frames_a_second=frames_a_second,
    )


@contextmanager
def _room() -> Iterator[VirtualMicrophone | None]:
    """A virtual microphone that this process listens to; None where PulseAudio is missing."""
    if any(shutil.which(program) is None for program in ("pulseaudio", "pactl", "paplay")):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="pads-room-") as folder:
        room = VirtualMicrophone(Path(folder))
        try:
            room.start()
            with variables(room.environment):
                yield room
        finally:
            room.stop()
