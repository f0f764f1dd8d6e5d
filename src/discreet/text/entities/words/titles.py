"""Titles, ranks and offices: what stands before a name and is none."""

from __future__ import annotations

from discreet.text.entities.flat_text import fold
from discreet.text.entities.words import words

TITLES = frozenset(
    words(
        """
    mr mrs ms miss mx mister messrs mme mlle madame mademoiselle monsieur herr frau fräulein dr prof
    professor sir dame señor señora señorita signor signora don doña maître rev fr hon esq sgt cpl lt
    capt cpt maj col gen adm cmdr brig pvt sen gov amb rep supt insp sra dott ing mag dipl
    """
    )
)
"""Titles that a name always follows, in small letters and without their points."""

OFFICES = frozenset(
    words(
        """
    judge justice president chairman chairwoman minister premier chancellor secretary undersecretary
    ambassador consul counselor counsellor envoy commissioner director senator congressman congresswoman
    representative governor mayor general colonel lieutenant major captain commander admiral sergeant
    corporal private brigadier marshal inspector detective constable officer agent attorney advocate
    solicitor bishop archbishop cardinal pope rabbi imam father brother sister pastor reverend king
    queen prince princess emperor sheikh shaikh sheik lord lady baron baroness count countess doctor
    comrade superintendent magistrate prosecutor spokesman delegate deputy councillor applicant foreign
    """
    )
)
"""Offices and ranks, which a name may follow, in small letters."""

_MALE = "mr messrs sir lord baron count prince king sheikh shaikh sheik senor sr don monsieur herr signor"
_FEMALE = "mrs ms miss lady dame baroness countess princess queen senora senorita sra dona madame mme mlle frau signora"
_FURTHER = """
vice prime assistant acting under attache charge chief chairperson honourable honorable colonels generals capts
citizen nurse lic licenciado ingeniero
"""
MALE, FEMALE = frozenset(_MALE.split()), frozenset(_FEMALE.split())
ALWAYS_TITLES = frozenset(map(fold, TITLES))
"""Titles that are nobody's surname, folded and without their points."""

BEFORE_NAMES = (
    MALE | FEMALE | ALWAYS_TITLES | frozenset(map(fold, OFFICES)) - {"foreign"} | frozenset(_FURTHER.split())
)
"""All of them, folded: titles, ranks and offices. Most can also be a surname: King, Major, Bishop."""
