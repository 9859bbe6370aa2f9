"""Exit policies as pure functions."""

import numpy as np
import pytest

from engine.speculation.policies import (
    AlwaysDeep,
    AlwaysShallow,
    DialogueAct,
    TokenConfidence,
    Verified,
    top_probability,
)

SURE = np.array([9.0, 0.0, 0.0], np.float32)
UNSURE = np.array([0.1, 0.0, 0.0], np.float32)


def test_top_probability_is_the_softmaxs() -> None:
    logits = np.array([1.0, 2.0, 3.0], np.float32)
    assert top_probability(logits) == pytest.approx(np.exp(3) / np.exp([1, 2, 3]).sum())


def test_token_confidence_goes_deep_where_the_exit_is_unsure() -> None:
    policy = TokenConfidence(threshold=0.5)
    assert not policy.deep(SURE, p_deep=1.0)
    assert policy.deep(UNSURE, p_deep=0.0)


def test_dialogue_act_looks_at_the_turn_alone() -> None:
    policy = DialogueAct(threshold=0.5)
    assert policy.deep(SURE, p_deep=0.5)
    assert not policy.deep(UNSURE, p_deep=0.49)


def test_the_references_never_change_their_mind() -> None:
    for logits in (SURE, UNSURE):
        for p_deep in (0.0, 1.0):
            assert Verified().deep(logits, p_deep)
            assert AlwaysDeep().deep(logits, p_deep)
            assert not AlwaysShallow().deep(logits, p_deep)


def test_only_full_depth_counts_as_lossless() -> None:
    lossless = [
        p.name
        for p in (Verified(), AlwaysDeep(), AlwaysShallow(), TokenConfidence(), DialogueAct())
        if p.lossless
    ]
    assert lossless == ["verified", "always-deep"]
