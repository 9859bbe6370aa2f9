"""The report as a browser reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from engine.history import recording, report

_VOID = {"meta"}
_HOSTILE = '<script>alert("1")</script>&amp;\'"><img src=x onerror=y>'


class Page(HTMLParser):
    """What is in a page; fails on a tag that is closed in another than it was opened in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_it_stands_alone_and_says_what_happened(session: Path, tmp_path: Path) -> None:
    read_back = recording.read(session)
    report.write(read_back, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text("utf-8")
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "a", "object"} & set(page.tags)
    assert not {"src", "href", "onload", "onerror"} & {name for name, _ in page.attributes}
    assert not re.search(r"https?:|@import|url\((?!#hatch)", text)
    words = " ".join(page.words)
    (one,) = read_back.conversations
    assert one.timeline.turns[0].text in words
    assert one.replies[1].text.strip() in words
    assert read_back.details["environment"]["system"] in words
    assert read_back.details["decoder"]["model"] in words
    assert "decoder.exit_layer" in words
    assert page.tags.count("svg") >= 4


def test_every_time_has_its_evidence_beside_it(session: Path) -> None:
    text = report.page(recording.read(session))
    tagged = r'ms</b>[^<]*<span class="tag">|ms <span class="tag">'
    told = re.findall(r"(?:>|^)[\d,]+ ms(?:</b>|\s*<span)", text)
    assert len(told) >= 6 + 6 + 6
    assert len(re.findall(tagged, text)) == len(told)
    titles = [t for t in re.findall(r"<title>([^<]*)</title>", text) if re.search(r"\d ms", t)]
    assert titles
    assert all(re.search(r"\[(measured|derived)\]$", title) for title in titles)


def test_whatever_was_said_stays_words(
    altered: Callable[[Callable[[dict[str, Any]], None]], Path],
) -> None:
    def attack(record: dict[str, Any]) -> None:
        for key in ("text", "name", "reason", "act"):
            if key in record:
                record[key] = _HOSTILE

    page = Page(report.page(recording.read(altered(attack))))
    assert not {"script", "img"} & set(page.tags)
    assert not {"src", "onerror"} & {name for name, _ in page.attributes}
    assert any(_HOSTILE in words for words in page.words)


def test_a_damaged_session_says_so_and_what_is_unknown(session: Path) -> None:
    (session / "manifest.json").unlink()
    file = session / "events.jsonl"
    file.write_bytes(file.read_bytes()[:-3])
    words = " ".join(Page(report.page(recording.read(session))).words)
    assert "This session is damaged" in words
    assert "unavailable: the session did not record it" in words


@pytest.mark.parametrize("events", [b"", b"garbage\n"])
def test_a_session_without_a_turn_still_makes_a_page(session: Path, events: bytes) -> None:
    (session / "events.jsonl").write_bytes(events)
    words = " ".join(Page(report.page(recording.read(session))).words)
    assert "unavailable: no turn was answered" in words
