"""What a person is: age, people and faith, nationality, occupation, illness."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words import words
from discreet.text.entities.words.calendar import NUMBERS
from discreet.text.entities.words.countries import NATIONALITIES, NATIONALS, PEOPLES
from discreet.text.entities.words.occupations import LEGAL, OCCUPATIONS
from discreet.text.span import Span

_WORDS = rf"(?:{'|'.join(NUMBERS)})(?:[- ](?:{'|'.join(NUMBERS)}))?"
_AGE = re.compile(
    rf"\baged? (?:of )?(?:\d{{1,3}}|{_WORDS})\b(?: (?:years|months))?|\b(?:\d{{1,3}}"
    rf"|{_WORDS})[- ](?:years?|months?)[- ](?:old\b|of age\b)"
)
_NATIONAL = re.compile(
    rf"\b(?:{'|'.join(sorted((*NATIONALITIES, *NATIONALS), key=len, reverse=True))})\b(?= (?:origin"
    rf"|descent|background|extraction|ethnic|ancestry|roots))"
)
_WITNESSES = re.compile(
    r"\bJehovah['’]s Witness(?:es)?\b|\bSeventh[- ]Day Adventists?\b|\bLatter[- ][Dd]ay Saints?\b"
)
_ROLE = re.compile(
    rf"\b(?:[Aa]s|is|was|became|being|were|are|[Aa]n?|former|retired) (?:an? )?"
    rf"(?P<role>(?!(?:the|its|also|an?|his|her|same|this|that|not|no|whose) )(?:[a-z][a-z‑-]+ ){{0,1}}?"
    rf"(?:{'|'.join(sorted(OCCUPATIONS, key=len, reverse=True))})s?)\b(?!['’-])"
    rf"|(?:applicant, |who (?:is|was) |(?:practi[cs]e|practising|working"
    rf"|worked) as )an? (?P<law>{'|'.join(sorted(LEGAL))})\b"
)
_ILLNESS_ENDINGS = tuple(
    words(
        """
    osis itis phrenia algia pathy emia aemia opia plegia paresis trophy oma
    """
    )
)
_NO_ILLNESS = frozenset(
    words(
        """
    diagnosis prognosis hypnosis metamorphosis symbiosis osmosis apotheosis hypothesis synthesis
    sympathy apathy empathy telepathy antipathy diploma aroma utopia trophy academia bohemia homeopathy
    """
    )
)
_NAMED_ILLNESSES = frozenset(
    words(
        """
    cancer diabetes epilepsy leukaemia leukemia asthma tuberculosis HIV AIDS hepatitis autism dementia
    sciatica sclerosis depression psychosis psychotic Parkinson Alzheimer bipolar
    """
    )
)
_ILLNESS = re.compile(
    rf"(?<![\w-])(?:[a-z‑-]{{1,30}}(?:ic|al|oid|ive|ing|ar|ary|ous) )?(?:{'|'.join(sorted(_NAMED_ILLNESSES))}"
    rf"|(?!(?:{'|'.join(sorted(_NO_ILLNESS))})(?!\w))[a-z]{{1,30}}(?:{'|'.join(_ILLNESS_ENDINGS)}))(?!\w)"
    r"(?:['’]s disease| disorder| illness)?"
)
_PATTERNS = (
    (_AGE, ("age", "aged", "old"), 48, "an age", 0.7),
    (
        _NATIONAL,
        tuple(each.split()[0].split("-")[0] for each in (*NATIONALITIES, *NATIONALS)),
        0,
        "an origin",
        0.7,
    ),
    (_WITNESSES, ("Jehovah", "Seventh", "Latter"), 0, "a faith", 0.8),
    (
        _ROLE,
        tuple(each.split()[-1].split("-")[-1] + s for each in OCCUPATIONS | LEGAL for s in ("", "s")),
        64,
        "an occupation",
        0.5,
    ),
)


@recogniser(
    kinds=(Kind.DEMOGRAPHIC,),
    meaning="Ages, peoples and faiths, nationalities said of a person, occupations, and illnesses by their names.",
    example="She belongs to the [Sami] people.",
)
def demographics(text: str) -> Iterator[Span]:
    """What a text says people are."""
    index = word_index(text)
    for pattern, near, before, why, sure in _PATTERNS:
        for found in found_near(pattern, text, index.places(near), before=before):
            yield Span(*found.span(found.lastgroup or 0), Kind.DEMOGRAPHIC, "demographics", why, sure)
    for each in index.words.keys() & PEOPLES:
        for place in index.words[each]:
            why = "a people, faith or conviction"
            yield Span(place, place + len(each), Kind.DEMOGRAPHIC, "demographics", why, 0.7)
    ill = [each for each in index.words if each in _NAMED_ILLNESSES or _is_illness(each)]
    for found in found_near(_ILLNESS, text, index.places(ill), before=24):
        yield Span(*found.span(), Kind.DEMOGRAPHIC, "demographics", "an illness", 0.6)


def _is_illness(word: str) -> bool:
    """Whether a word is made as the names of illnesses are."""
    return word.endswith(_ILLNESS_ENDINGS) and word.islower() and len(word) > 6 and word not in _NO_ILLNESS
