"""The AND-gate: deep work starts when the turn is probably over and the answer probably deep.

Pure decision: `p_end >= theta_end and p_deep >= theta_deep` → trigger_deep (the seed's §1, §7).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.settings import GateSettings


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether to start the deep layers, and the reason in plain words."""

    triggered: bool
    reason: str


def decide(
    p_end: float,
    p_deep: float,
    settings: GateSettings,
    *,
    pads: bool,
    free: bool,
    words: bool,
    backchannel: bool,
    hot: bool = False,
) -> Decision:
    """The gate's decision at a pause.

    `pads` is the user's switch, `free` whether the decoder has no reply under way, `words`
    whether anything was understood, `backchannel` whether that is no turn,
    `hot` whether the processor is.
    """
    if not words:
        return Decision(False, "no words yet")
    if backchannel:
        return Decision(False, "only a back-channel")
    if not pads:
        return Decision(False, "PADS is off")
    if hot:
        return Decision(False, "PADS rests: the processor is hot")
    if p_end < settings.theta_end:
        return Decision(False, "the turn is probably not over")
    if p_deep < settings.theta_deep:
        return Decision(False, "a shallow answer is probably enough")
    if not free:
        return Decision(False, "the last reply is still being given")
    return Decision(True, "the turn is probably over and the answer probably deep")
