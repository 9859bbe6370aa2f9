"""`python -m engine.jobs …` is `pads job …` without loading the engine or the window."""

from __future__ import annotations

import sys

from engine.jobs.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
