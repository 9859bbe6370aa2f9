"""The words of a turn as the panel shows them."""

import pytest
from PySide6.QtGui import QPalette
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.conversation import Conversation
from engine import events
from tests.app.conftest import Wear


@pytest.fixture
def panel(qtbot: QtBot, themed: Wear) -> Conversation:
    panel = Conversation()
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def test_words_are_dimmed_until_they_are_sure(panel: Conversation) -> None:
    panel.take(events.StateChanged(heard_s=1, turn=1, state=events.TurnState.SPEAKING))
    assert panel._person is not None
    words = panel._person.text
    seen = []
    for text, final in (("What is", False), ("What is the", False), ("What is the time?", True)):
        panel.take(events.Transcribed(heard_s=2, turn=1, text=text, final=final, elapsed_ms=100.0))
        seen.append((words.text(), words.palette().color(QPalette.ColorRole.WindowText).name()))
    dimmed, sure = theme.MUTED.name(), theme.TEXT.name()
    assert seen == [
        ("What is …", dimmed),
        ("What is the …", dimmed),
        ("What is the time? …", sure),
    ]


def test_the_spoken_part_of_a_reply_is_marked(panel: Conversation) -> None:
    panel.take(events.TurnCommitted(heard_s=1, turn=1, text="Why?", from_branch=False))
    panel.take(events.ReplyServed(heard_s=1, turn=1, text=" It <is> so. Since"))
    panel.take(events.VoiceStarted(heard_s=1, turn=1, engine="espeak-ng"))
    assert panel._reply is not None
    shown = panel._reply.text
    panel.take(events.VoiceSpoke(heard_s=2, turn=1, spoken=" It <is>"))
    muted = f"<span style='color:{theme.MUTED.name()}'>"
    assert shown.text() == f"It &lt;is&gt;{muted} so. Since</span>"
    panel.take(events.ReplyServed(heard_s=2, turn=1, text=" ever."))
    assert shown.text() == f"It &lt;is&gt;{muted} so. Since ever.</span>"
    assert shown.accessibleName() == "It <is> so. Since ever."
    panel.take(
        events.VoiceStopped(
            heard_s=3, turn=1, spoken=" It <is> so.", reason="interrupted", late_blocks=2
        )
    )
    assert shown.text() == f"It &lt;is&gt; so.{muted} Since ever.</span>"
    note = panel._reply.note.text()
    assert "interrupted it after 3 words (derived)" in note
    assert "2 blocks of its sound came late (measured)" in note
