"""DailyDialog as it is, and damaged in every way that could pass unseen."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from engine.errors import DataUnavailable
from engine.training.corpora import archive, dailydialog
from engine.training.corpora.dailydialog import Split


def write(folder: Path, texts: str, acts: str) -> Path:
    """An unpacked corpus with a test split of these contents."""
    (folder / "test").mkdir()
    (folder / "test" / "dialogues_test.txt").write_text(texts, "utf-8")
    (folder / "test" / "dialogues_act_test.txt").write_text(acts, "utf-8")
    return folder


def read(place: Path) -> Split:
    with archive.opened(dailydialog.find(place)) as corpus:
        return dailydialog.read(corpus, "test")


def test_the_real_test_split_has_its_published_size(data: Path) -> None:
    split = read(data)
    assert len(split.texts) == len(split.acts) == len(split.dialogues) == 7740
    assert split.dialogues[-1] == 999
    assert split.texts[0] == "Hey man , you wanna buy some weed ?"
    assert split.acts[0] == 2  # the corpus's 3, directive


def test_utterances_are_split_stripped_and_kept_in_order(tmp_path: Path) -> None:
    # U+2028 and U+0085 are line ends to str.splitlines, and both occur in real utterances.
    texts = " Hi \u2028 there . __eou__ What\x85? __eou__\nFine . __eou__\n"
    split = read(write(tmp_path, texts, "1 2 \n4 \n"))
    assert split.texts == ["Hi \u2028 there .", "What\x85?", "Fine ."]
    assert split.acts.tolist() == [0, 1, 3]
    assert split.dialogues.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("texts", "acts", "words"),
    [
        ("Hi . __eou__\nYo . __eou__\n", "1\n", "has 1 lines for 2 dialogues"),
        ("Hi . __eou__ Yo . __eou__\n", "1\n", "in line 1"),
        ("Hi . __eou__\nYo . __eou__\n", "1\n5\n", "in line 2"),
        ("Hi . __eou__\n", "one\n", "in line 1"),
    ],
)
def test_texts_and_acts_that_do_not_pair_up_are_named(
    tmp_path: Path, texts: str, acts: str, words: str
) -> None:
    with pytest.raises(DataUnavailable, match=rf"dialogues_act_test\.txt.*{words}"):
        read(write(tmp_path, texts, acts))


def test_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, "", "1\n")
    (folder / "test" / "dialogues_test.txt").write_bytes(b"caf\xe9 __eou__\n")
    with pytest.raises(DataUnavailable, match=r"dialogues_test\.txt .*not UTF-8"):
        read(folder)


def test_a_missing_file_and_a_broken_zip_are_named(tmp_path: Path, data: Path) -> None:
    with zipfile.ZipFile(tmp_path / dailydialog.FILE, "w") as packed:
        packed.writestr("test/dialogues_test.txt", "Hi . __eou__\n")
    with pytest.raises(DataUnavailable, match=r"dialogues_act_test\.txt .*is missing"):
        read(tmp_path)
    content = (data / dailydialog.FILE).read_bytes()
    (tmp_path / dailydialog.FILE).write_bytes(content[: len(content) // 2])
    with pytest.raises(DataUnavailable, match="cannot be opened"):
        read(tmp_path)


def test_a_flipped_byte_inside_the_zip_is_noticed(tmp_path: Path, data: Path) -> None:
    content = bytearray((data / dailydialog.FILE).read_bytes())
    with zipfile.ZipFile(data / dailydialog.FILE) as packed:
        content[packed.getinfo("test/dialogues_test.txt").header_offset + 5000] ^= 0xFF
    (tmp_path / dailydialog.FILE).write_bytes(content)
    with pytest.raises(DataUnavailable, match=r"dialogues_test\.txt .*cannot be read"):
        read(tmp_path)


def test_without_a_data_folder_the_error_says_how_to_get_the_corpus() -> None:
    with pytest.raises(DataUnavailable, match=r"PADS_DATA .*Li et al\. 2017"):
        dailydialog.find(None)


def test_a_folder_without_the_corpus_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADS_DATA", str(tmp_path / "empty"))
    with pytest.raises(DataUnavailable, match=re.escape(str(tmp_path / "empty"))):
        dailydialog.find(None)
