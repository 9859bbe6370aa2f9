"""How long a silence may last, given P(turn end), under each word of the setting."""

from itertools import pairwise

import pytest

from engine.settings import GateSettings, Settings
from engine.trigger.commit import RULES, CommitRule

RULE = CommitRule(threshold=0.7, wait_ms=320, longest_ms=1000)


def test_a_sure_end_waits_the_least_and_an_unsure_one_the_longest() -> None:
    assert RULE.commit_ms(lambda silence_s: 0.9) == 320
    assert RULE.commit_ms(lambda silence_s: 0.69) == 1000


def test_an_estimate_that_grows_with_the_silence_commits_when_it_arrives() -> None:
    assert RULE.commit_ms(lambda silence_s: silence_s) == 704
    assert RULE.commit_ms(lambda silence_s: 0.7 if silence_s > 2 else 0.0) == 1000


@pytest.mark.parametrize("p_end", [0.0, 0.5, 0.75, 0.9, 1.0])
def test_more_patience_never_commits_sooner(p_end: float) -> None:
    waits = [RULES[name].commit_ms(lambda s: p_end) for name in ("eager", "balanced", "patient")]
    for sooner, later in pairwise(waits):
        assert sooner <= later


def test_every_word_of_the_setting_has_its_rule() -> None:
    assert Settings().gate.patience in RULES
    choices = GateSettings.__dataclass_fields__["patience"].metadata["choices"]
    assert set(choices) == set(RULES)
