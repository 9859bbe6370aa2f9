"""`pads bench decode`: how fast this machine decodes, plainly and with drafts, in one run.

Interleaved, with the same weights and threads: llama-cpp-python on the uncut file, head and
tail without drafts, mode auto as it stands, and every exit layer and draft length asked for, off
the shelf and with an exit adapter where there is one. Where a load's weights come to lie in memory
moves its speed by some percent, so every way is loaded afresh several times, each load answers
its share of the prompts, and the loads are the units of the intervals.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import paths, settings
from engine.evaluation.decoding import decode_ways
from engine.evaluation.decoding.copying import Copier
from engine.evaluation.decoding.decode_ways import (
    AUTO,
    CONTEXT,
    PLAIN,
    PLAIN_DEFAULT,
    UNSPECULATED,
    way_name,
)
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.measurement.bench_run import Bench, recorded
from engine.evaluation.measurement.protocol import RACE
from engine.events import Evidence
from engine.records.output import print_record
from engine.records.runs import ActiveRun
from engine.settings import DecoderSettings
from engine.store.fetching import locate
from engine.telemetry import target

if TYPE_CHECKING:
    from engine.evaluation.decoding.decode_race import Results
    from engine.speculation.split import Halves

INTERVAL = "median over loads of the models, of their prompts' medians; percentile bootstrap"


def add_parser(kinds: Any) -> None:
    """Add `decode` to the benches."""
    parser = kinds.add_parser("decode", help="tokens per second, plain and with drafts")
    parser.add_argument("--prompts", type=int, default=24, help="prompts, shared by the loads")
    parser.add_argument("--loads", type=int, default=8, help="fresh loads of every way")
    parser.add_argument("--tokens", type=int, default=48, help="tokens of each reply")
    parser.add_argument("--threads", type=int, help="default: the setting")
    parser.add_argument("--exits", type=int, nargs="*", default=[4, 15, 20], help="exit layers")
    parser.add_argument("--drafts", type=int, nargs="*", default=[1, 3], help="draft lengths")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    chosen = replace(settings.load(paths.settings_file()).decoder, speculation="always")
    if arguments.threads:
        chosen = replace(chosen, threads=arguments.threads)
    with recorded(
        "decode",
        "decoding speed: plain, without drafts, auto, each exit layer and draft length",
        arguments,
        RACE,
    ) as run:
        rows, summary = measure(
            locate(chosen.model),
            chosen,
            exits=arguments.exits,
            drafts=arguments.drafts,
            prompts=arguments.prompts,
            loads=arguments.loads,
            tokens=arguments.tokens,
            run=run,
            see=_progress,
        )
    summary["evidence"] = target.evidence().value
    run.finish({"rows": rows, **summary})
    for record in (*rows, summary):
        _say(arguments.json, record)
    return 0


def measure(
    model: Path,
    chosen: DecoderSettings,
    *,
    exits: list[int],
    drafts: list[int],
    prompts: int,
    loads: int,
    tokens: int,
    run: Bench | ActiveRun,
    see: Callable[[int, int], None],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Time everything; a row per way to exit and draft length, and the summary.

    Each of `loads` loads answers as many of the `prompts`, one at least. Samples are kept in
    `run`; `see` hears how many prompts are done, of how many.
    """
    from engine.evaluation.decoding import decode_race
    from engine.evaluation.decoding.decode_race import Results
    from engine.evaluation.exits import exit_reading

    chosen = replace(chosen, context_tokens=CONTEXT)
    drafting = [(way.exit_layer, way.name) for way in exit_reading.ways(model, exits, None)]
    asked, results, began_s = conversations(prompts), Results(), time.monotonic()
    for load in range(loads):
        first, end = (len(asked) * place // loads for place in (load, load + 1))
        if first == end:
            continue
        with ExitStack() as stack:
            pack = decode_ways.load(stack, model, chosen, drafting, drafts)
            found = decode_race.race(
                pack.ways,
                [pack.main.chat.prompt(messages).tokens for messages in asked[first:end]],
                tokens,
                _from(first, len(asked), see),
                replace(RACE, seed=RACE.seed + load),
            )
            results.add(found, load, first)
            resident = resident_weights(model, pack.main.decoder.halves)
            auto = pack.auto.details
    elapsed_s = time.monotonic() - began_s
    _keep(run, results)
    rows = [
        {
            "exit_layer": layer,
            "way": kind,
            "draft_tokens": draft,
            **row(results, way_name(layer, kind, draft)),
        }
        for layer, kind in drafting
        for draft in drafts
    ]
    return rows, {
        **_headline(results),
        "threads": chosen.threads,
        "loads": len({sample.load for sample in results.samples[PLAIN]}),
        "replies_compared": len(results.samples[PLAIN]),
        "same_tokens": _same(results),
        "bandwidth": _bandwidth(model, results, Copier().best_rate(chosen.threads)),
        "resident_weights": resident,
        "auto": auto,
        "openmp": {
            name: os.environ.get(name, "default") for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
        },
        "seconds": round(elapsed_s, 1),
        "run": run.name,
    }


def _from(first: int, of: int, see: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Tells `see` a load's prompts as those of the whole."""
    return lambda done, _: see(first + done, of)


def row(results: Results, way: str) -> dict[str, Any]:
    """One way's figures: speed, ratio to plain, acceptance, cost of its steps."""
    from engine.evaluation.decoding.decode_race import median_interval

    samples = results.samples[way]
    rounds, drafted = sum(s.rounds for s in samples), sum(s.drafted for s in samples)
    accepted = sum(s.accepted for s in samples)
    head_ms, tail_ms = sum(s.head_ms for s in samples), sum(s.tail_ms for s in samples)
    return {
        "type": "row",
        "tokens_per_s": median_interval(results.by_load(results.speeds(way))),
        "ratio": median_interval(results.by_load(results.ratios(way, PLAIN))),
        "acceptance": round(accepted / drafted, 4) if drafted else None,
        "tokens_per_verification": round(sum(s.tokens for s in samples) / rounds, 3),
        # A round of d drafts takes d + 1 steps of the head.
        "ms_per_head_step": round(head_ms / (rounds + drafted), 3),
        "ms_per_verification": round(tail_ms / rounds, 3),
    }


def _headline(results: Results) -> dict[str, Any]:
    from engine.evaluation.decoding.decode_race import median_interval

    ratios = {
        f"{name}_ratio": median_interval(results.by_load(results.ratios(way, PLAIN)))
        for name, way in (
            ("plain_default_attention", PLAIN_DEFAULT),
            ("unspeculated", UNSPECULATED),
            ("auto", AUTO),
        )
    }
    return {
        "type": "summary",
        "plain_tokens_per_s": median_interval(results.by_load(results.speeds(PLAIN))),
        **ratios,
        "interval": INTERVAL,
    }


def _same(results: Results) -> bool:
    """Whether all ways served the same; default attention rounds differently and may not."""
    ways = [samples for way, samples in results.samples.items() if way != PLAIN_DEFAULT]
    replies = [[sample.reply for sample in samples] for samples in ways]
    return all(reply == replies[0] for reply in replies)


def resident_weights(model: Path, cut: Halves) -> dict[str, Any]:
    """Memory that the two halves' mapped files take, against the uncut file's size.

    From Linux's proportional set size, which counts a page once however often it is mapped
    here. Weights that kernels keep in an order of their own are not mapped and not counted.
    """
    paths_wanted, kilobytes, counting = {str(cut.head), str(cut.tail)}, 0, False
    try:
        lines = Path("/proc/self/smaps").read_text("utf-8").splitlines()
    except OSError as exc:
        return {"evidence": Evidence.UNAVAILABLE.value, "reason": f"no /proc/self/smaps ({exc})"}
    for line in lines:
        key, *fields = line.split(maxsplit=5)
        if not key.endswith(":"):
            counting = fields[-1] in paths_wanted
        elif counting and key == "Pss:":
            kilobytes += int(fields[0])
    return {
        "halves_mb": round(kilobytes / 1024, 1),
        "file_mb": round(model.stat().st_size / 2**20, 1),
        "ratio": round(kilobytes * 1024 / model.stat().st_size, 3),
        "evidence": target.evidence().value,
    }


def _bandwidth(model: Path, results: Results, copied: float) -> dict[str, float]:
    """How much of the copy's bandwidth plain decoding's reading of the weights takes."""
    read = model.stat().st_size * float(np.median(results.speeds(PLAIN)))
    return {
        "copy_gb_per_s": round(copied / 1e9, 2),
        "weights_read_gb_per_s": round(read / 1e9, 2),
        "share": round(read / copied, 3),
    }


def _keep(run: Bench | ActiveRun, results: Results) -> None:
    from engine.evaluation.decoding.decode_race import records

    with (run.folder / "metrics.jsonl").open("a", encoding="utf-8") as lines:
        for record in records(results):
            lines.write(json.dumps(record) + "\n")


def _progress(done: int, of: int) -> None:
    print(f"\rprompt {done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _say(as_json: bool, record: dict[str, Any]) -> None:
    if as_json:
        print_record(record)
    elif record["type"] == "row":
        print(
            f"{way_name(record['exit_layer'], record['way'], record['draft_tokens'])}: "
            f"{record['ratio']['median']:.2f} of plain, acceptance {record['acceptance']}, "
            f"{record['ms_per_head_step']} ms a head step, {record['ms_per_verification']} ms a "
            f"verification [measured]"
        )
    else:
        for key in ("plain_tokens_per_s", "unspeculated_ratio", "auto_ratio"):
            figure = record[key]
            print(f"{key}: {figure['median']} [{figure['low']}, {figure['high']}] (measured)")
        print(f"samples: {paths.runs() / record['run']}")
