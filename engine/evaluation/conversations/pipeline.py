"""Job pipeline: the seed's mechanism demo (§7), and then the same with real speech.

In the first part the turn-end probability and the pause are injected, so that what follows from
them is tagged scripted; classifier, gate and model are the real ones. In the second a recording
is heard by the real engine, with real pauses: there a branch can be thrown away.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import commands, events, paths, settings
from engine.dialogue_act.classifier import DialogueActClassifier, Verdict
from engine.evaluation.conversations import recordings
from engine.evaluation.conversations.conversation import converse, unspoken, with_pads
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.statistics import mean_figure, median_figure
from engine.evaluation.measurement.watching import watched
from engine.events import Event, Evidence
from engine.records.evidence import Figure, Interval, as_records, words
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.settings import Settings
from engine.speculation.messages import Message
from engine.store.fetching import locate
from engine.trigger import gate
from engine.trigger.gate import Decision

if TYPE_CHECKING:
    from engine.evaluation.turns.work import Work

_PAUSES_S = tuple(n / 20 for n in range(41))
"""Pauses that the plot goes through."""


def run(
    job: ActiveRun,
    *,
    text: str,
    p_end: float,
    pause_s: float,
    trials: int,
    recording: Path | None,
    strict: bool,
) -> dict[str, Any]:
    """Both parts. Every trial, gate decision and event is kept in the run directory."""
    chosen = settings.load(paths.settings_file())
    file = recording or recordings.first_demo()
    rules = Rules()
    with watched(job, rules, strict=strict) as watch:
        verdict, decision = judged(text, p_end, chosen)
        done = _timed(job, text, chosen, trials, rules)
        job.phase("Hearing real speech", 0.4)
        heard = _hear(job, file, chosen)
    mechanism = scripted(verdict, decision, p_end, pause_s, done, job.evidence)
    speech = real(heard, job.evidence)
    job.note(f"scripted: first token after the pause {words(mechanism['ttft'].record())}")
    job.note(f"real speech: first token after the turn {words(speech['ttft'].record())}")
    tables = [_table("Injected signals", mechanism), _table("Real speech", speech)]
    tables.append(_gates(heard, job.evidence))
    return {
        "text": text,
        "model": chosen.decoder.model,
        "scripted": {
            "act": verdict.act,
            "decision": "trigger_deep" if decision.triggered else "wait",
            "reason": decision.reason,
            "branch_discarded": False,
            **as_records(mechanism),
        },
        "real_speech": {
            "recording": file.name,
            "branch_discarded": heard.discarded > 0,
            **as_records(speech),
        },
        **watch.result([_plot(heard, done, decision, job.evidence)], tables),
    }


def judged(text: str, p_end: float, chosen: Settings) -> tuple[Verdict, Decision]:
    """The classifier's verdict on `text`, and the gate's decision with an injected `p_end`."""
    classifier = DialogueActClassifier.load(paths.weights("dialogue_act"))
    verdict = classifier.judge(text)
    return verdict, gate.decide(
        p_end,
        verdict.p_deep,
        chosen.gate,
        pads=True,
        free=True,
        words=bool(text.strip()),
        backchannel=False,
    )


def _timed(job: ActiveRun, text: str, chosen: Settings, trials: int, rules: Rules) -> list[Work]:
    from engine.evaluation.turns import work
    from engine.speculation import loading

    decoding = replace(chosen.decoder, speculation="always")
    loaded = loading.load(
        locate(decoding.model), paths.cache() / "halves", decoding, lambda step, _: job.phase(step)
    )
    with ExitStack() as stack:
        stack.callback(loaded.decoder.close)
        prompt = loaded.chat.prompt([Message("user", text)]).tokens
        return work.answers(
            loaded.decoder,
            [prompt] * trials,
            decoding.reply_tokens,
            rules,
            lambda sample: job.metric(kind="trial", **sample),
        )


def scripted(
    verdict: Verdict,
    decision: Decision,
    p_end: float,
    pause_s: float,
    done: Sequence[Work],
    evidence: Evidence,
) -> dict[str, Figure]:
    """The mechanism's figures: what was injected, what was measured, and what follows."""
    without = _median([work.first_token_ms for work in done], evidence)
    waits = [after_pause_ms(work.first_token_ms, pause_s, decision) for work in done]
    hidden = [min(work.branch_ms, pause_s * 1000) * decision.triggered for work in done]
    return {
        "p_end": Figure(value=p_end, evidence=Evidence.SCRIPTED),
        "p_deep": Figure(value=verdict.p_deep, evidence=evidence),
        "pause": Figure(value=pause_s * 1000, unit="ms", evidence=Evidence.SCRIPTED),
        "shallow_pass": _mean([work.shallow_ms for work in done], evidence),
        "deep_pass": _mean([work.deep_ms for work in done], evidence),
        "step": _median([work.step_ms for work in done], evidence),
        "whole_branch": _median([work.branch_ms for work in done], evidence),
        "ttft_without_pads": without,
        "ttft": _median(waits, Evidence.SCRIPTED),
        "hidden": _median(hidden, Evidence.SCRIPTED),
    }


def after_pause_ms(first_token_ms: float, pause_s: float, decision: Decision) -> float:
    """From the turn's confirmed end to the first token; early work began with the pause."""
    if not decision.triggered:
        return first_token_ms
    return max(first_token_ms - pause_s * 1000, 0.0)


