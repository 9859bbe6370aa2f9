"""Trees of kernel files as machines show them, written into a test's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, object]) -> Path:
    """Write each file below `root`, content ended by a line end as the kernel does."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n", "utf-8")
    return root


def rapl(root: Path, *, package_uj: int, limit_uj: int = 1_000_000_000) -> Path:
    """A laptop's powercap tree: one package, a part of it, and the whole platform."""
    zones = {"intel-rapl:0": "package-0", "intel-rapl:0:0": "core", "intel-rapl:1": "psys"}
    for zone, name in zones.items():
        write(
            root,
            {
                f"class/powercap/{zone}/name": name,
                f"class/powercap/{zone}/energy_uj": package_uj if name == "package-0" else 77,
                f"class/powercap/{zone}/max_energy_range_uj": limit_uj,
            },
        )
    return root


def throttles(root: Path, counts: dict[int, tuple[int, int]]) -> Path:
    """Two threads a core: (core count, package count) by logical processor."""
    for cpu, (core, package) in counts.items():
        folder = f"devices/system/cpu/cpu{cpu}"
        write(
            root,
            {
                f"{folder}/topology/physical_package_id": 0,
                f"{folder}/topology/core_id": cpu // 2,
                f"{folder}/thermal_throttle/core_throttle_count": core,
                f"{folder}/thermal_throttle/package_throttle_count": package,
            },
        )
    return root


def dmi(root: Path, vendor: str, product: str) -> Path:
    """The firmware's names of the machine."""
    names = {"sys_vendor": vendor, "product_name": product}
    return write(root, {f"class/dmi/id/{name}": value for name, value in names.items()})
