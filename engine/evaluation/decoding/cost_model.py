"""`pads bench cost-model`: when does self-speculation pay? Predicted, and measured beside it.

On a generated model of a larger shape, whose drafts are kept with a given probability: that
acceptance is scripted, all times are measured. The prediction knows a plain step and the cost of
one round without a kept draft; it is put beside whole replies.
"""

from __future__ import annotations

import argparse
from typing import Any

from engine import paths, settings
from engine.evaluation.measurement.bench_run import recorded
from engine.evaluation.measurement.protocol import RACE
from engine.records.output import print_record
from engine.telemetry import target


def tokens_per_round(acceptance: float, drafts: int) -> float:
    """Expected tokens of a round whose drafts are kept independently (Leviathan et al. 2023)."""
    return sum(acceptance**n for n in range(drafts + 1))


def break_even(cost_of_round: float, drafts: int) -> float | None:
    """Acceptance at which rounds costing so many plain steps yield as many tokens.

    None when even keeping every draft does not pay.
    """
    if cost_of_round > drafts + 1:
        return None
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (
            (low, middle) if tokens_per_round(middle, drafts) > cost_of_round else (middle, high)
        )
    return high


def add_parser(kinds: Any) -> None:
    """Add `cost-model` to the benches."""
    parser = kinds.add_parser("cost-model", help="when speculation pays, on a 1B-shape model")
    parser.add_argument("--threads", type=int, help="default: the setting")
    parser.add_argument("--exit-layer", type=int, default=3, help="layers of the head")
    parser.add_argument("--vocabulary", type=int, default=8192, help="tokens of the draft head")
    parser.add_argument("--draft", type=int, default=3, help="tokens drafted at a time")
    parser.add_argument("--replies", type=int, default=10, help="replies timed per way")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of each reply")
    parser.add_argument("--acceptances", type=float, nargs="+", default=[0.0, 0.3, 0.45, 0.6, 0.8])
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    with recorded(
        "cost-model",
        "when self-speculation pays on a 1B-shape model: predicted and measured",
        arguments,
        RACE,
    ) as run:
        from engine.evaluation.decoding import generated_model, scripted

        rows, summary = scripted.measure(
            generated_model.ONE_BILLION,
            exit_layer=arguments.exit_layer,
            vocabulary=arguments.vocabulary,
            drafts=arguments.draft,
            threads=arguments.threads or settings.load(paths.settings_file()).decoder.threads,
            replies=arguments.replies,
            tokens=arguments.tokens,
            acceptances=arguments.acceptances,
        )
    summary |= {"evidence": target.evidence().value, "run": run.name}
    run.finish({"rows": rows, **summary})
    for record in (*rows, summary):
        if arguments.json:
            print_record(record)
        else:
            print(_words(record))
    return 0


def _words(record: dict[str, Any]) -> str:
    if record["type"] == "row":
        ratio = record["measured_ratio"]
        return (
            f"acceptance {record['acceptance']} [scripted]: {record['predicted_ratio']} of plain "
            f"[derived], {ratio['median']} [{ratio['low']}, {ratio['high']}] (measured)"
        )
    return f"pays from acceptance {record['pays_from_acceptance']} [derived]"
