"""The kinds of entities, each with the word that its pseudonyms start with."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What an entity is. Recognisers, policies, annotations and the register use these words."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    ADDRESS = "address"
    EMAIL = "e-mail"
    PHONE = "phone"
    ACCOUNT = "account number"
    CARD = "card number"
    IDENTITY = "identity number"
    CODE = "code"
    DATE = "date"
    QUANTITY = "quantity"
    DEMOGRAPHIC = "demographic"
    LINK = "link"
    OTHER = "other"

    @property
    def pseudonym(self) -> str:
        """What the pseudonyms of this kind start with: Pers1, Org1, Loc1, Date1."""
        return _PSEUDONYMS[self]


_PSEUDONYMS = {
    Kind.PERSON: "Pers",
    Kind.ORGANISATION: "Org",
    Kind.PLACE: "Loc",
    Kind.ADDRESS: "Addr",
    Kind.EMAIL: "Mail",
    Kind.PHONE: "Phone",
    Kind.ACCOUNT: "Acct",
    Kind.CARD: "Card",
    Kind.IDENTITY: "Id",
    Kind.CODE: "Code",
    Kind.DATE: "Date",
    Kind.QUANTITY: "Num",
    Kind.DEMOGRAPHIC: "Dem",
    Kind.LINK: "Link",
    Kind.OTHER: "Ent",
}
