from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.speculation import cores


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def test_intels_hybrid_processors_name_theirs(tmp_path: Path) -> None:
    write(tmp_path / "cpu_core" / "cpus", "0-3,6\n")
    write(tmp_path / "cpu_atom" / "cpus", "4-5\n")
    assert cores.performance(tmp_path) == {0, 1, 2, 3, 6}


def test_others_are_told_by_their_capacity(tmp_path: Path) -> None:
    for number, capacity in enumerate((446, 446, 1024, 1024)):
        write(tmp_path / "system" / "cpu" / f"cpu{number}" / "cpu_capacity", f"{capacity}\n")
    assert cores.performance(tmp_path) == {2, 3}


@pytest.mark.parametrize("capacities", [(), (1024, 1024)])
def test_equal_cores_have_no_favourites(tmp_path: Path, capacities: tuple[int, ...]) -> None:
    for number, capacity in enumerate(capacities):
        write(tmp_path / "system" / "cpu" / f"cpu{number}" / "cpu_capacity", f"{capacity}\n")
    assert cores.performance(tmp_path) == frozenset()


def test_unreadable_lists_pin_nothing(tmp_path: Path) -> None:
    write(tmp_path / "cpu_core" / "cpus", "all\n")
    assert cores.performance(tmp_path) == frozenset()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_a_pinned_process_stays_there(tmp_path: Path) -> None:
    usable = sorted(os.sched_getaffinity(0))
    write(tmp_path / "cpu_core" / "cpus", f"{usable[0]},4090-4095\n")
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, sys, pathlib; from engine.speculation import cores;"
            "print(sorted(cores.pin(pathlib.Path(sys.argv[1]))), sorted(os.sched_getaffinity(0)))",
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.split() == [f"[{usable[0]}]", f"[{usable[0]}]"]
