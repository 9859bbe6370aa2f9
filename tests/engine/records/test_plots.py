import json

import pytest

from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Axis, Plot, Series, Table, shown


def test_what_a_run_shows_survives_json() -> None:
    speed = Series(name="plain", x=[1, 2], y=[50.0, 93.5], low=[49, 90], high=[51, 95])
    plot = Plot(
        title="Speed", x=Axis(name="threads"), y=Axis(name="speed", unit="1/s"), series=[speed]
    )
    figure = Figure(value=93.5, unit="1/s", evidence=Evidence.MEASURED)
    table = Table(title="Speed", columns=("threads", "speed"), rows=[(2, figure)])
    record = json.loads(json.dumps(shown([plot], [table])))
    assert record["plots"][0]["series"][0]["high"] == [51, 95]
    assert record["plots"][0]["y"] == {"name": "speed", "unit": "1/s"}
    assert record["tables"][0]["rows"] == [
        [2, {"value": 93.5, "unit": "1/s", "evidence": "measured"}]
    ]


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="1 values for 2"):
        Series(name="short", x=[1, 2], y=[1])
    with pytest.raises(ValueError, match="row of 1 for 2"):
        Table(title="t", columns=("a", "b"), rows=[("x",)])
