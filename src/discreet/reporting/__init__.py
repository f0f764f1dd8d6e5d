"""Reports: an assessment as a page that opens without a network, as JSON, and as charts."""

from discreet.reporting.document import ENDINGS, Report, report

__all__ = ["ENDINGS", "Report", "report"]
