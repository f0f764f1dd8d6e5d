"""A report: the facts of an assessment for one audience, as a page or as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from discreet.assessment import Assessment
from discreet.errors import BadParameter, did_you_mean
from discreet.progress import SILENT, Progress
from discreet.reporting.facts import Facts, facts_of
from discreet.reporting.text_facts import TextFacts, text_facts_of
from discreet.text.assessment import TextAssessment
from discreet.visible import visible_line
from discreet.writing.atomic import write_json, write_text

if TYPE_CHECKING:
    import altair as alt

Audience = Literal["internal", "external"]
Told = TypeVar("Told", bound="Facts | TextFacts")
AUDIENCES = ("internal", "external")
ENDINGS = (".html", ".json")
"""How the name of a report may end: a page, or JSON for programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Generic[Told]):
    """What an assessment says to one audience."""

    facts: Told = field(repr=False)

    def __str__(self) -> str:
        return f"{self.facts.audience} report on '{self.facts.table}': {self.facts.verdict.headline}"

    def __repr__(self) -> str:
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import report_html

        facts = self.facts
        return report_html(
            f"{facts.audience.capitalize()} report on {facts.table}",
            facts.size,
            (facts.verdict.state, facts.verdict.headline),
            [(each.sentence, each.state) for each in facts.verdict.limits],
            [(each.title, each.share, each.shown) for each in (*facts.risks, *facts.losses)],
        )

    def charts(self) -> dict[str, alt.Chart | alt.LayerChart]:
        """The charts of the report by name, as altair charts: a notebook shows each where it is the last line.

        Those of an internal report show categories of the original, counted in at least three records, and are not for
        publication. "map" is the map of risk and loss, "chances of link" how many records that attack finds with how
        much chance, and "column age" the values of that column before and after.
        """
        from discreet.reporting.charts import charts_of

        return charts_of(self.facts)

    def to_dict(self) -> dict[str, Any]:
        """The report for programs, safe for JSON; its form is numbered in `format`."""
        return self.facts.to_dict()

    def html(self, *, progress: Progress = SILENT) -> str:
        """The report as one page that loads nothing from anywhere."""
        from discreet.reporting.html import page

        return page(self.facts, progress)

    def save(self, path: str | Path, *, force: bool = False, progress: Progress = SILENT) -> Path:
        """The file: a page where the name ends in .html, JSON where it ends in .json.

        The file is complete or not there; one that is there already is replaced only with `force`. An internal report
        can be read by its owner only.
        """
        target = Path(path)
        private = self.facts.audience == "internal"
        if target.suffix == ".html":
            write_text(target, self.html(progress=progress), force=force, private=private)
        elif target.suffix == ".json":
            write_json(target, self.to_dict(), force=force, private=private)
        else:
            raise BadParameter(f"report: the name must end in .html or .json; got '{target.suffix}'.")
        return target


@overload
def report(
    assessment: Assessment,
    *,
    audience: Audience = "internal",
    reference: Sequence[tuple[str, float, float]] | None = None,
) -> Report[Facts]: ...


@overload
def report(assessment: TextAssessment, *, audience: Audience = "internal") -> Report[TextFacts]: ...


def report(
    assessment: Assessment | TextAssessment,
    *,
    audience: Audience = "internal",
    reference: Sequence[tuple[str, float, float]] | None = None,
) -> Report[Facts] | Report[TextFacts]:
    """The report on an assessment.

    The internal report shows distributions of the original in counts of at least three records, the rows most at risk
    and the exact numbers; it is not for publication. The external one can be published with the file: methods,
    parameters, what was checked, and risk and loss in rounded numbers.

    `reference` are other ways to publish, each a name, a risk (as a share) and a loss, for the map of risk and loss;
    they must be measured like this release. Only the internal report has the map.
    """
    if audience not in AUDIENCES:
        raise BadParameter(f"report: there is no audience '{audience}'.{did_you_mean(audience, AUDIENCES)}")
    if isinstance(assessment, TextAssessment):
        if reference:
            raise BadParameter("report: a report on text has no map that reference points could be drawn on.")
        return Report(facts=text_facts_of(assessment, audience))
    if not isinstance(assessment, Assessment):
        raise BadParameter(
            f"report: needs an Assessment, which assess returns; got a {type(assessment).__name__}."
        )
    points = [_point(each) for each in reference or ()]
    return Report(facts=facts_of(assessment, audience, points))


def _point(given: tuple[str, float, float]) -> tuple[str, float, float]:
    name, risk, loss = given
    if not (math.isfinite(risk) and 0 <= risk <= 1 and math.isfinite(loss)):
        raise BadParameter(
            f"report: the reference point '{name}' needs a risk from 0 to 1 and a finite loss."
        )
    return str(name), float(risk), float(loss)
