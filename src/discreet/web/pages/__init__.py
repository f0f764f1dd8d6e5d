"""The pages of the desk, in the order of the work. A page is added by its module and a line here."""

from discreet.web.page import Page
from discreet.web.pages import columns, files, help_page

PAGES: tuple[Page, ...] = (
    files.PAGE,
    columns.PAGE,
    help_page.PAGE,
)
