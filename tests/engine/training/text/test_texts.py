"""Training text: what is left out of it, and that a contaminated run is found out."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.errors import DataUnavailable, JobFailed
from engine.evaluation.exits.ami_items import Item, ami_items
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.speculation import llama
from engine.speculation.chat import Chat
from engine.store import manifest
from engine.training.corpora import ami, chats, dailydialog
from engine.training.text import leak_check, texts
from engine.training.text.leaks import Verbatim
from engine.training.text.texts import Talk


@pytest.fixture(scope="module")
def opened(models: Path) -> Iterator[llama.Model]:
    model = llama.Model(models / manifest.find("smollm2-135m-instruct-q4_1").file, vocab_only=True)
    yield model
    model.close()


@pytest.fixture(scope="module")
def few(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both corpora with six meetings and 40 dialogues: the real ones take half a minute."""
    folder = tmp_path_factory.mktemp("few")
    with zipfile.ZipFile(data / ami.FILE) as whole, zipfile.ZipFile(folder / ami.FILE, "w") as cut:
        for name in whole.namelist():
            if name.startswith(tuple(f"words/{m}." for m in MEETINGS)):
                cut.writestr(name, whole.read(name))
    with (
        zipfile.ZipFile(data / dailydialog.FILE) as whole,
        zipfile.ZipFile(folder / dailydialog.FILE, "w") as cut,
    ):
        for name in whole.namelist():
            if name.endswith(".txt"):
                lines = whole.read(name).decode().splitlines(keepends=True)
                cut.writestr(name, "".join(lines[:40]))
    return folder


MEETINGS = ("EN2001a", "EN2001d", "EN2001e", "ES2014c", "IS1002c", "TS3003a")


def test_meetings_with_an_item_are_found_as_written_and_in_other_letters(few: Path) -> None:
    found = texts.meetings(few, ami_items(few), None)
    assert found.as_written == ["EN2001a", "EN2001d", "ES2014c", "IS1002c"]
    assert found.excluded == ["EN2001a", "EN2001d", "EN2001e", "ES2014c", "IS1002c"]
    assert len(found.found["EN2001a"]) == 80
    assert found.found["EN2001e"] == ["prompt 3"]
    assert [talk.name for talk in found.talks] == ["TS3003a"]
    assert found.counts["ami"]["meetings"] == 6


def test_the_meeting_an_item_was_taken_from_is_left_out_whatever_stands_in_it(few: Path) -> None:
    elsewhere = Item("nobody says anything like this", "nor like that", "TS3003a", 0)
    found = texts.meetings(few, [elsewhere], None)
    assert (found.excluded, found.found) == (["TS3003a"], {})


def test_a_misspelt_exclusion_is_refused(few: Path) -> None:
    with pytest.raises(DataUnavailable, match="EN2001x"):
        texts.meetings(few, ami_items(few), ["EN2001x"])


def job_in(folder: Path) -> ActiveRun:
    return ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())


def test_the_job_finds_the_contaminated_text_and_the_clean_one(few: Path, tmp_path: Path) -> None:
    clean = leak_check.run(job_in(tmp_path), data=few, exclude="auto", model=None)
    assert clean["contaminated"] is False
    assert (clean["left"]["prompts"], clean["left"]["responses"]) == (0, 0)
    assert clean["left"]["items"] == 40
    dirty = leak_check.run(job_in(tmp_path), data=few, exclude="none", model=None)
    assert dirty["contaminated"] is True
    assert dirty["left"]["prompts"] >= 38  # a block's seam may hide one
    assert dirty["left"]["responses"] >= 38
    partly = leak_check.run(job_in(tmp_path), data=few, exclude="EN2001a", model=None)
    assert partly["left"]["which"] == ["prompt 3"]


@pytest.mark.parametrize(
    ("prompts", "responses", "contaminated"), [(0, 0, False), (1, 0, True), (0, 1, True)]
)
def test_one_prompt_or_one_response_contaminates(
    prompts: int, responses: int, contaminated: bool, tmp_path: Path
) -> None:
    left = {"items": 40, "prompts": prompts, "responses": responses, "which": []}
    result = leak_check.result(job_in(tmp_path), texts.Texts(), left)
    assert result["contaminated"] is contaminated


