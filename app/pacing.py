"""Showing tokens one by one, slowly enough to read; free of Qt. The engine is not slowed."""

from __future__ import annotations

from collections import deque

from engine.events import TokenDecoded

STEP_S = 0.5
"""How long each token is shown at readable speed."""

_KEPT = 512  # a reply has 48 tokens; what is further behind than ten replies is not waited for


class Pacing:
    """Holds tokens back while `slow`; with `slow` off, all are due at once."""

    def __init__(self) -> None:
        self.slow = False
        self._waiting: deque[TokenDecoded] = deque(maxlen=_KEPT)
        self._next_s = float("-inf")

    def __len__(self) -> int:
        """How many tokens are still to be shown."""
        return len(self._waiting)

    def add(self, token: TokenDecoded) -> None:
        """Take the newest token."""
        self._waiting.append(token)

    def clear(self) -> None:
        """Forget what was not shown: another source was opened."""
        self._waiting.clear()

    def due(self, now_s: float) -> list[TokenDecoded]:
        """The tokens to show at `now_s` (`time.monotonic()` seconds), in order."""
        if self.slow:
            if not self._waiting or now_s < self._next_s:
                return []
            self._next_s = now_s + STEP_S
            return [self._waiting.popleft()]
        found = list(self._waiting)
        self._waiting.clear()
        return found
