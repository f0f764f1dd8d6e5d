"""What a notebook shows of tables, plans, releases and results: counts, names and bars, never a cell of an original.

Every text goes through `_text`, which spells out control characters and escapes the rest, because names of columns come
from data. Styles stand in the elements and take the colours of the page, so that they read on light and on dark.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from discreet.visible import visible_line

if TYPE_CHECKING:
    from discreet.assessment import Assessment, Limit
    from discreet.listing import Methods
    from discreet.plan import Plan
    from discreet.release import Release
    from discreet.results import Loss, Masked, Risk
    from discreet.table import Table

BAR = "#4c8bf5"
COLOURS: Mapping[str, str] = {"met": "#2e9e5b", "exceeded": "#d64545", "not checked": "#c98a1b"}
"""The colours of a verdict; a colour says nothing that the word in it does not say too."""
NO_VERDICT = "#808080"
CELL = "padding:2px 10px 2px 0;text-align:left;border:none"
FAINT = "opacity:.7"

Row = Sequence[str]
"""Cells that are HTML already."""


def table_html(table: Table) -> str:
    """The columns of a table with their roles, scales and how much of each is missing."""
    count = f"{len(table):,} records, {len(table.columns)} columns"
    return _block(_heading(f"Table {table.name}", count), _columns(table))


def plan_html(plan: Plan) -> str:
    """The masking steps of a plan, in order."""
    many = len(plan.steps)
    return _block(_heading("Plan", f"{many} step{'' if many == 1 else 's'}"), _steps(plan))


def release_html(release: Release) -> str:
    """The steps and the columns of a release, and what the steward should know before it is published."""
    table = release.table
    facts = f"{len(table):,} records, {len(table.columns)} columns, {len(release.guarantees)} guarantees"
    notes = [*release.warnings, *filter(None, [release.doubt])]
    return _block(
        _heading(f"Release of {table.name}", facts),
        _steps(release.plan),
        _columns(table),
        *(_note(each) for each in notes),
    )


def masked_html(masked: Masked) -> str:
    """What one masking step did, in numbers, and the columns that it left."""
    rows = [[_text(name), _text(f"{value:g}")] for name, value in masked.counts.items()]
    heading = _heading(f"Masked by {masked.method}", f"{len(masked.table):,} records")
    return _block(heading, _grid(["what it did", "number"], rows), _columns(masked.table))


def risk_html(risk: Risk) -> str:
    """The result of one attack as a bar, with what it means."""
    return _block(_heading(risk.name, ""), _grid(RISK_HEADER, [_risk_row(risk)]), _note(risk.meaning))


def loss_html(loss: Loss) -> str:
    """The result of one measure of loss, by column where it tells, with what it means."""
    rows = [[_text(name), _text(f"{value:.4g}")] for name, value in loss.columns.items()]
    by_column = _grid(["column", "loss"], rows)
    return _block(
        _heading(loss.name, ""), _grid(LOSS_HEADER, [_loss_row(loss)]), by_column, _note(loss.meaning)
    )


def assessment_html(assessment: Assessment) -> str:
    """The verdict with the limits it follows from, then all risks and losses, and what could not be computed."""
    release = assessment.release
    risks = (*assessment.headlines, *assessment.risks)
    not_done = [[_text(each.name), _text(each.reason)] for each in assessment.not_done]
    return _block(
        _heading(f"Assessment of {release.table.name}", f"{len(release.table):,} records"),
        _verdict(assessment.verdict, [limit.status for limit in assessment.limits]),
        _grid(["limit", "allowed", "found", "verdict"], [_limit_row(each) for each in assessment.limits]),
        _grid(RISK_HEADER, [_risk_row(each) for each in risks]),
        _grid(LOSS_HEADER, [_loss_row(each) for each in assessment.losses]),
        _grid(["not computed", "why"], not_done),
    )


def report_html(
    title: str,
    details: str,
    verdict: tuple[str, str],
    limits: Sequence[tuple[str, str]],
    findings: Sequence[tuple[str, float | None, str]],
) -> str:
    """The verdict of a report and its findings, without the charts, which can show categories of an original.

    The verdict is a state and a sentence; a limit is a sentence and a state; a finding is a title, its share on a bar
    where it has one, and its value in words.
    """
    state, headline = verdict
    limit_rows = [[_text(sentence), _badge(status)] for sentence, status in limits]
    finding_rows = [
        [_text(name), "" if share is None else _bar(share), _text(value)] for name, share, value in findings
    ]
    return _block(
        _heading(title, details),
        f"<div>{_badge(state)} {_text(headline)}</div>",
        _grid(["limit", "verdict"], limit_rows),
        _grid(["finding", "", "value"], finding_rows),
        _note("save('report.html') writes the whole page, charts() gives its charts."),
    )


def methods_html(listing: Methods) -> str:
    """The methods, one in each row."""
    rows = [[_text(each.kind), f"<code>{_text(each.name)}</code>", _text(each.summary)] for each in listing]
    return _block(_heading("Methods", str(len(listing))), _grid(["kind", "name", "what it returns"], rows))


RISK_HEADER = ("risk", "", "share", "")
LOSS_HEADER = ("loss", "value", "")


def _risk_row(risk: Risk) -> Row:
    words = [risk.interval_text, "" if risk.baseline is None else f"guessing {risk.baseline:.1%}"]
    words.append("" if risk.level is None else f"level {risk.level:g}")
    words.append(f"{risk.failed:,} attempts failed" if risk.failed else "")
    words.append(f"without {', '.join(risk.left_out)}" if risk.left_out else "")
    details = _faint("; ".join(filter(None, words)))
    return [_text(risk.name), _bar(risk.risk), _text(f"{risk.risk:.1%}"), details]


def _loss_row(loss: Loss) -> Row:
    return [
        _text(loss.name),
        _text(f"{loss.loss:.4g}"),
        _faint(f"{loss.left_out} parts left out" if loss.left_out else ""),
    ]


def _limit_row(limit: Limit) -> Row:
    number = "{:g}" if limit.is_floor else "{:.1%}"
    allowed = f"at {'least' if limit.is_floor else 'most'} {number.format(limit.bound)}"
    found = "" if limit.found is None else number.format(limit.found)
    verdict = _badge(limit.status) + (f" {_faint(limit.unchecked)}" if limit.unchecked else "")
    return [_text(limit.name), _text(allowed), _text(found), verdict]


def _verdict(verdict: str, statuses: Sequence[str]) -> str:
    """The verdict, and how many limits have each of its three values."""
    counts = ", ".join(f"{statuses.count(value)} {value}" for value in COLOURS) if statuses else ""
    return f"<div>{_badge(verdict)} {_faint(counts)}</div>"


def _columns(table: Table) -> str:
    rows = []
    for column in table.columns:
        share = table.frame[column.name].null_count() / max(1, len(table))
        scale = f"{column.scale} ({len(column.order)} levels)" if column.order else str(column.scale)
        rows.append(
            [_text(column.name), _text(column.role), _text(scale), _bar(share), _text(f"{share:.1%}")]
        )
    return _grid(["column", "role", "scale", "missing", ""], rows)


def _steps(plan: Plan) -> str:
    rows = []
    for place, step in enumerate(plan.steps, start=1):
        kinds = {each.name: each.kind for each in step.method.parameters}
        words = (f"{name}={kinds[name].in_words(value)}" for name, value in step.parameters.items())
        rows.append([str(place), f"<code>{_text(step.name)}</code>", _text(", ".join(words))])
    return _grid(["step", "method", "parameters"], rows)


def _bar(share: float) -> str:
    """A share as a bar, as long as it is large."""
    width = 100 * min(1.0, max(0.0, share))
    return (
        '<div style="width:120px;height:10px;background:rgba(128,128,128,.25)">'
        f'<div style="width:{width:.1f}%;height:10px;background:{BAR}"></div></div>'
    )


def _badge(word: str) -> str:
    colour = COLOURS.get(word, NO_VERDICT)
    return f'<b style="color:#fff;background:{colour};padding:1px 8px;border-radius:8px">{_text(word)}</b>'


def _heading(title: str, details: str) -> str:
    return f"<div><b>{_text(title)}</b> {_faint(details)}</div>"


def _note(text: str) -> str:
    return f"<div>{_faint(text)}</div>"


def _faint(text: str) -> str:
    return f'<span style="{FAINT}">{_text(text)}</span>' if text else ""


def _grid(header: Iterable[str], rows: Sequence[Row]) -> str:
    """The rows as a table; nothing where there are none."""
    if not rows:
        return ""
    head = "".join(f'<th style="{CELL}">{_text(each)}</th>' for each in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f'<table style="color:inherit;background:none"><tr>{head}</tr>{body}</table>'


def _block(*parts: str) -> str:
    return f'<div style="font-family:sans-serif">{"".join(parts)}</div>'


def _text(text: str) -> str:
    return html.escape(visible_line(str(text)))
