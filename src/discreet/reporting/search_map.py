"""The map of a search: every plan it tried, the best trade-offs, and the one it chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.reporting.map_chart import ru_map
from discreet.searching import SearchResult, TriedPlan

if TYPE_CHECKING:
    import altair as alt


def search_map(found: SearchResult) -> alt.LayerChart:
    """Risk against loss of every plan that a search tried; pointing at a mark tells its plan.

    With one ceiling the axis is the risk of its attack. With several it is the largest share of a ceiling that a plan
    uses up, and the limit is at 100%.
    """
    single = next(iter(found.ceilings)) if len(found.ceilings) == 1 else None
    every = [*found.points, found.chosen]
    names = [f"{number}. {point}" for number, point in enumerate(every, start=1)]
    rows = [(name, _risk(point, single), point.loss) for name, point in zip(names, every, strict=True)]
    front = {id(point) for point in found.front}
    ceilings = {f"{single} limit": found.ceilings[single]} if single else {"limits": 1.0}
    return ru_map(
        rows,
        front=[name for name, point in zip(names, every, strict=True) if id(point) in front],
        chosen=names[-1],
        ceilings=ceilings if found.ceilings else {},
        risk_title=f"risk ({single})"
        if single
        else "risk (share of the limits)"
        if found.ceilings
        else "risk",
        loss_title=f"loss ({found.loss})",
    )


def _risk(point: TriedPlan, single: str | None) -> float:
    return point.risks[single] if single is not None and single in point.risks else point.risk
