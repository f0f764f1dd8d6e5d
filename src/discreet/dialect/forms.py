"""The form in which the values of a column are written, whatever they are."""

from __future__ import annotations

from discreet.dialect.amounts import NumberForm, number_form
from discreet.dialect.dates import DateForm, date_form
from discreet.errors import BadParameter

Form = DateForm | NumberForm
WANTED = (
    'as a date: "DD.MM.YYYY", "M/D/YY, from 1930", "D Mon YYYY, en", "YYYY-MM-DD hh:mm"; or as a number: '
    '"9.999,99 €"'
)


def form_of(text: str) -> Form:
    """The form that a text describes; BadParameter where it describes none.

    >>> str(form_of("DD.MM.YYYY"))
    'DD.MM.YYYY'
    """
    form = date_form(text) or number_form(text)
    if form is None:
        raise BadParameter(f"format '{text}' is not known. It is written {WANTED}.")
    return form
