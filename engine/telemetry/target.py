"""The machine this runs on, and whether it is the one the technology page is about.

Figures may be called target measurements only when they come off a Dell Latitude 5490; the
machine's own DMI name decides (the seed's §1 and §10).
"""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from engine.events import Evidence
from engine.telemetry.readings import PROC, SYS, text

_TARGET = "latitude 5490"
_FEATURES = (
    "sse4_2",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "avx_vnni",
    "avx512f",
    "avx512_vnni",
    "amx_int8",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine's description for records; None where the system does not tell."""

    vendor: str | None
    product: str | None
    is_target: bool
    virtual: bool | None
    """Runs under a hypervisor; None when unknown."""
    cpu: str | None
    features: tuple[str, ...]
    """Instruction sets that matter to the kernels, as Linux names them."""
    cores: int | None
    threads: int | None
    usable_threads: int | None
    """Logical processors this process may run on."""
    memory_mb: float
    governor: str | None
    system: str

    def record(self) -> dict[str, Any]:
        """The description as a JSON-ready dictionary."""
        return {**asdict(self), "features": list(self.features)}


def describe(root: Path = SYS, proc: Path = PROC) -> Machine:
    """Describe this machine, reading the kernel's files below `root` and `proc`."""
    dmi = root / "class/dmi/id"
    info = _cpuinfo(proc)
    flags = info.get("flags", "").split()
    return Machine(
        vendor=text(dmi / "sys_vendor"),
        product=text(dmi / "product_name"),
        is_target=is_target(root),
        virtual="hypervisor" in flags if flags else None,
        cpu=info.get("model name") or platform.processor() or None,
        features=tuple(name for name in _FEATURES if name in flags),
        cores=psutil.cpu_count(logical=False),
        threads=psutil.cpu_count(),
        usable_threads=_usable_threads(),
        memory_mb=psutil.virtual_memory().total / 1e6,
        governor=text(root / "devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        system=platform.platform(),
    )


def is_target(root: Path = SYS) -> bool:
    """Whether this is a Dell Latitude 5490, by DMI vendor and product name."""
    vendor = text(root / "class/dmi/id/sys_vendor") or ""
    product = text(root / "class/dmi/id/product_name") or ""
    return vendor.lower().startswith("dell") and product.lower() == _TARGET


def evidence(root: Path = SYS) -> Evidence:
    """The tag of what is measured here: `target` on the target machine, else `measured`."""
    return Evidence.TARGET if is_target(root) else Evidence.MEASURED


def _usable_threads() -> int | None:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def _cpuinfo(proc: Path) -> dict[str, str]:
    """The first processor's entries."""
    entries: dict[str, str] = {}
    for line in (text(proc / "cpuinfo") or "").splitlines():
        key, colon, value = line.partition(":")
        if colon:
            entries.setdefault(key.strip(), value.strip())
    return entries
