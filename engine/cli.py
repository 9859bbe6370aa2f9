"""The verbs of `pads`: each prints words for people, or with `--json` one object a line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine import commands, events, paths, settings
from engine.errors import PadsError
from engine.evaluation.conversations import live, recovery
from engine.evaluation.conversations.conversation import Summary, converse, with_pads
from engine.evaluation.decoding import cost_model, decode, identity
from engine.evaluation.machine import doctor
from engine.events import Event
from engine.faults import command as faults
from engine.history import commands as history
from engine.jobs import commands as jobs
from engine.jobs import rehearse
from engine.records.output import print_record
from engine.store import commands as models


def main(
    argv: list[str],
    picture: history.Writer | None = None,
    more: Callable[[Any, Any], None] = lambda _verbs, _benches: None,
) -> int:
    """Run one verb; 0 on success, 1 with one sentence on standard error otherwise.

    `picture` draws a session as the window does, where there can be one, and `more` adds the
    verbs and benches that need a window.
    """
    arguments = _parser(picture, more).parse_args(argv)
    _end_in_order()
    try:
        code = int(arguments.run(arguments))
        if sys.stdout is not None:  # it is where a program has been given none
            sys.stdout.flush()
        return code
    except PadsError as exc:
        print(f"pads: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of the output is gone
        _forget_output()
        return 0
    except OSError as exc:
        if not _output_fails():
            raise
        _forget_output()
        print(
            f"pads: What it says cannot be written ({exc.strerror or exc}): make room on the disk, "
            "or have it written elsewhere",
            file=sys.stderr,
        )
        return 1


def _output_fails() -> bool:
    """Whether an error came from standard output: then it does not take an empty line either."""
    try:
        print(flush=True)
    except OSError:
        return True
    return False


def _forget_output() -> None:
    """What is left in its buffer has nowhere to go, and would be tried again at the exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(
    picture: history.Writer | None, more: Callable[[Any, Any], None]
) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pads", description="Hide language-model decoding inside the pauses of a conversation."
    )
    verbs = parser.add_subparsers(dest="verb", required=True)

    replay = verbs.add_parser("replay", help="run an audio file through the engine")
    replay.add_argument("file", type=Path)
    _conversation(replay, _replay)

    listen = verbs.add_parser("listen", help="listen to the microphone; Ctrl+C ends it")
    listen.add_argument("--device", help="the input's name (default: the system's)")
    listen.add_argument("--seconds", type=float, help="stop after this long")
    _conversation(listen, _listen)

    bench = verbs.add_parser("bench", help="measure this machine")
    kinds = bench.add_subparsers(dest="kind", required=True)
    live.add_parser(kinds)
    identity.add_parser(kinds)
    decode.add_parser(kinds)
    cost_model.add_parser(kinds)
    recovery.add_parser(kinds)

    jobs.add_parser(verbs)
    models.add_parser(verbs)
    history.add_parser(verbs, picture)
    rehearse.add_parser(verbs)
    doctor.add_parser(verbs)
    faults.add_parser(verbs)
    more(verbs, kinds)
    return parser


def _conversation(
    parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]
) -> None:
    parser.add_argument("--pads", choices=("on", "off"), help="speculate in pauses or not")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--log", action="store_true", help="record the session's events")
    parser.set_defaults(run=run)


def _replay(arguments: argparse.Namespace) -> int:
    return _converse(arguments, commands.OpenFile(path=str(arguments.file)), None)


def _listen(arguments: argparse.Namespace) -> int:
    chosen = arguments.device or settings.load(paths.settings_file()).microphone
    return _converse(arguments, commands.OpenMicrophone(name=chosen), arguments.seconds)


def _converse(
    arguments: argparse.Namespace,
    source: commands.OpenFile | commands.OpenMicrophone,
    seconds: float | None,
) -> int:
    chosen = settings.load(paths.settings_file())
    if arguments.pads is not None:
        chosen = with_pads(chosen, arguments.pads == "on")
    summary = converse(
        chosen,
        source,
        seconds=seconds,
        see=_print_json if arguments.json else _print_words,
        log_folder=paths.sessions() if arguments.log else None,
    )
    if arguments.json:
        print_record(summary.record())
    else:
        print(_summary_words(summary))
    return 0


def _print_json(event: Event) -> None:
    print_record(events.to_record(event))


def _print_words(event: Event) -> None:
    match event:
        case events.EngineProgress():
            print(f"{event.step} …", file=sys.stderr)
        case events.GateDecided():
            lamp = "start" if event.triggered else "wait"
            print(
                f"{event.heard_s:7.2f} s  gate: {lamp}  p_end {event.p_end:.2f}  "
                f"p_deep {event.p_deep:.2f}  ({event.reason}; {event.gate_ms:.0f} ms)"
            )
        case events.BranchDiscarded():
            print(f"{event.heard_s:7.2f} s  thrown away: {event.reason}")
        case events.TurnCommitted():
            print(f"{event.heard_s:7.2f} s  you:   {event.text}")
        case events.ReplyFinished():
            print(f"{event.heard_s:7.2f} s  reply: {event.text}")
        case events.Problem() if not isinstance(event, events.EngineFailed):
            print(f"pads: {event.message}", file=sys.stderr)


def _summary_words(summary: Summary) -> str:
    record = summary.record()
    ttft = record["post_confirmation_ttft_ms"]["median"]
    return (
        f"{record['turns']} turns, {record['replies']} replies, {record['triggers']} early starts, "
        f"{record['discards']} thrown away; deep work hidden {record['hidden_ms']:.0f} ms, visible "
        f"{record['visible_ms']:.0f} ms, wasted {record['wasted_ms']:.0f} ms; first word "
        f"{'unavailable: no reply' if ttft is None else f'{ttft:.0f} ms'} after the turn's end "
        f"(median) [measured]"
    )


def _end_in_order() -> None:
    """End as on Ctrl+C when told to, and at a logout unless started to outlive it (`nohup`)."""
    signal.signal(signal.SIGTERM, _interrupt)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _interrupt)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