def _mean(values: Sequence[float], evidence: Evidence) -> Figure:
    """As the seed tells its passes: the mean of the trials, normal approximation."""
    return mean_figure(values, measure="ms", unit="trials", evidence=evidence)


def _median(values: Sequence[float], evidence: Evidence) -> Figure:
    return median_figure(values, measure="ms", unit="trials", evidence=evidence)


@dataclass(slots=True)
class Heard:
    """What the engine made of the recording."""

    gates: list[events.GateDecided] = field(default_factory=list)
    commits: dict[int, events.TurnCommitted] = field(default_factory=dict)
    accounts: dict[int, events.TurnAccounted] = field(default_factory=dict)
    discarded: int = 0
    dropped_ms: float = 0.0
    """Deep work thrown away for turns that had no words to answer."""

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.GateDecided():
                self.gates.append(event)
            case events.TurnCommitted():
                self.commits[event.turn] = event
            case events.TurnAccounted():
                self.accounts[event.turn] = event
            case events.BranchDiscarded():
                self.discarded += 1
            case events.TurnDropped():
                self.dropped_ms += event.wasted_ms

    def pause_ms(self, turn: int) -> float | None:
        """The silence that ended a turn; None when it was not committed."""
        onsets = [decided.onset_s for decided in self.gates if decided.turn == turn]
        commit = self.commits.get(turn)
        return None if commit is None or not onsets else (commit.heard_s - onsets[-1]) * 1000


def _hear(job: ActiveRun, file: Path, chosen: Settings) -> Heard:
    heard = Heard()
    with (job.folder / "events.jsonl").open("w", encoding="utf-8") as kept:

        def see(event: Event) -> None:
            kept.write(json.dumps(events.to_record(event), ensure_ascii=False) + "\n")
            heard.take(event)

        converse(unspoken(with_pads(chosen, True)), commands.OpenFile(path=str(file)), see=see)
    return heard


def real(heard: Heard, evidence: Evidence) -> dict[str, Figure]:
    """Figures of the recording: gates, starts thrown away, first tokens."""

    def count(value: int) -> Figure:
        return Figure(value=value, evidence=evidence)

    def total(ms: float) -> Figure:
        return Figure(value=ms, unit="ms", evidence=evidence)

    def turns(values: list[float], tag: Evidence = evidence) -> Figure:
        return median_figure(values, measure="ms", unit="turns", evidence=tag)

    accounts = list(heard.accounts.values())
    early = [a for a in accounts if a.from_branch]
    return {
        "turns": count(len(heard.commits)),
        "pauses": count(len(heard.gates)),
        "early_starts": count(sum(decided.triggered for decided in heard.gates)),
        "discarded": count(heard.discarded),
        "ttft": turns([a.post_confirmation_ttft_ms for a in accounts]),
        "ttft_after_early_starts": turns([a.post_confirmation_ttft_ms for a in early]),
        "ttft_after_early_starts_without_pads": turns(
            [a.without_pads_ttft_ms for a in early], Evidence.DERIVED
        ),
        "hidden_in_all": total(sum(a.hidden_ms for a in accounts)),
        "visible_in_all": total(sum(a.visible_ms for a in accounts)),
        "wasted_in_all": total(heard.dropped_ms + sum(a.wasted_ms for a in accounts)),
    }


def _plot(heard: Heard, done: Sequence[Work], decision: Decision, evidence: Evidence) -> Plot:
    """The first token after pauses of every length, and after those of the recording."""
    curves = [
        _median([after_pause_ms(w.first_token_ms, s, decision) for w in done], Evidence.SCRIPTED)
        for s in _PAUSES_S
    ]
    bands = [c.interval or Interval(low=0, high=0, level=0.95, method="") for c in curves]
    series = [
        Series(
            name="given question, injected pause",
            x=[s * 1000 for s in _PAUSES_S],
            y=[curve.value or 0.0 for curve in curves],
            low=[band.low for band in bands],
            high=[band.high for band in bands],
            evidence=Evidence.SCRIPTED,
        )
    ]
    real_turns = [
        (pause, account.post_confirmation_ttft_ms)
        for turn, account in heard.accounts.items()
        if account.from_branch and (pause := heard.pause_ms(turn)) is not None
    ]
    if real_turns:
        x, y = zip(*real_turns, strict=True)
        series.append(Series(name="real speech, early starts", x=x, y=y, evidence=evidence))
    return Plot(
        title="What a pause hides",
        x=Axis(name="pause before the turn is confirmed", unit="ms"),
        y=Axis(name="first token after that", unit="ms"),
        series=series,
    )


def _table(title: str, figures: dict[str, Figure]) -> Table:
    rows: list[list[str | int | Figure]] = [
        [name.replace("_", " "), figure] for name, figure in figures.items()
    ]
    return Table(title=title, columns=("figure", "value"), rows=rows)


def _gates(heard: Heard, evidence: Evidence) -> Table:
    """Every decision of the gate over the recording."""
    return Table(
        title="The gate at every pause",
        columns=("turn", "P(end)", "P(deep)", "decision"),
        rows=[
            [
                decided.turn,
                Figure(value=round(decided.p_end, 3), evidence=evidence),
                Figure(value=round(decided.p_deep, 3), evidence=evidence),
                "trigger_deep" if decided.triggered else decided.reason,
            ]
            for decided in heard.gates
        ],
    )
