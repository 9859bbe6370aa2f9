"""Job leak-check: which AMI meetings hold evaluation items, and whether training text does.

The check reads the very token stream that train-layerskip learns from (the seed's §4).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.evaluation.exits.ami_items import ami_items
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Table, shown
from engine.records.runs import ActiveRun
from engine.speculation import llama
from engine.speculation.chat import Chat
from engine.store.fetching import locate
from engine.training.text import texts
from engine.training.text.texts import Texts

PUBLISHED = ("EN2001a", "EN2001d", "EN2002c", "ES2014c", "IN1013", "IS1002c")
"""The meetings that the page names."""
_BLOCK = 512
_WHOLE = 1 << 30


def run(job: ActiveRun, *, data: Path | None, exclude: str, model: Path | None) -> dict[str, Any]:
    """Find the items in every meeting, and in the text that is left without `exclude`.

    `exclude` is `auto`, `none`, or meetings separated by commas.
    """
    job.phase("Reading corpora", 0.0)
    items = ami_items(data)
    named = [part.strip() for part in exclude.replace("none", "").split(",") if part.strip()]
    meetings = texts.meetings(data, items, None if exclude == "auto" else named)
    job.phase("Reading DailyDialog", 0.3)
    read = texts.together([meetings, texts.everyday(data, items)])
    job.phase("Encoding text", 0.4)
    chosen = settings.load(paths.settings_file()).decoder
    opened = llama.Model(model or locate(chosen.model), vocab_only=True)
    try:
        chat = Chat(opened, chosen.system_prompt, _WHOLE)
        stream = texts.blocks(texts.encoded(chat, read.talks), _BLOCK)
        job.phase("Looking for items", 0.9)
        left = texts.left(opened, stream, items)
    finally:
        opened.close()
    for line in read.malformed:
        job.note(f"malformed: {line}")
    return result(job, read, left)


def result(job: ActiveRun, read: Texts, left: dict[str, Any]) -> dict[str, Any]:
    """What was found, with the page's own list beside it."""

    def count(value: int) -> Figure:
        return Figure(value=value, evidence=job.evidence)

    contaminated = bool(left["prompts"] or left["responses"])
    verdict = "CONTAMINATED" if contaminated else "clean"
    job.note(
        f"{verdict}: {left['prompts']}/{left['items']} prompts and "
        f"{left['responses']}/{left['items']} responses stand in the training text"
    )
    rows = [
        (
            name,
            "yes" if name in read.as_written else "in other letters",
            "yes" if name in PUBLISHED else "no",
            "yes" if name in read.excluded else "no",
            f"all {len(found)}" if len(found) == 2 * left["items"] else ", ".join(found),
        )
        for name, found in sorted(read.found.items())
    ]
    counts = [
        (f"{name}: {what.replace('_', ' ')}", count(number))
        for name, of in read.counts.items()
        for what, number in of.items()
    ]
    return {
        "contaminated": contaminated,
        "meetings_with_items": read.found,
        "meetings_with_items_as_written": read.as_written,
        "meetings_the_page_names": list(PUBLISHED),
        "agrees_with_the_page": sorted(read.as_written) == sorted(PUBLISHED),
        "excluded_meetings": read.excluded,
        "corpora": read.counts,
        "malformed": read.malformed,
        "left": left,
        **shown(
            tables=[
                Table(
                    title="Meetings that hold evaluation items",
                    columns=("meeting", "as written", "on the page", "left out", "items"),
                    rows=rows,
                ),
                Table(
                    title="Training text",
                    columns=("what", "count"),
                    rows=[
                        *counts,
                        ("evaluation prompts left", count(left["prompts"])),
                        ("evaluation responses left", count(left["responses"])),
                        (
                            "meetings the page names",
                            Figure(value=len(PUBLISHED), evidence=Evidence.PUBLISHED),
                        ),
                    ],
                ),
            ]
        ),
    }
