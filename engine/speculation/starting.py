"""Waiting for a decoder process that was started to become ready."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from engine.errors import DecoderFailed
from engine.speculation import client

_LONGEST_S = 120.0  # cutting a model on a slow disk takes a while, once
_POLL_S = 0.01


def ready(
    decoder: client.DecoderProcess,
    stopping: threading.Event,
    progress: Callable[[str, float], None],
) -> dict[str, Any]:
    """What a decoder says of itself once it takes jobs; nothing when `stopping` is set before.

    Raises its own refusal, or `DecoderFailed` with the reason when it cannot start.
    """
    deadline_s = time.monotonic() + _LONGEST_S
    while time.monotonic() < deadline_s and not stopping.wait(_POLL_S):
        for report in decoder.poll():
            match report:
                case client.Ready():
                    return report.details
                case client.Starting():
                    progress(report.step, report.fraction)
                case client.Died(refusal=refusal) if refusal is not None:
                    raise refusal
                case client.Died(reason=reason) | client.Failed(message=reason):
                    raise DecoderFailed(
                        f"The language model could not be started ({reason})",
                        remedy="check it with `pads models verify`",
                    )
    if stopping.is_set():
        return {}
    raise DecoderFailed(
        f"The language model was not ready within {_LONGEST_S:.0f} s",
        remedy="close other programs and try again",
    )
