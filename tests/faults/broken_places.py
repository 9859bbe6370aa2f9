"""Programs that lost a defence against places that vanish, fill up or cannot be written."""

from __future__ import annotations

from tests.faults.breaking import Patches, Red, blind
from tests.faults.broken_conversations import a_dead_decoder_is_not_started_again
from tests.faults.broken_programs import APP, HOST, errors_are_not_put_into_sentences


def a_deleted_file_seems_written(_: str) -> Patches:
    from engine.records import session_log

    return [(session_log, "check_there", lambda descriptor, path: None)]


def a_lost_place_is_not_put_into_a_sentence(_: str) -> Patches:
    from engine.speculation import split

    return [(split, "make_folder", lambda cache: cache.mkdir(parents=True, exist_ok=True))]


def a_full_output_is_not_expected(_: str) -> Patches:
    from engine import cli

    return [(cli, "_output_fails", lambda: False)]


def a_deleted_run_is_not_expected(_: str) -> Patches:
    from engine.jobs import runner

    return blind(runner, "JobFailed")


RED: tuple[Red, ...] = (
    Red(
        "data-deleted",
        a_deleted_file_seems_written,
        "it was not said that nothing is recorded",
        places=(APP,),
    ),
    Red(
        "cache-read-only",
        a_lost_place_is_not_put_into_a_sentence,
        "it ended with status 1 (pads: The language model could not be started",
        places=(HOST,),
        quick=True,
    ),
    Red("halves-shortened", a_dead_decoder_is_not_started_again, "never reached", places=(APP,)),
    Red("output-full", a_full_output_is_not_expected, "status 1 (OSError", places=(APP,)),
    Red("job-folder-deleted", a_deleted_run_is_not_expected, "has no readable manifest"),
    Red("files-few", errors_are_not_put_into_sentences, "it ended with status", places=(APP,)),
)
