"""A session as one HTML page that needs nothing else: no script, no address, no other file.

Everything that was said, and every name, is escaped. Every number has its evidence beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from engine.events import Evidence
from engine.history import charts, drawing, figures
from engine.history.figures import TurnFigures
from engine.history.recording import Conversation, Recording
from engine.records.evidence import Figure
from engine.records.writing import replacing

_MARGIN_S = 0.3
_MEANINGS = {
    Evidence.MEASURED: "measured on the machine named below",
    Evidence.TARGET: "measured on a Dell Latitude 5490, the machine the technology page is about",
    Evidence.DERIVED: "computed from measured times",
    Evidence.UNAVAILABLE: "not known, with the reason",
}
_NAMES = {
    "first_word": "from the turn's end to the first word (median of the turns)",
    "without_pads": "the same turns without PADS (median)",
    "perceived": "from the end of speech to the first word (median)",
    "hidden": "of deep work hidden in pauses",
    "visible": "of deep work after the turn, visible as waiting",
    "wasted": "of deep work thrown away",
}
_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1f27; --muted: #566172; --line: #d5dae1;
  --lane: #f3f5f8; --raised: #c9d0da; }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1116; --ink: #e8ecf1; --muted: #93a0b0;
  --line: #2b333f; --lane: #151a21; --raised: #3a4554; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  max-width: 1080px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { margin-top: 2.4rem; }
h3 { margin: 1.6rem 0 .4rem; font-size: 1rem; }
p.about, .tag, caption, summary { color: var(--muted); }
.tag { font-size: .75em; border: 1px solid var(--line); border-radius: .7em; padding: 0 .5em;
  white-space: nowrap; }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; }
.wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--muted); font-weight: 600; }
.big { display: flex; flex-wrap: wrap; gap: 1rem 2.4rem; margin: 1.4rem 0; }
.big div { max-width: 19rem; } .big b { display: block; font-size: 2rem; line-height: 1.2; }
.damage { border-left: 4px solid #d2608f; padding: .4rem .8rem; }
.key span { margin-right: 1.2rem; } .key i { display: inline-block; width: .8em; height: .8em;
  margin-right: .4em; }
.hatched { background: repeating-linear-gradient(45deg, #d2608f 0 2px, #d2608f55 2px 5px); }
details { margin: .4rem 0 1rem; }
"""


def write(recording: Recording, out: Path) -> None:
    """Write a session's report. Raises `ExportFailed`."""
    with replacing(out) as file:
        file.write_text(page(recording), "utf-8", "replace")


def page(recording: Recording) -> str:
    """The report as HTML."""
    turns = list(figures.turns(recording))
    title = f"PADS Live session {recording.folder.name}"
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            "style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{_STYLE}{drawing.STYLE}</style></head><body>",
            drawing.HATCH,
            *_head(recording, turns),
            *(part for one in recording.conversations for part in _conversation(one, recording)),
            *_charts(turns),
            *_circumstances(recording),
            "</body></html>",
        ]
    )


def _head(recording: Recording, turns: Sequence[TurnFigures]) -> Iterator[str]:
    yield "<h1>A conversation with PADS Live</h1>"
    heard = ", ".join(f"“{one.source}”" for one in recording.conversations) or "nothing"
    ended = "" if recording.status == "finished" else f" ({recording.status})"
    yield f'<p class="about">{escape(f"{recording.started}{ended} · heard: {heard}")}</p>'
    if recording.damage:
        yield f'<p class="damage">{escape(recording.damage)}</p>'
    yield (
        "<p>PADS starts the deep layers of a language model inside the pauses of a conversation. "
        "Work that was done before the turn was over is hidden; work after it is waited for; a "
        "wrong guess is thrown away, and nothing of it is shown.</p>"
    )
    yield '<div class="big">'
    for name, figure in figures.totals(turns).items():
        number = escape(charts.milliseconds(figure))
        yield f"<div><b>{number}</b>{_NAMES[name]} {_tag(figure)}</div>"
    yield "</div>"
    yield (
        '<p class="key">'
        '<span><i style="background:#8c8cf5"></i>shallow layers</span>'
        '<span><i style="background:#2ed3a4"></i>deep, hidden in a pause</span>'
        '<span><i style="background:#f0a72f"></i>deep, visible as waiting</span>'
        '<span><i class="hatched"></i>deep, thrown away</span></p>'
    )


