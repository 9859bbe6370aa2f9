"""Readers of files that lost a defence. Products are imported where a break is made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.faults.breaking import Patches, Red, blind


def settings_expect_whole_files(_: str) -> Patches:
    from engine import settings

    return blind(settings, "TOMLKitError", "ValueError")


def the_log_expects_whole_lines(_: str) -> Patches:
    from engine.records import session_log

    return blind(session_log, "ValueError")


def records_expect_whole_files(_: str) -> Patches:
    from engine.records import folders

    return blind(folders, "ValueError")


def metrics_expect_whole_lines(_: str) -> Patches:
    from engine.records import runs

    return blind(runs, "ValueError")


def progress_expects_whole_lines(_: str) -> Patches:
    from engine.records import progress

    return blind(progress, "ValueError")


def the_manifest_expects_whole_files(_: str) -> Patches:
    from engine.store import manifest

    return blind(manifest, "ValueError")


def the_head_expects_whole_files(_: str) -> Patches:
    from engine.turntaking import head

    return blind(head, "ValueError")


def the_classifier_expects_a_whole_description(_: str) -> Patches:
    from engine.dialogue_act import weights

    return blind(weights, "ValueError")


def the_classifier_expects_whole_arrays(_: str) -> Patches:
    from engine.dialogue_act import weights

    return [(weights, "_DAMAGE", ())]


def archives_are_expected_to_be_whole(_: str) -> Patches:
    from engine.training.corpora import archive

    return [(archive, "_DAMAGE", ())]


def chats_are_expected_to_be_whole(_: str) -> Patches:
    from engine.training.corpora import chats

    return blind(chats, "ValueError")


def recordings_are_expected_to_be_whole(_: str) -> Patches:
    import soundfile

    return blind(soundfile, "SoundFileError")


def settings_may_have_any_size(_: str) -> Patches:
    import tomlkit

    from engine import settings

    return [(settings, "_read", lambda path: tomlkit.document())]


def members_may_have_any_size(_: str) -> Patches:
    from engine.training.corpora import archive

    return [(archive, "_MEMBER_BYTES", 2**40)]


def archives_are_unpacked(_: str) -> Patches:
    from engine.training.corpora import archive

    opened = archive.opened

    def unpacking(place: Path) -> Any:
        import zipfile

        with zipfile.ZipFile(place) as packed:
            packed.extractall(place.parent)
        return opened(place)

    return [(archive, "opened", unpacking)]


def the_manifest_checks_no_entry(_: str) -> Patches:
    from engine.store import manifest

    return [(manifest, "_check", lambda model: None)]


def a_shell_is_asked_for_the_file(_: str) -> Patches:
    import subprocess

    from engine.audio import decoding

    opened = decoding.opened

    def asking(path: Path) -> Any:
        subprocess.run(
            f"test -f {path}", shell=True, cwd=path.parent, stderr=subprocess.DEVNULL, check=False
        )
        return opened(path)

    return [(decoding, "opened", asking)]


def a_record_is_expected_to_be_a_file(_: str) -> Patches:
    from engine.records import folders

    return [(folders, "read_json", lambda path: json.loads(path.read_text()))]


def settings_are_written_in_place(_: str) -> Patches:
    import tomlkit

    from engine import settings

    def save(chosen: settings.Settings, path: Path) -> None:
        document = settings._read(path)
        settings._merge(chosen, document)
        path.write_text(tomlkit.dumps(document))

    return [(settings, "save", save)]


def added_records_are_expected_to_be_whole(_: str) -> Patches:
    from engine.store import library

    return blind(library, "ValueError")


def files_are_read_to_their_end(_: str) -> Patches:
    from engine import reading

    return [(reading, "whole", lambda path, most: path.read_bytes())]


def pipes_are_waited_for(_: str) -> Patches:
    import os

    from engine import reading

    return [(reading, "_at_once", os.open)]


def document_types_are_allowed(_: str) -> Patches:
    from engine.training.corpora import ami

    return [(ami._Reader, "_refuse", lambda *_: None)]


def a_report_does_not_escape(_: str) -> Patches:
    from engine.history import report

    return [(report, "escape", str)]


_GAVE = {
    "settings": settings_expect_whole_files,
    "session-log": the_log_expects_whole_lines,
    "session-manifest": records_expect_whole_files,
    "run-manifest": records_expect_whole_files,
    "run-metrics": metrics_expect_whole_lines,
    "job-progress": progress_expects_whole_lines,
    "model-manifest": the_manifest_expects_whole_files,
    "record-of-an-added-model": added_records_are_expected_to_be_whole,
    "turn-end-weights": the_head_expects_whole_files,
    "classifier-weights": the_classifier_expects_a_whole_description,
    "classifier-arrays": the_classifier_expects_whole_arrays,
    "corpus": archives_are_expected_to_be_whole,
    "chats": chats_are_expected_to_be_whole,
    "wav": recordings_are_expected_to_be_whole,
    "flac": recordings_are_expected_to_be_whole,
    "ogg": recordings_are_expected_to_be_whole,
}

RED: tuple[Red, ...] = (
    *(Red(f"file-{kind}", broken, "… gave ", quick=True) for kind, broken in _GAVE.items()),
    Red("files-huge", settings_may_have_any_size, "settings.toml was read", quick=True),
    Red("files-huge", members_may_have_any_size, "corpus.zip was read", quick=True),
    Red("files-leaving", archives_are_unpacked, "a file was written outside", quick=True),
    Red(
        "files-leaving",
        the_manifest_checks_no_entry,
        "that leaves the models folder was taken",
        quick=True,
    ),
    Red("files-strange-names", a_shell_is_asked_for_the_file, "a name was obeyed", quick=True),
    Red("files-no-files", a_record_is_expected_to_be_a_file, "IsADirectoryError", quick=True),
    Red(
        "files-endless",
        files_are_read_to_their_end,
        "512 MB in place of the settings gave MemoryError",
        quick=True,
    ),
    Red(
        "files-endless",
        pipes_are_waited_for,
        "a pipe in place of the settings was waited for",
        quick=True,
    ),
    Red(
        "files-bombs",
        document_types_are_allowed,
        "a member that refers to a file was taken",
        quick=True,
    ),
    Red("files-bombs", files_are_read_to_their_end, "MemoryError", quick=True),
    Red("session-hostile", a_report_does_not_escape, "became a tag", quick=True),
    Red("disk-full-replacing", settings_are_written_in_place, "the settings became", quick=True),
    Red(
        "two-save-settings",
        settings_are_written_in_place,
        "settings",
        places=("engine.faults.saving",),
        quick=True,
    ),
)
