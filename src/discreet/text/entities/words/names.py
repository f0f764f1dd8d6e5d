"""Words that stand beside names: what organisations and places are called by, and what leads to a place."""

from __future__ import annotations

from discreet.text.entities.words import words

PARTICLES = frozenset(
    words(
        """
    al el ul bin ibn bint ben abu de del della der den di da do dos das du la las le les los van von vom
    zu zur y e und af av ter ten d l o
    """
    )
)
"""Small words inside names."""

HEADS = frozenset(
    words(
        """
    academy administration agency airlines airport alliance archive archives army assembly assizes
    association authority bank bar battalion board borough branch brewery brigade bureau cabinet camp
    cemetery center centre chamber chancellery church circuit clinic clinique club college command
    commission committee company confederation congress consulate corporation council court courts
    delegation department directorate division embassy ensemble enterprise estate faculty federation
    fire force forces forum foundation front fund garrison gendarmerie government group guard guerrillas
    gymnasium headquarters hospital hospitals hotel house inc industries inspectorate institute
    institution insurance journal laboratory league legation library magistracy ministry mission
    monastery mosque movement municipality museum navy network newspaper office orchestra ombudsman
    organisation organization panel parish parliament partnership party police post press prison
    prosecutor prosecutors prosecution railway railways regiment registry savings school schools
    secretariat section senate service services settlement shipyard society staff station synagogue
    syndicate team television theatre theater treasury tribunal trust union university workshop works
    kurumu bankası vakfı gazetesi
    """
    )
)
"""What organisations are called by, in small letters."""

LEGAL_FORMS = frozenset(
    words(
        """
    Ltd LTD Limited plc PLC Plc LLC LLP Inc INC Corp Co GmbH AG KG OHG UG eV AB ASA Oyj Oy ApS SA SAS
    SARL SL SpA Srl SRL BV NV Kft Zrt Sp OOO ZAO OAO JSC AŞ A.Ş S.A S.p.A B.V N.V a.s s.r.o d.o.o SE AS
    """
    )
)
"""The legal forms of companies, as they are written and without a point at the end."""

PLACE_HEADS = frozenset(
    words(
        """
    airport alley avenue bay beach boulevard bridge canal canton castle cemetery city coast county creek
    département department district drive estate farm forest garden gardens gulf harbour heights highway
    hill hills island islands isle lake lane mall mount mountain mountains municipality neighbourhood
    oblast park passage peninsula place plain plateau port prefecture prison province quarter quay
    region reservoir river road row sea shore shire square state station strait street terrace town
    township valley village villages voivodship voivodeship walk way wharf zone
    """
    )
)
"""What places are called by, in small letters."""

TO_PLACES = frozenset(
    words(
        """
    in at near from to towards toward outside around between via into inside leaving left visited
    visiting reached entered throughout across north south east west northern southern eastern western
    central downtown
    """
    )
)
"""What stands before a place, in small letters."""

ABBREVIATIONS = frozenset(
    words(
        """
    ad am bc bce ce eu pm uk un us usa ussr dc phd ba ma bsc msc llb llm mba tv id vat gmt pc cd dvd sms
    hiv aids dna ok nb ps pdf faq gdp gnp ceo cfo nato who ilo imf osce unesco unicef unhcr undp oecd
    gatt wto ec ecj echr ecthr cpt opec asean icj icrc nos art arts para paras vol ed eds pp ff cf op
    cit ibid seq i.e e.g etc
    """
    )
)
"""Abbreviations that name nobody in particular, in small letters and without points."""
