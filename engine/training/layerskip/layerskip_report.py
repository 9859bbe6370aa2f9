"""Before and after a LayerSkip training: gains and losses alike, in tables, plots and report.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine import settings
from engine.evaluation.exits import acceptance, acceptance_report, exit_reading, prompt_sets
from engine.evaluation.exits import acceptance_figures as figures
from engine.evaluation.exits.acceptance_figures import Shares
from engine.evaluation.exits.exit_acceptance import EVERY, SAMPLED, Served
from engine.evaluation.exits.exit_acceptance import Request as Measuring
from engine.evaluation.exits.exit_reading import SHELF, TRAINED, Way
from engine.evaluation.exits.prompt_sets import Item
from engine.evaluation.exits.rouge_l import rouge_l
from engine.events import Evidence
from engine.records.evidence import Figure, is_figure, words
from engine.records.plots import Axis, Plot, Series, Table, shown
from engine.records.runs import ActiveRun
from engine.speculation import llama
from engine.speculation.sampling import Sampling
from engine.training.corpora import ami, dailydialog
from engine.training.layerskip import layerskip, merging
from engine.training.layerskip.layerskip import Manner, Request
from engine.training.layerskip.layerskip_source import Material
from engine.training.layerskip.layerskip_training import Plan
from engine.training.text import texts

_BEGIN = 0.82
_TOKENS = 32
"""Most tokens of a reply that is compared."""
_TEMPERATURE = 0.6
_SAMPLES = 8
"""Replies shown side by side, of each set."""
_LICENCES = {texts.AMI: ami.LICENCE, texts.DAILYDIALOG: f"{dailydialog.LICENCE}, not commercial"}
"""What trained weights inherit."""
GAIN, LOSS, OPEN = "gain", "loss", "not resolved"
CHARGED = "empty generations charged 0"
_LIMITS = (
    "ROUGE-L is a proxy: it counts words in common with one person's answer, lies near its floor "
    "on short meeting turns, and does not say whether a reply is good. It is taken over the "
    "replies that are not empty; empty ones are charged 0 in a row of their own."
)


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training left: its plan, a line for each step, model files by format."""

    plan: Plan
    curve: Sequence[Mapping[str, float]]
    files: Mapping[str, Path]


def written(
    job: ActiveRun, request: Request, manner: Manner, found: Material, trained: Trained
) -> dict[str, Any]:
    """Measure both models, write report.md, and give the result."""
    base, after = Path(request.model), _compared(trained.files, manner.formats)
    sets = prompt_sets.both(manner.prompts, manner.data)
    measuring = Measuring(
        prompts=manner.prompts,
        tokens=_TOKENS,
        draft_tokens=3,
        exits=trained.plan.exits,
        sampling=Sampling(temperature=_TEMPERATURE, top_p=acceptance.TOP_P, seed=request.seed),
    )
    ways = exit_reading.ways(base, trained.plan.exits, after)
    chosen = settings.DecoderSettings(threads=manner.threads)
    served, shares, facts = acceptance.compare(job, chosen, ways, measuring, sets, (_BEGIN, 1.0))
    result = acceptance_report.result(job.evidence, measuring, served, shares, facts)
    said = {key: _said(key[0], replies) for key, replies in served.items()}
    rows = [
        *_acceptance_rows(shares, base, after, trained.plan.exits, job.evidence),
        *_validation_rows(trained.curve, job.evidence),
        *_reply_rows(said, sets, base, after, job.evidence),
    ]
    table = Table(
        title="Before and after", columns=("what", "before", "after", "change", ""), rows=rows
    )
    samples = _side_by_side(said, sets, base, after)
    drawn = shown(_curves(trained.curve, job.evidence), [table, samples])
    whole = {
        **result,
        "training": {
            **{k: v for k, v in asdict(request).items() if k not in ("folders", "chats")},
            "model": base.name,
            "weights": Path(request.weights).name,
        },
        "exits": list(trained.plan.exits),
        "learned_from": found.counts,
        "models": {kind: path.name for kind, path in trained.files.items()},
        "compared": [base.name, after.name],
        "rouge_l_limits": _LIMITS,
        "plots": [*drawn["plots"], *result["plots"]],
        "tables": [*drawn["tables"], *result["tables"]],
    }
    (job.folder / "report.md").write_text(markdown(whole), "utf-8")
    return whole


def _compared(files: Mapping[str, Path], formats: Sequence[str]) -> Path:
    return files[formats[0] if formats else merging.F16]


def verdict(change: Figure, *, wanted: int) -> str:
    """Whether a change goes the `wanted` way (1 up, -1 down), by its interval where it has one."""
    if change.value is None:
        return OPEN
    low, high = change.value, change.value
    if change.interval is not None:
        low, high = change.interval.low, change.interval.high
    if low <= 0 <= high:
        return OPEN
    return GAIN if (low > 0) == (wanted > 0) else LOSS


Row = tuple[str | Figure, ...]


def _paired(
    what: str,
    before: Shares,
    after: Shares,
    evidence: Evidence,
    *,
    charged: bool = False,
    wanted: int = 1,
) -> Row:
    """Means over prompts and their paired difference; `charged` takes 0 for what is empty."""
    if charged:
        before, after = ([value or 0.0 for value in column] for column in (before, after))
    change = figures.gain(after, before, evidence)
    means = (figures.mean(column, evidence) for column in (before, after))
    return what, *means, change, verdict(change, wanted=wanted)


