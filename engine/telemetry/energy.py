"""Energy of the processor packages, from the RAPL counters of Linux's powercap."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from engine.telemetry.readings import SYS, Unreadable, number, text

_SHORTEST_S = 0.002
"""Power over less time would be noise: the counters step about once a millisecond."""

_FORBIDDEN = (
    "the energy counter may be read by the administrator only; allow it with "
    "`sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj`, until the next restart"
)
_MISSING = (
    "this machine shows no energy counter (Intel and newer AMD processors have one, outside "
    "virtual machines; on a real one try `sudo modprobe intel_rapl_msr`)"
)


class EnergyMeter:
    """Joules used by all processor packages since it was made.

    The counters run over at `max_energy_range_uj` (on a laptop after hours of full load);
    each reading accounts for one run-over since the last.
    """

    def __init__(self, root: Path = SYS) -> None:
        self._zones = [
            zone
            for zone in sorted((root / "class/powercap").glob("intel-rapl:[0-9]*"))
            if (text(zone / "name") or "").startswith("package")
        ]
        self._last: dict[Path, int] = {}
        self._joules = 0.0
        with suppress(Unreadable):  # then each reading says so, and counting starts later
            self.joules()

    def joules(self) -> float:
        """Energy in J since construction, or since it became readable. Raises `Unreadable`."""
        if not self._zones:
            raise Unreadable(_MISSING)
        try:
            now = {zone: number(zone / "energy_uj") for zone in self._zones}
            used_uj = sum(self._used_uj(zone, count) for zone, count in now.items())
        except PermissionError as exc:
            raise Unreadable(_FORBIDDEN) from exc
        except (OSError, ValueError) as exc:
            raise Unreadable(f"the energy counter cannot be read ({exc})") from exc
        self._last = now
        self._joules += used_uj / 1e6
        return self._joules

    def _used_uj(self, zone: Path, now: int) -> int:
        before = self._last.get(zone, now)
        return now - before if now >= before else now + _range_uj(zone) - before


def _range_uj(zone: Path) -> int:
    return number(zone / "max_energy_range_uj")


class PowerMeter:
    """Mean power of all processor packages between readings."""

    def __init__(self, root: Path = SYS) -> None:
        self._energy = EnergyMeter(root)
        self._last: tuple[float, float] | None = None
        with suppress(Unreadable):
            self._last = self._energy.joules(), time.monotonic()

    def watts(self) -> float:
        """Mean power in W since the last call, or since construction. Raises `Unreadable`."""
        return self.watts_at(time.monotonic())

    def watts_at(self, now_s: float) -> float:
        """The same at the monotonic time `now_s`."""
        before, self._last = self._last, None  # an unreadable stretch has no mean
        joules = self._energy.joules()
        if before is None or now_s - before[1] < _SHORTEST_S:
            self._last = before or (joules, now_s)
            raise Unreadable("power is known from the second reading on")
        self._last = joules, now_s
        return (joules - before[0]) / (now_s - before[1])
