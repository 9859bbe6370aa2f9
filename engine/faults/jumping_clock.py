"""`python -m engine.faults.jumping_clock HOURS VERB…` is `pads VERB…`, whose wall clock jumps.

It does so once the program has run for a while, as after a correction over the network or by hand.
"""

from __future__ import annotations

import runpy
import sys
import time
from typing import SupportsIndex

_AFTER_S = 4.0

if __name__ == "__main__":
    hours = int(sys.argv.pop(1))
    now, broken_down, began_s = time.time, time.gmtime, time.monotonic()

    def jumping() -> float:
        return now() + (3600 * hours if time.monotonic() - began_s > _AFTER_S else 0)

    def jumping_too(seconds: float | SupportsIndex | None = None, /) -> time.struct_time:
        return broken_down(jumping() if seconds is None else seconds)

    time.time, time.gmtime = jumping, jumping_too
    runpy.run_module("app", run_name="__main__", alter_sys=True)
