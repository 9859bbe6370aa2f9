"""Model cards of what the jobs train, written from the run's own record."""

from __future__ import annotations

from typing import Any

from engine.dialogue_act.classifier import ACTS, DEEP_ACTS
from engine.records.evidence import words


def dialogue_act_card(result: dict[str, Any], manifest: dict[str, Any]) -> str:
    """README.md of the dialogue-act weights: Markdown, every figure with its evidence."""
    run, test = result["run"], result["test"]
    counts = [
        f"| {name.replace('_', ' ')} | {words(count)} | {count['published']:,} (published) |"
        for name, count in result["counts"].items()
    ]
    figures = [f"| {name} | {words(test['figures'][name])} |" for name in test["figures"]]
    commit = manifest["code"]["commit"] or f"version {manifest['code']['version']}"
    return "\n".join(
        [
            "# Dialogue-act classifier",
            "",
            "TF-IDF over n-grams of one and two words (min_df 1) and a multinomial logistic",
            f"regression, which tells {', '.join(ACTS)} apart. The gate uses",
            f"P(deep) = {' + '.join(f'P({act})' for act in DEEP_ACTS)}. That mapping is a stated",
            "assumption: the figures below are evidence about this proxy, not about which answers",
            "really need depth.",
            "",
            "## Data and licence",
            "",
            "Trained on DailyDialog (Li et al. 2017, arXiv:1710.03957), official splits, training",
            "utterances whose exact text also occurs in the test split removed. The corpus is",
            "CC BY-NC-SA 4.0, and so are these weights, which hold its vocabulary: no commercial",
            "use. Written everyday English; speech recognisers write and hear differently.",
            "",
            f"Archive sha256 `{result['corpus']['sha256']}`.",
            "",
            "| count | here | seed |",
            "|---|---|---|",
            *counts,
            "",
            f"## Test split ({test['utterances']:,} utterances, {test['dialogues']:,} dialogues)",
            "",
            "| figure | value [95 % interval] |",
            "|---|---|",
            *figures,
            "",
            f"Intervals: {test['figures']['accuracy']['method']}.",
            f"DEEP is judged at P(deep) ≥ {test['theta_deep']}. `majority_accuracy` is what always",
            "answering the most frequent act reaches. These are the figures of the stored file;",
            "its float32 coefficients change no probability on the test split by more than",
            f"{words(result['largest_change_by_storing'])} from scikit-learn's own. The solver",
            "stops at a tolerance: another processor's rounding may move a figure's third decimal.",
            "",
            f"Run `{run}` ({manifest['started']}, code {commit});",
            "`result.json` and `run.json` here are its record. Make it again with",
            "`pads job run train-dialogue-act --install`.",
            "",
        ]
    )
