"""`pads bench gui`: what drawing costs while everything runs, and what it costs the engine.

One engine hears the same recording again and again, in turn with the window drawing it and with
nothing but a loop that takes the events: as `pads` and `pads replay` do.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import display
from app.bench.window import insist, opened
from engine import commands, events, paths, settings
from engine.errors import JobFailed
from engine.evaluation.conversations import recordings
from engine.evaluation.conversations.conversation import unspoken, with_pads
from engine.evaluation.measurement.bench_run import Bench, recorded
from engine.evaluation.measurement.protocol import Rules, schedule
from engine.evaluation.measurement.statistics import median_figure
from engine.events import Event, Evidence
from engine.outbox import Outbox
from engine.records.evidence import Figure, words
from engine.records.output import print_record

if TYPE_CHECKING:
    from app.main_window import MainWindow

HEADLESS, WINDOW = "headless", "window"
RULES = Rules(warm_up=1, discarded=0, cool_down_s=1.0)

MOST_GUI_PERCENT = 20.0
"""Of one core, at 30 frames a second."""
MOST_GATE_PERCENT = 10.0
"""By which the window may lengthen the gate's median."""
_HEADLESS_WAIT_S = 0.1


@dataclass(slots=True)
class Pass:
    """One hearing of the recording, `seconds` long on the wall clock."""

    arm: str
    seconds: float = 0.0
    gates_ms: list[float] = field(default_factory=list)
    frames_ms: list[float] = field(default_factory=list)
    """From one drawing of the profiler to the next."""
    gui_s: float = 0.0
    """Processor time of the thread that draws."""
    lost: int = 0
    """Blocks of sound that the engine came too late for."""

    def take(self, event: Event) -> None:
        """Take the next event of the engine."""
        match event:
            case events.GateDecided(gate_ms=gate_ms):
                self.gates_ms.append(gate_ms)
            case events.BlocksDropped(blocks=blocks):
                self.lost += blocks
        insist(event)

    def record(self) -> dict[str, Any]:
        """The samples, JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}


def add_parser(benches: Any) -> None:
    """Add `gui` to the benches."""
    parser = benches.add_parser("gui", help="frame times, and what the window costs the engine")
    parser.add_argument("--rounds", type=int, default=2, help="times with and without the window")
    parser.add_argument("--recording", help="what is heard (default: the first demo)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, keep the samples in the run's folder, and say what was found."""
    recording = Path(arguments.recording or recordings.first_demo()).resolve()
    purpose = "frame times with everything running, and the gate with and without the window"
    with recorded("gui", purpose, arguments, RULES) as bench:
        with display.found_or_virtual() as screen:
            passes = measure(recording, arguments.rounds, bench)
        bench.keep("passes.jsonl", (one.record() for one in passes))
    summary: dict[str, Any] = {"type": "summary", "recording": recording.name, "display": screen}
    found = figures(passes, bench.evidence)
    summary |= {name: figure.record() for name, figure in found.items()}
    summary |= limits(found)
    summary["evidence"] = bench.evidence.value
    bench.finish(summary)
    _say(arguments.json, summary, found, bench)
    return 0


def measure(recording: Path, rounds: int, bench: Bench) -> list[Pass]:
    """Hear the recording in both ways, `rounds` times each after one that does not count."""
    chosen = with_pads(unspoken(settings.load(paths.settings_file())), True)
    kept = []
    with opened(chosen, bench.folder / "sessions") as (window, session, outbox):
        for slot in schedule((HEADLESS, WINDOW), rounds, RULES):
            bench.note(f"{recording.name}, {slot.candidate}")
            session.send(commands.OpenFile(path=str(recording)))
            one = _drawn(window) if slot.candidate == WINDOW else _undrawn(outbox)
            if slot.kept:
                kept.append(one)
    return kept


def _undrawn(outbox: Outbox) -> Pass:
    one, began_s = Pass(HEADLESS), time.perf_counter()
    while True:
        outbox.wait(_HEADLESS_WAIT_S)
        for event in outbox.drain()[0]:
            one.take(event)
            if isinstance(event, events.SourceEnded):
                one.seconds = time.perf_counter() - began_s
                return one


