"""Utterances that do not ask for the floor: "mm-hm", "yeah" (Yngve 1970; Ward and Tsukahara 2000).

A listener's back-channel tells the speaker to go on. Taken for a turn it would cut the reply off
and be answered itself. The class is closed, so a list decides, with the length of the speech as a
check that the recogniser has not missed most of what was said.
"""

from __future__ import annotations

import re

_LONGEST_S = 2.0  # "Mm-hm, yeah, okay" takes less

# Written as recognisers write them: "Mm-hmm.", "Mmmmm", "Uh-huh". A cough, a slammed door or a
# hum that passed for speech reads "oh", "ah" or "you".
_SOUND = re.compile(
    r"(?:m+|h+m+|m+h+m*|m+h+u+h+|a+h+|o+h*|u+h+|u+h+u+h+|u+h+h+u+h+|a+h+a+|u+m+|e+r+m?|h+u+h+|you)"
)
_WORDS = frozenset(
    {
        "yeah", "yep", "yup", "yes", "okay", "ok", "right", "sure", "exactly", "true", "wow",
        "cool", "great", "nice", "good", "fine", "indeed", "absolutely", "interesting",
    }
)  # fmt: skip
_PHRASES = frozenset({"i see", "see", "all right", "alright", "got it", "of course"})


def gives_no_floor(text: str, speech_s: float, *, replying: bool, asked: bool) -> bool:
    """Whether an utterance of `speech_s` seconds is no turn, so that nothing answers it.

    A sound without words never is one; "yeah" and its like are none while a reply is being
    given (`replying`). After a question (`asked`) everything is an answer.
    """
    words = [word.replace("'", "") for word in re.findall(r"[a-z']+", text.lower())]
    if asked or not words or speech_s > _LONGEST_S:
        return False
    words = [word for word in words if not _SOUND.fullmatch(word)]
    if not words:
        return True
    return replying and (" ".join(words) in _PHRASES or _WORDS.issuperset(words))
