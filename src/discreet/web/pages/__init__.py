"""The pages of the desk, in the order of the work. A page is added by its module and a line here."""

from discreet.web.page import Page
from discreet.web.pages import (
    coalition,
    columns,
    documents,
    entities,
    export,
    files,
    help_page,
    hierarchies,
    history,
    plan,
    result,
    reviewers,
    sanitised,
    search,
    topics,
)

PAGES: tuple[Page, ...] = (
    files.PAGE,
    columns.PAGE,
    hierarchies.PAGE,
    plan.PAGE,
    search.PAGE,
    result.PAGE,
    export.PAGE,
    history.PAGE,
    coalition.PAGE,
    documents.PAGE,
    entities.PAGE,
    topics.PAGE,
    sanitised.PAGE,
    reviewers.PAGE,
    help_page.PAGE,
)