def _drawn(window: MainWindow) -> Pass:
    """The window is shown, follows the engine, and is hidden again."""
    from PySide6.QtCore import QEventLoop

    one, loop, failed = Pass(WINDOW), QEventLoop(), []
    over = False

    def see(event: Event) -> None:
        if over:
            return
        try:
            one.take(event)
        except JobFailed as exc:
            failed.append(exc)
        if failed or isinstance(event, events.SourceEnded):
            loop.quit()

    window.bridge.listen(event=see)
    with painted(window, one.frames_ms):
        window.show()
        began_s, worked_s = time.perf_counter(), time.thread_time()
        window.bridge.start()
        loop.exec()
        one.seconds = time.perf_counter() - began_s
        one.gui_s = time.thread_time() - worked_s
        window.bridge.stop()
        window.hide()
    over = True
    if failed:
        raise failed[0]
    return one


@contextmanager
def painted(window: MainWindow, frames_ms: list[float]) -> Iterator[None]:
    """Note the time from each drawing of the profiler to the next."""
    from PySide6.QtCore import QEvent, QObject

    class Watch(QObject):
        before_s: float | None = None

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint:
                now_s = time.perf_counter()
                if self.before_s is not None:
                    frames_ms.append(1000 * (now_s - self.before_s))
                self.before_s = now_s
            return False

    watch = Watch()
    window.profiler.installEventFilter(watch)
    try:
        yield
    finally:
        window.profiler.removeEventFilter(watch)


def figures(passes: list[Pass], evidence: Evidence) -> dict[str, Figure]:
    """What was found, over all passes of an arm together."""
    drawn = [one for one in passes if one.arm == WINDOW]
    frames = [ms for one in drawn for ms in one.frames_ms]
    seconds = sum(one.seconds for one in drawn)
    gui_s = sum(one.gui_s for one in drawn)
    rate = len(frames) / seconds

    def measured(value: float, unit: str) -> Figure:
        return Figure(value=value, unit=unit, evidence=evidence)

    gates = {
        arm: median_figure(
            [ms for one in passes if one.arm == arm for ms in one.gates_ms],
            measure="ms",
            unit="gate decisions",
            evidence=evidence,
        )
        for arm in (HEADLESS, WINDOW)
    }
    return {
        "frame_median": median_figure(frames, measure="ms", unit="frames", evidence=evidence),
        "frame_p99": measured(_percentile(frames, 99), "ms"),
        "frames_a_second": measured(rate, "1/s"),
        "gui_share": measured(100 * gui_s / seconds, "% of one core"),
        "gui_share_at_30": Figure(
            value=100 * 30 * gui_s / len(frames),
            unit="% of one core",
            evidence=Evidence.DERIVED,
            reason="processor time a frame, times 30 frames a second",
        ),
        "gate_headless": gates[HEADLESS],
        "gate_window": gates[WINDOW],
        "gate_longer": _longer(gates),
        "blocks_lost": measured(float(sum(one.lost for one in passes)), ""),
    }


def _longer(gates: dict[str, Figure]) -> Figure:
    headless, window = gates[HEADLESS].value, gates[WINDOW].value
    if not headless or window is None:
        why = "there were no gate decisions to compare"
        return Figure(value=None, unit="%", evidence=Evidence.UNAVAILABLE, reason=why)
    return Figure(
        value=100 * (window / headless - 1),
        unit="%",
        evidence=Evidence.DERIVED,
        reason="the window's median over the headless one's",
    )


def limits(found: dict[str, Figure]) -> dict[str, bool | None]:
    """Whether what was asked for is kept; None where it could not be measured."""
    share, longer = found["gui_share_at_30"].value, found["gate_longer"].value
    return {
        "gui_within_limit": None if share is None else share <= MOST_GUI_PERCENT,
        "gate_within_limit": None if longer is None else longer <= MOST_GATE_PERCENT,
    }


def _percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _say(as_json: bool, summary: dict[str, Any], found: dict[str, Figure], bench: Bench) -> None:
    if as_json:
        print_record(summary)
        return
    for name, figure in found.items():
        print(f"  {name.replace('_', ' ')}: {words(figure.record())}")
    for name in ("gui_within_limit", "gate_within_limit"):
        print(f"  {name.replace('_', ' ')}: {summary[name]}")
    print(f"samples in {bench.folder}")
    sys.stdout.flush()
