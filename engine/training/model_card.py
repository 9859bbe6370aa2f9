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
            f"## Test split (`{test['utterances']:,}` utterances, "
            f"`{test['dialogues']:,}` dialogues)",
            "",
            "| figure | value [95 % interval] |",
            "|---|---|",
            *figures,
            "",
            f"Intervals: {test['figures']['accuracy']['method']}.",
            f"DEEP is judged at P(deep) ≥ `{test['theta_deep']}`. `majority_accuracy` is what",
            "always answering the most frequent act reaches. These are the figures of the stored",
            "file; its float32 coefficients change no probability on the test split by more than",
            f"{words(result['largest_change_by_storing'])} from scikit-learn's own. The solver",
            "stops at a tolerance: another processor's rounding may move a figure's third decimal.",
            "",
            f"Run `{run}` ({manifest['started']}, code {commit});",
            "`result.json` and `run.json` here are its record. Make it again with",
            "`pads job run train-dialogue-act --install`.",
            "",
        ]
    )


def turn_end_card(result: dict[str, Any], manifest: dict[str, Any]) -> str:
    """README.md of the turn-end head: Markdown, every figure with its evidence."""
    head, raw = result["calibration_left_out_meetings"], result["calibration_smart_turn"]
    figures = [
        f"| {name} | {words(head[name])} | {words(raw[name])} |"
        for name in ("brier", "ece", "log_loss", "base_rate_brier")
    ]
    losses = [f"| {name} | {words(loss)} |" for name, loss in result["held_out_log_loss"].items()]
    material = [
        f"| {name} | {found['conversations']} | {found['pauses']} | {found['turn_ends']} |"
        for name, found in result["sources"].items()
    ]
    bins = [
        f"| `{row['from']:g}` to `{row['from'] + 0.1:.1g}` | {row['count']} "
        f"| {row['mean']:.2f} (measured) | {row['share']:.2f} (measured) |"
        for row in head["reliability"]
    ]
    commit = manifest["code"]["commit"] or f"version {manifest['code']['version']}"
    weights = [f"| {name} | `{weight:.4f}` |" for name, weight in result["coefficients"].items()]
    return "\n".join(
        [
            "# Turn-end head",
            "",
            "A logistic regression that turns smart-turn's judgement and the length of the",
            "silence so far into P(turn end). Cues are chosen by log loss on meetings left out.",
            "",
            "## Data and licence",
            "",
            "First half-minutes of AMI meetings (CC BY 4.0), and turns of DailyDialog",
            "(CC BY-NC-SA 4.0, hence no commercial use) spoken by espeak-ng with pauses put in.",
            "Half a minute of a few meetings is little: expect other people to differ.",
            "",
            "| material | conversations | pauses | turn ends |",
            "|---|---|---|---|",
            *material,
            "",
            "| cues | log loss, left-out meetings |",
            "|---|---|",
            *losses,
            "",
            "| cue | weight |",
            "|---|---|",
            *weights,
            f"| intercept | `{result['intercept']:.4f}` |",
            "",
            f"## Calibration at a silence's onset, meetings left out ({head['count']} pauses)",
            "",
            "| figure | head | raw smart-turn |",
            "|---|---|---|",
            *figures,
            "",
            "| P(turn end) | pauses | mean | share of turn ends |",
            "|---|---|---|---|",
            *bins,
            "",
            "`base_rate_brier` is what always saying the overall share would score.",
            f"Run `{result['run']}` ({manifest['started']}, code {commit});",
            "`result.json` and `run.json` here are its record. Make it again with",
            "`pads job run train-turn-end --install`; `pads job run turn-end` measures delays",
            "and false cut-offs.",
            "",
        ]
    )
