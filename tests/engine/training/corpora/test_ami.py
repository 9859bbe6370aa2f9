"""AMI words files: real ones, and those that must be refused."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from engine.errors import DataUnavailable
from engine.training.corpora import ami, archive
from engine.training.corpora.ami import Word

HEAD = b'<?xml version="1.0" encoding="ISO-8859-1"?>'
NITE = b'xmlns:nite="http://nite.sourceforge.net/"'


def document(body: bytes, head: bytes = HEAD) -> bytes:
    return head + b"<nite:root " + NITE + b">" + body + b"</nite:root>"


def test_elements_come_in_order_with_kind_text_and_times() -> None:
    words = ami.parse(
        document(
            b'<w nite:id="a" starttime="5.57" endtime="5.94">Caf\xe9</w>'
            b'<w nite:id="b" starttime="5.94" endtime="5.94" punc="true">.</w>'
            b'<vocalsound nite:id="c" type="laugh" starttime="7" endtime="8.5"/>'
            b'<w nite:id="d">Mm</w>'
        )
    )
    assert words == [
        Word("word", "Café", 5.57, 5.94),
        Word("punctuation", ".", 5.94, 5.94),
        Word("vocalsound", "", 7.0, 8.5),
        Word("word", "Mm", None, None),
    ]


BOMB = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (document(b"<w>&b;</w>", HEAD + BOMB), "document type"),
        (document(b"", HEAD + b'<!DOCTYPE x SYSTEM "file:///etc/passwd">'), "document type"),
        (document(b"<w>cut"), "not well-formed"),
        (b"", "not well-formed"),
        (b"<html></html>", "root"),
        (document(b'<w starttime="soon" endtime="2">x</w>'), "starttime='soon'"),
        (document(b'<w starttime="1" endtime="nan">x</w>'), "endtime='nan'"),
    ],
)
def test_malformed_files_are_refused_with_the_reason(content: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ami.parse(content)


def test_a_malformed_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / ami.FILE, "w") as packed:
        packed.writestr("words/ES1.A.words.xml", document(b"<w>cut"))
        packed.writestr("words/ES1.B.words.xml", document(b"<w>fine</w>"))
        packed.writestr("words/README", "no words")
    with archive.opened(ami.find(tmp_path)) as corpus:
        (meeting,) = ami.meetings(corpus)
    assert list(meeting.speakers) == ["B"]
    (problem,) = meeting.malformed
    assert problem.startswith("words/ES1.A.words.xml: not well-formed")


def test_the_real_corpus_has_its_meetings_and_excludes_by_name(data: Path) -> None:
    with archive.opened(ami.find(data)) as corpus:
        whole = ami.files(corpus)
        assert len(whole) == 171
        assert sum(map(len, whole.values())) == 687
        assert set(ami.BAD_TIMINGS) <= set(whole)
        held_out = ami.files(corpus, ["EN2001a", "TS3012d"])
        assert whole.keys() - held_out.keys() == {"EN2001a", "TS3012d"}
        with pytest.raises(DataUnavailable, match="EN2001x"):
            ami.files(corpus, ["EN2001x"])


def test_an_unpacked_corpus_reads_the_same(tmp_path: Path, data: Path) -> None:
    with zipfile.ZipFile(data / ami.FILE) as packed:
        names = [name for name in packed.namelist() if name.startswith("words/ES2003a.")]
        packed.extractall(tmp_path, names)
    with archive.opened(ami.find(data)) as zipped, archive.opened(ami.find(tmp_path)) as folder:
        (found,) = ami.meetings(folder)
        assert sorted(found.speakers) == ["A", "B", "C", "D"]
        for name in names:
            assert folder.read(name) == zipped.read(name)


def test_a_zip_without_words_is_no_ami_corpus(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / ami.FILE, "w") as packed:
        packed.writestr("README", "hello")
    with archive.opened(ami.find(tmp_path)) as corpus, pytest.raises(DataUnavailable):
        ami.files(corpus)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / ami.FILE, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("words/ES1.A.words.xml", bytes(65 * 2**20))
    with (
        archive.opened(ami.find(tmp_path)) as corpus,
        pytest.raises(DataUnavailable, match="too large"),
    ):
        list(ami.meetings(corpus))


def test_an_unpacked_file_too_large_for_the_corpus_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    huge = tmp_path / "words" / "ES1.A.words.xml"
    huge.touch()
    os.truncate(huge, 2**40)
    with (
        archive.opened(ami.find(tmp_path)) as corpus,
        pytest.raises(DataUnavailable, match="more than"),
    ):
        list(ami.meetings(corpus))
