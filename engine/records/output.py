"""What `--json` prints: one object a line, at once, so that a reading program can follow."""

from __future__ import annotations

import json
from typing import Any


def print_record(record: dict[str, Any]) -> None:
    """Print one record as a line of JSON."""
    print(json.dumps(record, ensure_ascii=False), flush=True)