def _acceptance_rows(
    shares: Mapping[tuple[str, Way], Mapping[str, list[float | None]]],
    base: Path,
    after: Path,
    exits: Sequence[int],
    evidence: Evidence,
) -> list[Row]:
    rows: list[Row] = []
    for name in dict.fromkeys(name for name, _ in shares):
        for exit_ in exits:
            old = shares[name, Way(SHELF, base, exit_)]
            new = shares[name, Way(TRAINED, after, exit_)]
            what = f"{name}: greedy acceptance at exit {exit_}"
            rows += [
                _paired(what, old[EVERY], new[EVERY], evidence),
                _paired(f"{what}, {CHARGED}", old[EVERY], new[EVERY], evidence, charged=True),
                _paired(
                    f"{name}: sampled acceptance at exit {exit_}",
                    old[SAMPLED],
                    new[SAMPLED],
                    evidence,
                ),
            ]
    return rows


def _validation_rows(curve: Sequence[Mapping[str, float]], evidence: Evidence) -> list[Row]:
    losses = [line["validation_loss"] for line in curve if "validation_loss" in line]
    if len(losses) < 2:
        return []
    before, after, change = (
        Figure(value=value, unit="nats a token", evidence=evidence)
        for value in (losses[0], losses[-1], losses[-1] - losses[0])
    )
    what = "validation loss at full depth, float weights"
    return [(what, before, after, change, verdict(change, wanted=-1))]


def _reply_rows(
    said: Mapping[tuple[Path, str], Sequence[str]],
    sets: Mapping[str, Sequence[Item]],
    base: Path,
    after: Path,
    evidence: Evidence,
) -> list[Row]:
    rows: list[Row] = []
    for name, items in sets.items():
        old, new = (
            [
                rouge_l(reply, item.reference) if reply else None
                for reply, item in zip(said[model, name], items, strict=True)
            ]
            for model in (base, after)
        )
        was, is_ = ([float(score is None) for score in scores] for scores in (old, new))
        what = f"{name}: ROUGE-L of full depth's replies"
        rows += [
            _paired(what, old, new, evidence),
            _paired(f"{what}, {CHARGED}", old, new, evidence, charged=True),
            _paired(f"{name}: share of empty generations", was, is_, evidence, wanted=-1),
        ]
    return rows


def _said(model: Path, replies: Sequence[Served]) -> list[str]:
    opened = llama.Model(model, vocab_only=True)
    try:
        return [
            b"".join(opened.piece(token) for token in one.greedy.tokens if not opened.ends(token))
            .decode("utf-8", "replace")
            .strip()
            for one in replies
        ]
    finally:
        opened.close()


def _side_by_side(
    said: Mapping[tuple[Path, str], Sequence[str]],
    sets: Mapping[str, Sequence[Item]],
    base: Path,
    after: Path,
) -> Table:
    rows = [
        (name, item.text, said[base, name][place], said[after, name][place])
        for name, items in sets.items()
        for place, item in enumerate(items[:_SAMPLES])
    ]
    return Table(
        title="Replies side by side",
        columns=("set", "asked", "before", "after"),
        rows=rows,
        quotes=True,
    )


def _curves(curve: Sequence[Mapping[str, float]], evidence: Evidence) -> list[Plot]:
    plots = []
    for title, y, names in (
        ("Loss at full depth on held-out text", "nats a token", ["validation_loss"]),
        ("Loss while training, by exit", "nats a position", _exits(curve)),
    ):
        series = [
            Series(
                name="full depth" if name == "validation_loss" else name.replace("loss_", "exit "),
                x=[line["step"] for line in curve if name in line],
                y=[line[name] for line in curve if name in line],
                evidence=evidence,
            )
            for name in names
        ]
        plots.append(Plot(title=title, x=Axis(name="step"), y=Axis(name=y), series=series))
    return plots


def _exits(curve: Sequence[Mapping[str, float]]) -> list[str]:
    found = {name for line in curve for name in line if name.startswith("loss_")} - {"loss_last"}
    return sorted(found, key=lambda name: int(name[5:]))


def markdown(found: Mapping[str, Any]) -> str:
    """`report.md`: the tables and what they rest on, for people."""
    left, learned = found["learned_from"]["left"], found["learned_from"]
    counts = [
        f"* {name}: " + ", ".join(f"{n:,} {what.replace('_', ' ')}" for what, n in of.items())
        for name, of in learned["corpora"].items()
    ]
    training = found["training"]
    aim = (
        "full depth's own words" if training["objective"] == layerskip.REPLIES else "people's words"
    )
    lines = [
        f"# {' against '.join(found['compared'])}",
        "",
        f"{training['steps']:,} steps of {training['batch']} blocks towards {aim}.",
        "",
        "Learned from, and under which licence:",
        "",
        *counts,
        *(
            f"* licence of {name}: {_LICENCES[name]}"
            for name in learned["corpora"]
            if name in _LICENCES
        ),
        f"* meetings left out: {', '.join(learned['excluded_meetings']) or 'none'}",
        f"* evaluation items in the token stream: {left['prompts']}/{left['items']} prompts, "
        f"{left['responses']}/{left['items']} responses",
        "",
        found["rouge_l_limits"],
        "",
    ]
    for table in found["tables"]:
        lines += [f"## {table['title']}", "", _line(table["columns"])]
        lines += ["|---" * len(table["columns"]) + "|", *(_line(row) for row in table["rows"]), ""]
    return "\n".join(lines)


def _line(cells: Sequence[Any]) -> str:
    told = [words(cell) if is_figure(cell) else str(cell) for cell in cells]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in told) + " |"
