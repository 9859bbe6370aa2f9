"""The machine's vital signs, read twice a second without being noticed.

A sign the machine does not give is a reading without a value and with the reason, never 0.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from engine.events import Reading, VitalsRead, WorkerDied
from engine.outbox import Outbox
from engine.telemetry import slowing, target, thermal
from engine.telemetry.energy import PowerMeter
from engine.telemetry.processes import ProcessTree
from engine.telemetry.readings import PROC, SYS, Unreadable, unavailable
from engine.telemetry.thermal import ThrottleCounter

log = logging.getLogger(__name__)

PERIOD_S = 0.5
"""Time between two readings of the sampler."""

_SLOW_S = 3.0


class VitalsReader:
    """Reads the vital signs; loads and power are means since the last reading.

    `sys_root` and `proc_root` are where the kernel's files lie. One thread uses it.
    """

    def __init__(self, sys_root: Path = SYS, proc_root: Path = PROC) -> None:
        self._sys, self._proc = sys_root, proc_root
        self._evidence = target.evidence(sys_root)
        self._throttles = ThrottleCounter(sys_root)
        self._power = PowerMeter(sys_root)
        self._own = ProcessTree()
        self._cores = _core_times()
        self._slowed_by, self._slowed_read_s = "", float("-inf")

    def read(self) -> VitalsRead:
        """The vital signs now."""
        memory = psutil.virtual_memory()
        return VitalsRead(
            wall_s=time.monotonic(),
            core_loads=self._core_loads(),
            own_load=self._reading("%", self._own.load_percent),
            clock=self._reading("MHz", lambda: thermal.clock_mhz(self._sys, self._proc)),
            temperature=self._reading("°C", lambda: thermal.temperature_c(self._sys)),
            core_temperature=self._reading("°C", lambda: thermal.core_temperature_c(self._sys)),
            throttles=self._reading("events", self._throttles.events),
            memory_used=self._reading("MB", lambda: (memory.total - memory.available) / 1e6),
            memory_total=self._reading("MB", lambda: memory.total / 1e6),
            own_memory=self._reading("MB", self._own.memory_mb),
            energy=self._reading("W", self._power.watts),
            core_clocks_mhz=self._core_clocks(),
            slowed_by=self._slowed(),
        )

    def _reading(self, unit: str, measure: Callable[[], float]) -> Reading:
        try:
            value = float(measure())
        except Unreadable as exc:
            return unavailable(unit, str(exc))
        return Reading(value=value, unit=unit, evidence=self._evidence)

    def _slowed(self) -> str:
        """A few seconds old at most: a battery takes milliseconds to answer."""
        now_s = time.monotonic()
        if now_s - self._slowed_read_s >= _SLOW_S:
            self._slowed_by = slowing.reasons(self._throttles, self._sys)
            self._slowed_read_s = now_s
        return self._slowed_by

    def _core_clocks(self) -> tuple[float, ...]:
        try:
            return tuple(thermal.core_clocks_mhz(self._sys, self._proc))
        except Unreadable:
            return ()

    def _core_loads(self) -> tuple[float, ...]:
        before, self._cores = self._cores, _core_times()
        return core_loads(before, self._cores)


def core_loads(
    before: Sequence[tuple[float, float]], now: Sequence[tuple[float, float]]
) -> tuple[float, ...]:
    """Percent of each core that was busy between two lists of (busy, all) seconds.

    A core that was switched on in between, or whose clock did not advance, shows 0: it did
    nothing that was seen.
    """
    loads = []
    for index, (busy_s, all_s) in enumerate(now):
        busy_before_s, all_before_s = before[index] if index < len(before) else (busy_s, all_s)
        passed_s = all_s - all_before_s
        share = (busy_s - busy_before_s) / passed_s if passed_s > 0 else 0.0
        loads.append(100 * min(max(share, 0.0), 1.0))
    return tuple(loads)


def _core_times() -> list[tuple[float, float]]:
    """Busy seconds and all seconds of each core since the machine started.

    Time the hypervisor gave to others counts as busy, as the core was not to be had; guest
    time is already part of user time.
    """
    times = []
    for core in psutil.cpu_times(percpu=True):
        parts = core._asdict()
        total = sum(parts.values()) - parts.get("guest", 0.0) - parts.get("guest_nice", 0.0)
        times.append((total - parts["idle"] - parts.get("iowait", 0.0), total))
    return times


class Sampler:
    """Thread that shows the vital signs in the outbox every half second."""

    def __init__(
        self,
        outbox: Outbox,
        *,
        reader: Callable[[], VitalsReader] = VitalsReader,
        period_s: float = PERIOD_S,
    ) -> None:
        self._outbox, self._reader, self._period_s = outbox, reader, period_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="vitals", daemon=True)

    def start(self) -> None:
        """Start the thread; a sampler runs once."""
        self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> bool:
        """End the thread; False if it did not end in time."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            reader = self._reader()
            while not self._stopping.wait(self._period_s):
                self._outbox.show(reader.read())
        except Exception as exc:  # the thread's root: whatever happened is told
            log.exception("the vitals sampler stopped")
            self._outbox.post(WorkerDied(heard_s=0.0, name="vitals", reason=str(exc)))