def _conversation(one: Conversation, recording: Recording) -> Iterator[str]:
    pads = {True: "PADS on", False: "PADS off", None: "PADS unknown"}[one.pads]
    yield f"<h2>{one.number}. {escape(one.source)}</h2>"
    turns = [figures.of_turn(one, turn, recording.evidence) for turn in one.timeline.turns]
    length = f"{one.timeline.now_s:.0f} s"
    yield f'<p class="about">{length} {_tagged(recording.evidence)} · {pads} at its start</p>'
    whole = f"All of conversation {one.number}: sound, turn end, verdicts, work, replies"
    yield drawing.svg(one.timeline, 0.0, one.timeline.now_s, whole, recording.evidence)
    for turn in turns:
        yield from _turn(turn, recording.evidence)


def _turn(one: TurnFigures, evidence: Evidence) -> Iterator[str]:
    turn = one.turn
    heard = escape(turn.text or "(no words)")
    yield f"<h3>Turn {one.conversation.number}.{turn.number}: {heard}</h3>"
    if (reply := one.reply) is not None:
        ended = "" if reply.reason == "eos" else f" ({reply.reason})"
        drafted = f"{reply.accepted} of {reply.drafted} drafted tokens kept"
        yield f"<p>{escape(reply.text.strip() + ended)}</p>"
        yield f'<p class="about">{drafted} {_tagged(evidence)}</p>'
    names = ("first_word", "without_pads", "perceived", *figures.FATES)
    cells = [[charts.figure(one, name) for name in names]]
    yield _table(
        ("to the first word", "without PADS", "from end of speech", "hidden", "visible", "wasted"),
        cells,
    )
    shape = drawing.svg(
        one.conversation.timeline,
        turn.start_s - _MARGIN_S,
        turn.end_s + _MARGIN_S,
        f"Turn {turn.number}",
        evidence,
    )
    yield f"<details><summary>Timeline of this turn</summary>{shape}</details>"


def _charts(turns: Sequence[TurnFigures]) -> Iterator[str]:
    yield "<h2>The ledger</h2>"
    rows: list[list[str | Figure]] = [
        [
            f"{one.conversation.number}.{one.turn.number}",
            *(charts.figure(one, f) for f in figures.FATES),
        ]
        for one in turns
    ]
    sums = figures.totals(turns)
    rows.append(["all", *(sums[fate] for fate in figures.FATES)])
    yield _table(("turn", "hidden in pauses", "visible as waiting", "thrown away"), rows)
    for title, chart, tag in (
        ("Deep work by turn and fate", charts.ledger(turns), "derived where a step was cut in two"),
        ("Time to the first word, with PADS above and without it below", charts.waits(turns), ""),
    ):
        if chart:
            note = f" ({tag})" if tag else ""
            yield f"<h3>{title}</h3>{chart}<p class='about'>Tags stand in the tables{note}.</p>"


def _circumstances(recording: Recording) -> Iterator[str]:
    details = recording.details
    yield "<h2>Where the numbers come from</h2>"
    yield _table(("tag", "meaning"), [[tag.value, said] for tag, said in _MEANINGS.items()])
    for title, name in (
        ("Machine", "machine"),
        ("Program", "code"),
        ("Environment", "environment"),
        ("Language model", "decoder"),
        ("Settings at the start", "settings"),
    ):
        content = details.get(name)
        yield f"<h2>{title}</h2>"
        if isinstance(content, dict) and content:
            yield _table((title.lower(), "value"), _flat(content))
        else:
            yield "<p>unavailable: the session did not record it</p>"


def _flat(content: dict[str, Any], prefix: str = "") -> Iterator[list[str]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            items = value if isinstance(value, list) else [value]
            words = ", ".join("unknown" if item is None else str(item) for item in items)
            yield [f"{prefix}{name}", words or "none"]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str | Figure]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(c)}</td>' for c in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _cell(content: str | Figure) -> str:
    if isinstance(content, Figure):
        return f"{escape(charts.milliseconds(content))} {_tag(content)}"
    return escape(content)


def _tag(figure: Figure) -> str:
    why = f": {figure.reason}" if figure.reason else ""
    return f'<span class="tag">{escape(f"{figure.evidence}{why}")}</span>'


def _tagged(evidence: Evidence) -> str:
    return f'<span class="tag">{evidence}</span>'
