"""How fast this machine copies memory: what decoding's reading of weights is held against."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil

from engine.telemetry.readings import SYS

_LEAST_BYTES = 256 << 20


class Copier:
    """Two blocks of memory, both together several times as large as the processor's cache.

    Only then does copying show the memory and not the cache; at most an eighth of the memory
    that is free is taken.
    """

    def __init__(self, root: Path = SYS) -> None:
        wanted = max(_LEAST_BYTES, 4 * (cache_bytes(root) or 0))
        self.bytes = min(wanted, psutil.virtual_memory().available // 8)
        """Of both blocks together."""
        self._source = np.ones(self.bytes // 16)
        self._target = np.zeros(self.bytes // 16)

    def rate(self, threads: int) -> float:
        """Bytes per second of one copy by so many threads, read and written (as STREAM counts)."""
        parts = list(
            zip(
                np.array_split(self._source, threads),
                np.array_split(self._target, threads),
                strict=True,
            )
        )
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda part: np.copyto(part[1][:1], part[0][:1]), parts))  # threads up
            began_s = time.perf_counter()
            list(pool.map(lambda part: np.copyto(part[1], part[0]), parts))
            return 2 * self._source.nbytes / (time.perf_counter() - began_s)

    def best_rate(self, threads: int, copies: int = 7) -> float:
        """The best of several copies."""
        return max(self.rate(threads) for _ in range(copies))


def cache_bytes(root: Path = SYS) -> int | None:
    """Size of the processor's last cache, below `root`; None where the system does not tell.

    Weights that fit in it are not read from memory, so decoding them does not show its speed.
    """
    sizes = []
    for file in (root / "devices/system/cpu/cpu0/cache").glob("index*/size"):
        try:
            words = file.read_text("ascii").strip()
            sizes.append(int(words.rstrip("KMG")) << {"K": 10, "M": 20, "G": 30}.get(words[-1], 0))
        except (OSError, ValueError, IndexError):
            continue
    return max(sizes, default=None)
