"""Reports: an assessment as a page that opens without a network, as JSON, and as charts."""

from discreet.reporting.document import Report, report

__all__ = ["Report", "report"]
