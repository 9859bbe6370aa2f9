"""Replies spoken aloud: sentence by sentence, by programs of their own, up to an interruption."""
