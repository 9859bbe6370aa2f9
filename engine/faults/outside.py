"""Cases about files from outside: damaged ones, hostile ones, models."""

from __future__ import annotations

from engine.faults import files, hostile, models, sessions
from engine.faults.case import Case

_ALONE = "refused in one sentence; a crash is the reader's alone"
_READ_ALONE = f"read, or {_ALONE}"
_UNREAD = "refused in one sentence, before native code reads it"
_SAME_WITHOUT = "left out with a sentence, or used; the reply is the same"


def of_files() -> list[Case]:
    return [
        Case(
            name="files-huge",
            group="files",
            done="settings of 1 GB; a corpus's member that unpacks to 65 MB",
            expected="refused unread",
            check=hostile.huge,
        ),
        Case(
            name="files-leaving",
            group="files",
            done="a corpus and a model manifest with names that lead out of their folder",
            expected="nothing is written there, the manifest is refused",
            check=hostile.leaving,
        ),
        Case(
            name="files-strange-names",
            group="files",
            done="recordings named like orders to a shell or a terminal",
            expected="they are names",
            check=hostile.strange_names,
        ),
        Case(
            name="files-no-files",
            group="files",
            done="a folder and endless links where a record should be",
            expected="each counts as no record",
            check=hostile.read_json_of_nothing,
        ),
        Case(
            name="files-endless",
            group="files",
            done="instead of each file 512 MB, a device without end, a pipe that is silent",
            expected="read in little memory, or refused; nobody waits",
            check=hostile.endless,
            linux=True,
        ),
        Case(
            name="files-bombs",
            group="files",
            done="members of a corpus that unfold, refer to files, nest for ever, lead to devices",
            expected="each is malformed, and nothing is unfolded or followed",
            check=hostile.bombs,
            linux=True,
        ),
        Case(
            name="session-hostile",
            group="files",
            done=f"{sessions.SESSIONS} recorded sessions with impossible times, numbers and texts",
            expected="told, read and exported without what is impossible, or refused",
            check=sessions.hostile,
            linux=True,
        ),
    ]


def of_damage() -> list[Case]:
    return [
        Case(
            name=f"file-{name.replace(' ', '-').lower()}",
            group="files",
            done=f"the {name}: cut off, bits turned over, bytes put in, noise, another kind",
            expected="read, or refused in one sentence with a remedy; never anything else",
            check=files.refuses(reader),
        )
        for name, reader in files.READERS.items()
    ]


def of_models() -> list[Case]:
    return [
        Case(
            name=name,
            group="files",
            done=f"{what}: cut off, bits turned over, bytes put in, noise",
            expected=expected,
            check=check,
            heavy=name != "file-listening",
        )
        for name, what, expected, check in (
            ("file-gguf", "a language model", _ALONE, models.language_models),
            ("file-onnx", "a voice activity projection", _ALONE, models.projections),
            ("file-sound", "a recording, where it is decoded", _READ_ALONE, models.sounds),
            ("file-listening", "each ONNX and file of Whisper's", _UNREAD, models.installed),
            ("file-adapter", "an exit adapter", _SAME_WITHOUT, models.adapters),
        )
    ] + [
        Case(
            name="file-halves",
            group="files",
            done="each file that is kept of a cut model: a bit turned over, cut off, longer, noise",
            expected="made anew where it cannot be used; the reply is the same",
            check=models.halves,
            heavy=True,
        )
    ]