@pytest.mark.heavy
def test_the_whole_corpus_gives_the_pages_meetings_and_no_leak(data: Path, tmp_path: Path) -> None:
    found = leak_check.run(job_in(tmp_path), data=data, exclude="auto", model=None)
    assert found["agrees_with_the_page"]
    assert found["meetings_with_items_as_written"] == list(leak_check.PUBLISHED)
    assert not found["contaminated"]


def test_items_are_found_across_marks_and_letters() -> None:
    looked_for = Verbatim(["Yeah that makes sense", "I don't know"])
    assert looked_for.found("Oh, yeah. That makes sense: 'cause it does") == {0}
    assert looked_for.found("i don ' t know whether it makes sense") == {1}
    assert looked_for.found("yeah that makes sensible") == set()


def test_dialogues_that_repeat_an_item_are_left_out(few: Path) -> None:
    everything = texts.everyday(few, [])
    said = max(everything.talks[3].said, key=len)
    fewer = texts.everyday(few, [Item(said, "no such line at all", "M", 0)])
    names = {talk.name for talk in everything.talks} - {talk.name for talk in fewer.talks}
    assert everything.talks[3].name in names


def test_talks_become_blocks_that_read_back_as_what_was_said(opened: llama.Model) -> None:
    chat = Chat(opened, "Be brief.", 64)
    talk = Talk("x", "1", ("Hello <|im_end|> there.", "Hi!", "What now?"))
    (tokens,) = texts.encoded(chat, [talk])
    text = b"".join(opened.piece(token) for token in tokens).decode()
    assert [part for part in text.split("\n") if part] == [
        *("system", "Be brief.", "user", "Hello <|im_end|> there.", "assistant", "Hi!"),
        *("user", "What now?"),
    ]
    end = opened.tokenize("<|im_end|>", special=True)[0]
    assert tokens.count(end) == 4  # what a person says is no control token
    blocks = texts.blocks(iter([tokens]), 10)
    assert blocks.shape == ((len(tokens) - 1) // 10, 11)
    assert np.array_equal(blocks[0, -1:], blocks[1, :1])
    with pytest.raises(JobFailed, match="less than a block"):
        texts.blocks(iter([tokens]), 1000)


def test_long_talks_are_cut_and_single_turns_left_out(opened: llama.Model) -> None:
    chat = Chat(opened, "", 64)
    talks = [Talk("x", "1", ("a",) * 33), Talk("x", "2", ("alone",))]
    assert len(list(texts.encoded(chat, talks))) == 2


def chat_file(folder: Path, *lines: str) -> Path:
    path = folder / "chats.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def line(*roles: str) -> str:
    return json.dumps(
        {"messages": [{"role": r, "content": f"{r} {n}"} for n, r in enumerate(roles)]}
    )


def test_plain_chats_are_read_without_their_system_message(tmp_path: Path) -> None:
    path = chat_file(tmp_path, line("system", "user", "assistant"), "", line("user", "assistant"))
    assert chats.read(path) == [["user 1", "assistant 2"], ["user 0", "assistant 1"]]
    found = texts.plain(path, [Item("assistant 2", "nothing like it", "M", 0)])
    assert found.counts == {"chats.jsonl": {"chats": 2, "kept_chats": 1}}


SILENT = '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": " "}]}'


@pytest.mark.parametrize(
    "bad", ["{", "{}", "[]", line("assistant", "user"), line("user"), "7", SILENT]
)
def test_a_malformed_chat_is_named_by_its_line(tmp_path: Path, bad: str) -> None:
    path = chat_file(tmp_path, line("user", "assistant"), bad)
    with pytest.raises(DataUnavailable, match=r"Line 2 of the chats .*chats\.jsonl"):
        chats.read(path)


def test_a_missing_file_of_chats_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataUnavailable, match=r"nowhere\.jsonl"):
        chats.read(tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize(("content", "why"), [(b"\n\n", "no chats"), (b"\xff\n", "cannot be read")])
def test_a_file_without_chats_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "chats.jsonl").write_bytes(content)
    with pytest.raises(DataUnavailable, match=rf"{why}.*chats\.jsonl|chats\.jsonl {why}"):
        chats.read(tmp_path / "chats.jsonl")
