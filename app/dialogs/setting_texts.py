"""What can be set, in plain words, by groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class When(Enum):
    """From when on a changed setting counts."""

    NOW = auto()
    START = auto()


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: its place in `engine.settings`, its name, what it does, its words by value."""

    path: str
    name: str
    about: str
    when: When
    words: dict[str, str] = field(default_factory=dict)
    unit: str = ""
    step: float = 0.05


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that belong together; reset together."""

    title: str
    rows: tuple[Row, ...]


def groups() -> tuple[Group, ...]:
    """All of them, in the language in force."""
    return (
        Group(translate("SettingTexts", "Appearance"), _appearance()),
        Group(translate("SettingTexts", "When deep work starts"), _gate()),
        Group(translate("SettingTexts", "Language model"), (*_drafting(), *_replying())),
        Group(translate("SettingTexts", "Training and evaluation"), _data()),
    )


def _appearance() -> tuple[Row, ...]:
    desktop = translate("SettingTexts", "As the desktop")
    return (
        Row(
            "appearance.colours",
            translate("SettingTexts", "Colours"),
            translate("SettingTexts", "Light and dark show the same; high contrast is bolder."),
            When.NOW,
            {
                "system": desktop,
                "dark": translate("SettingTexts", "Dark"),
                "light": translate("SettingTexts", "Light"),
                "high-contrast": translate("SettingTexts", "High contrast"),
            },
        ),
        Row(
            "appearance.text_percent",
            translate("SettingTexts", "Text size"),
            translate(
                "SettingTexts",
                "Everything written grows; where it no longer fits, the window scrolls.",
            ),
            When.NOW,
            unit=" %",
            step=25,
        ),
        Row(
            "appearance.language",
            translate("SettingTexts", "Language"),
            translate("SettingTexts", "Of the window. Conversations stay in English."),
            When.START,
            {"system": desktop, "en": "English", "de": "Deutsch"},
        ),
    )


def _gate() -> tuple[Row, ...]:
    return (
        Row(
            "gate.theta_end",
            translate("SettingTexts", "Start when your turn ends with probability"),
            translate(
                "SettingTexts",
                "Lower starts in more pauses, and throws more work away because you go on "
                "speaking. The dashed line in the lane “turn end” shows it.",
            ),
            When.NOW,
        ),
        Row(
            "gate.theta_deep",
            translate("SettingTexts", "Start when the answer needs depth with probability"),
            translate(
                "SettingTexts",
                "Questions and requests need depth, small talk mostly not. Lower starts for more "
                "of what you say.",
            ),
            When.NOW,
        ),
        Row(
            "gate.patience",
            translate("SettingTexts", "Patience"),
            translate(
                "SettingTexts",
                "How long you may be silent before your turn counts as over. Eager answers soon "
                "and cuts you off more often; patient waits longer.",
            ),
            When.NOW,
            {
                "eager": translate("SettingTexts", "Eager"),
                "balanced": translate("SettingTexts", "Balanced"),
                "patient": translate("SettingTexts", "Patient"),
            },
        ),
        Row(
            "speech.partials",
            translate("SettingTexts", "Read along while you speak"),
            translate(
                "SettingTexts",
                "Words are recognised while you speak, and the model's first layers read them. It "
                "takes a share of a core.",
            ),
            When.NOW,
        ),
    )


def _drafting() -> tuple[Row, ...]:
    return (
        Row(
            "decoder.speculation",
            translate("SettingTexts", "Draft ahead"),
            translate(
                "SettingTexts",
                "The first layers draft tokens that all layers then check. On a small model it "
                "can be slower than plain decoding.",
            ),
            When.START,
            {
                "always": translate("SettingTexts", "Always, to show it"),
                "auto": translate("SettingTexts", "Where it was measured to be faster"),
                "never": translate("SettingTexts", "Never"),
            },
        ),
        Row(
            "decoder.exit_layer",
            translate("SettingTexts", "Exit layer"),
            translate(
                "SettingTexts",
                "After how many layers a draft is made. Fewer are faster, but fewer of their "
                "drafts are kept.",
            ),
            When.START,
            step=1,
        ),
        Row(
            "decoder.draft_tokens",
            translate("SettingTexts", "Tokens drafted at a time"),
            translate("SettingTexts", "More gain where drafts are kept, and cost where not."),
            When.START,
            step=1,
        ),
        Row(
            "decoder.exit_adapter",
            translate("SettingTexts", "Use a trained exit"),
            translate(
                "SettingTexts",
                "Draft from a layer that was trained for this exit, where there is one.",
            ),
            When.START,
        ),
        Row(
            "decoder.exit_policy",
            translate("SettingTexts", "Exit policy"),
            translate(
                "SettingTexts",
                "The first two serve exactly what the whole model would say; the others serve "
                "unchecked tokens of the first layers.",
            ),
            When.START,
            {
                "verified": translate("SettingTexts", "Every draft is checked"),
                "always-deep": translate("SettingTexts", "Always all layers"),
                "token-confidence": translate("SettingTexts", "Deep where a token is unsure"),
                "dialogue-act": translate("SettingTexts", "Deep where the answer needs it"),
                "always-shallow": translate("SettingTexts", "Only the first layers"),
            },
        ),
        Row(
            "decoder.exit_threshold",
            translate("SettingTexts", "Threshold of the exit policy"),
            translate(
                "SettingTexts",
                "A token less sure than this goes deep; for the dialogue act, a turn more "
                "probably deep than this.",
            ),
            When.START,
        ),
    )


def _replying() -> tuple[Row, ...]:
    return (
        Row(
            "decoder.temperature",
            translate("SettingTexts", "Temperature"),
            translate(
                "SettingTexts",
                "0 always takes the most probable token; more makes replies vary.",
            ),
            When.START,
        ),
        Row(
            "decoder.reply_tokens",
            translate("SettingTexts", "Longest reply"),
            translate("SettingTexts", "In tokens; three are about two words."),
            When.START,
            step=8,
        ),
        Row(
            "decoder.threads",
            translate("SettingTexts", "Threads"),
            translate(
                "SettingTexts",
                "Cores that decode at the same time. Listening needs one besides.",
            ),
            When.START,
            step=1,
        ),
        Row(
            "decoder.system_prompt",
            translate("SettingTexts", "Instruction to the model"),
            translate("SettingTexts", "Stands before every conversation, unseen."),
            When.START,
        ),
    )


def _data() -> tuple[Row, ...]:
    return (
        Row(
            "data_folder",
            translate("SettingTexts", "Research data"),
            translate(
                "SettingTexts",
                "Folder of the corpora that training and evaluation read. Conversations need none.",
            ),
            When.NOW,
        ),
    )
