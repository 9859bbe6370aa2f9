"""The AND-gate's truth table and the commit's waiting time."""

import pytest

from engine.settings import GateSettings
from engine.trigger.gate import decide

SETTINGS = GateSettings(theta_end=0.6, theta_deep=0.5)


@pytest.mark.parametrize(
    ("p_end", "p_deep", "triggered"),
    [(0.6, 0.5, True), (0.59, 0.99, False), (0.99, 0.49, False), (0.1, 0.1, False)],
)
def test_both_signals_must_say_so(p_end: float, p_deep: float, triggered: bool) -> None:
    decision = decide(p_end, p_deep, SETTINGS, pads=True, free=True, words=True, backchannel=False)
    assert decision.triggered is triggered


@pytest.mark.parametrize("off", ["pads", "free", "words"])
def test_each_condition_alone_holds_the_gate(off: str) -> None:
    conditions = {"pads": True, "free": True, "words": True, off: False}
    assert not decide(0.99, 0.99, SETTINGS, **conditions, backchannel=False).triggered


def test_a_backchannel_starts_no_deep_work() -> None:
    decision = decide(0.99, 0.99, SETTINGS, pads=True, free=True, words=True, backchannel=True)
    assert not decision.triggered


def test_a_hot_processor_starts_nothing_and_says_so() -> None:
    conditions = {"pads": True, "free": True, "words": True, "backchannel": False}
    assert decide(0.99, 0.99, SETTINGS, **conditions).triggered
    decision = decide(0.99, 0.99, SETTINGS, **conditions, hot=True)
    assert (decision.triggered, decision.reason) == (False, "PADS rests: the processor is hot")
