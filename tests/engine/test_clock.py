"""The sample clock ties audio heard to the machine's time."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import SampleClock

SECONDS = st.floats(0, 1e6)


@given(heard_s=SECONDS, wall_s=SECONDS, later_s=SECONDS)
def test_both_directions_agree(heard_s: float, wall_s: float, later_s: float) -> None:
    clock = SampleClock()
    clock.mark(heard_s, wall_s)
    assert clock.heard_s(wall_s) == pytest.approx(heard_s)
    assert clock.wall_s(clock.heard_s(later_s)) == pytest.approx(later_s, abs=1e-6)


def test_position_runs_on_between_blocks_and_follows_the_newest() -> None:
    clock = SampleClock()
    clock.mark(1.0, 100.0)
    assert clock.heard_s(100.02) == pytest.approx(1.02)
    clock.mark(1.032, 100.05)  # the block came late
    assert clock.heard_s(100.05) == pytest.approx(1.032)
    assert clock.wall_s(1.0) == pytest.approx(100.018)


def test_mark_without_a_time_means_now() -> None:
    clock = SampleClock()
    before_s = time.monotonic()
    clock.mark(5.0)
    assert before_s <= clock.wall_s(5.0) <= time.monotonic()


def test_stamps_of_another_process_lie_on_the_same_axis() -> None:
    clock = SampleClock()
    clock.mark(10.0)
    code = "import time; print(time.monotonic())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert 10.0 < clock.heard_s(float(printed.stdout)) <= clock.heard_s(time.monotonic())
