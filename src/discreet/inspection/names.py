"""What the name of a column says of it, in the languages that data files are named in.

A name is cut into words (`homePostCode`, `home_post_code` and `HOME-POSTCODE` alike), letters lose their accents,
and each word is looked up. Words of five letters or more are also found inside longer ones (`totalincome`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

FOUND_INSIDE = 5
"""How long a word must be to be found inside another."""

JOINED = ("nummer", "nr", "num", "number", "no", "id", "kennung", "schluessel")
BEFORE = ("id", "nr", "num", "no")
"""Ends and beginnings of one word that says whose number it is: Fallnummer, CaseNo, idmenage."""
GIVEN = frozenset({"clinica", "medica", "clinico"})
"""Words that follow the file of a person: historia clínica."""

NOT_NUMBERED = frozenset(
    {"paid", "unpaid", "valid", "covid", "grid", "acid", "solid", "rapid", "void", "aid", "kid", "bid", "mid"}
    | {"madrid", "thyroid", "steroid", "hybrid", "fluid", "prepaid", "invalid", "amid", "typhoid", "maid"}
)
"""Words that end in "id" and do not number anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A group of words that say the same of a column."""

    says: str
    words: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COUNT = Hint(
    says="a count or an amount of something",
    words=_words(
        "size count number num nr total sum quantity amount years months days hours minutes weeks children rooms "
        "cars visits members persons people cantidad total tamano numero hijos horas anos taille heures enfants anzahl "
        "groesse stunden kinder jahre aantal uren kinderen ore figli filhos"
    ),
)
HOUSEHOLD = Hint(
    says="a household",
    words=_words(
        "household hh hhid hid hhx hogar menage haushalt huishouden famiglia familia nucleofamiliar "
        "nuclifamiliar domicilio dwelling vivienda llar logement wohnung agregado householdid householdno haushalts"
    ),
)
FAMILY = Hint(says="a household", words=_words("family famille foyer fam"))
"""Words that say so where they are numbered: a family name is none."""
SAMPLE_WEIGHT = Hint(
    says="a sampling weight",
    words=_words(
        "fnlwgt afnlwgt wgt wgts wt pweight fweight sampleweight surveyweight ponderacion ponderation "
        "hochrechnungsfaktor gewichtung weging ponderazione ponderacao expansion elevacion designweight finalweight "
        "wfinal finalw finalwt gewichtungsfaktor hochrechnung factorexpansion factorelevacion fexp poidssondage hgew "
        "personweight hhweight"
    ),
)
PLAIN_WEIGHT = Hint(says="a weight", words=_words("weight weights peso poids gewicht pes"))
STRATUM = Hint(
    says="a stratum of the sample", words=_words("stratum strata estrato estrat strate schicht strato")
)
IDENTIFIER = Hint(
    says="who or where somebody is",
    words=_words(
        # people
        "name names surname firstname lastname fullname forename givenname familyname nickname maiden initials "
        "nombre nombres apellido apellidos nom noms cognom cognoms llinatge prenom prenoms patronyme nomdefamille "
        "vorname vornamen nachname nachnamen zuname rufname geburtsname familienname naam voornaam achternaam nome "
        "cognome nominativo sobrenome "
        # numbers of people
        "id ids uid uuid guid identifier identificador identifiant kennung personid patientid pid mrn passport "
        "pasaporte passeport reisepass paspoort passaporto ssn socialsecurity nino nhs nif dni nie nuss curp rfc cpf "
        "bsn insee steuernummer licence license numberplate kennzeichen matricula expediente aktenzeichen "
        # ways to reach them
        "email mail correo courriel phone telephone mobile cell fax telefono telefon telefoon tel movil "
        "address addresses street direccion domicilio adresse anschrift adres indirizzo endereco adreca calle rue "
        "strasse straat carrer latitude longitude lat lon lng gps coordinates "
        # accounts and traces
        "ip ipaddress url username user login iban account konto cuenta compte creditcard signature photo "
        "fingerprint biometric imei imsi iccid msisdn cookie barcode targa matricola tessera"
    ),
)
PERSON = Hint(
    says="people",
    words=_words(
        "person pat patient insurance insured insuree policyholder client customer member employee worker staff "
        "subject individual "
        "participant respondent student pupil beneficiary donor taxpayer citizen user applicant claimant prisoner "
        "borrower lender debtor creditor buyer seller owner guest tenant voter candidate player author driver pilot "
        "passenger visitor parent mother father spouse child sibling heir veteran volunteer resident occupant "
        "vers sozialversicherung sozialversicherungs "
        "versicherung versicherungs versicherten versicherter versicherte kunde kunden mitglied mitglieds "
        "mitarbeiter mitarbeiterin "
        "patienten patientin personal schueler schuelerin teilnehmer teilnehmerin probanden proband probandin buerger "
        "buergerin befragter befragte befragten zielperson krankenkassen ausweis pass fahrer fahrerin halter mutter "
        "vater kind schuldner glaeubiger eigentuemer "
        "securite secu ss personne assurance assure assuree adherent salarie employe employee eleve etudiant abonne "
        "usager allocataire emprunteur repondant enquete electeur conducteur mere pere conjoint enfant carte vitale "
        "persona paciente seguro asegurado asegurada cliente miembro socio empleado empleada alumno afiliado afiliat "
        "usuario seguridad encuestado encuestada entrevistado colegiado colegiada pensionista prestatario votante "
        "propietario conductor madre padre conyuge tarjeta tsi "
        "paziente assicurazione assicurato assicurata membro dipendente studente alunno utente intervistato "
        "intervistata conducente elettore madre coniuge tessera sanitaria minore "
        "titular titolare assistito assistita assistiti beneficiaire beneficiario beneficiaria inhaber holder "
        "inhaberin guardian vormund tutor tutore doctor physician nurse arzt aerztin medico medica medecin metge "
        "infermera lehrer teacher judge richter vermieter landlord inquilino locataire mieter "
        "burger klant patient werknemer verzekerde cidadao aluno utente cliente trabalhador segurado processo "
        "enquestat enquestada targeta mare pare conjuge pensionista "
        "pacient asseguranca assegurat assegurada soci socia empleat empleada alumne usuari treballador"
    ),
)
SHORT = Hint(says="people", words=_words("p pers resp subj ind indiv fall cas caso"))
"""Words that say so where they are joined with a number: RESPNR."""
THINGS = _words(
    "insurance assurance versicherung versicherungs sozialversicherung sozialversicherungs assicurazione asseguranca "
    "seguro seguridad securite secu ss personal staff carte vitale enquete tarjeta targeta tessera sanitaria ausweis "
    "pass krankenkassen processo"
)
"""Words that speak of a person where they are numbered, and may be an amount or a sort where they stand alone."""
KIND = Hint(
    says="a sort of something",
    words=_words("type types tipo tipus typ art kind status class structure composition role relation"),
)
CASE = Hint(
    says="a case or a visit of a person",
    words=_words(
        "case file record visit encounter admission episode claim order contract policy ticket invoice specimen "
        "sample chart "
        "fall akte akten aktenzeichen vorgang aufnahme besuch vertrag rechnung auftrag probe police laufende lfd "
        "dossier cas sejour contrat facture commande demande "
        "caso historia historial expediente episodio contrato factura pedido visita poliza "
        "pratica cartella fascicolo contratto fattura ordine ricovero polizza "
        "cas historia expedient contracte comanda "
    ),
)
ALONE = Hint(
    says="a case or a thing of one person",
    words=_words(
        "case record encounter episode accession specimen session dossier fall akte vorgang expediente historial "
        "expedient nosologico sdo pratica nhc nuhc serial hserial pserial seq seqno rowid lfdnr obs key ref reference "
        "hash pseudonym pseudonyme seudonimo pseudonimo token clau clave cle chiave schluessel"
    ),
)
"""Whole names of columns whose many numbers or texts stand for somebody, and hardly for an amount."""
GROUP = Hint(
    says="a place or a group",
    words=_words(
        "school class hospital clinic region area store shop branch department site center centre ward cluster psu "
        "team "
        "city town county state country project product item course batch plant station sector group "
        "schule klasse klinik krankenhaus abteilung filiale werk standort gemeinde kreis land produkt kurs "
        "ecole classe hopital service commune departement produit "
        "escuela colegio clase centro departamento municipio provincia producto tienda "
        "scuola classe ospedale reparto comune provincia prodotto negozio "
        "escola classe hospital centre municipi producte botiga "
    ),
)
CODE = Hint(
    says="a code",
    words=_words(
        "postcode postal postalcode zip zipcode plz cp cap cep codigopostal codepostal postleitzahl codipostal "
        "icd nuts isco nace naics sic fips ags lau atc drg municipalitycode countrycode regioncode "
    ),
)
BORN = Hint(
    says="something of a person that never changes",
    words=_words(
        "sex gender sexo sexe geschlecht geslacht sesso genere genero "
        "birth birthday birthdate dob born yob nacimiento naixement naissance geburt geburtsdatum geburtsjahr geboren "
        "geboorte geboortedatum nascita nascimento nat nato nata nacido nacida"
    ),
)
LAST_NUMBERING = Hint(
    says="a number of something",
    words=_words("number no num nr nummer numero numeros nro nummern matricule matricula"),
)
NUMBERING = Hint(
    says="a number of somebody",
    words=_words(
        "id ids uid uuid guid identifier identificador identifiant kennung number no num nr nummer numero numeros nro "
        "nummern code codigo codi codice cod matricule matricula key schluessel clave cle clau chiave hash pseudonym "
        "pseudonyme seudonimo pseudonimo token ref reference referenz referencia riferimento serial"
    ),
)
NUMBER_OF_PERSON = Hint(
    says="the number of a person",
    words=_words(
        "id uid uuid guid identifier identificador identifiant kennung personid patientid cip personnumber "
        "patientnumber patientno pid mrn ssn socialsecurity nino nhs nif dni nie nuss curp rfc cpf bsn insee ahv "
        "avs svnr passport pasaporte passeport reisepass paspoort passaporto steuernummer codicefiscale "
        "kvnr egk ahvnr nir ipp nas nuhsa nass tsi cip sip codfiscale codfisc bsnr burgerservicenummer idhap idpers "
        "insuranceno memberid customerid clientid employeeid userid studentid subjectid versichertennummer "
        "versicherungsnummer kundennummer patientennummer personalnummer mitgliedsnummer matrikelnummer "
    ),
)
CONFIDENTIAL = Hint(
    says="something people keep to themselves",
    words=_words(
        "diagnosis diagnoses diagnostico diagnostic diagnose diagnosi disease illness enfermedad maladie krankheit "
        "ziekte malattia doenca icd health salud sante gesundheit gezondheid salute saude symptom hiv aids "
        "cancer disability discapacidad handicap behinderung treatment tratamiento traitement therapy medication drug "
        "drugs blood pregnant pregnancy mental depression alcohol smoker smoking "
        "crime offence offense conviction delito victim "
        "religion religious faith politics political vote partido voto sindicato sexual orientation "
        "benefit benefits subsidio aide sozialhilfe debt deuda "
        "grade score "
        "salary wage wages income earnings revenue pay tax taxes salario sueldo ingreso ingresos renta impuesto "
        "salaire revenu impot gehalt lohn einkommen steuer inkomen loon salaris stipendio reddito salari rendimento "
        "capital wealth patrimonio rent mortgage loan expenditure gasto profit"
    ),
)
MONEY = Hint(
    says="an amount of money",
    words=_words(
        "salary wage wages income earnings revenue pay tax taxes salario sueldo ingreso ingresos renta impuesto "
        "salaire revenu impot gehalt lohn einkommen steuer inkomen loon salaris stipendio reddito salari rendimento "
        "capital wealth patrimonio rent mortgage loan price expenditure gasto profit turnover sales debt"
    ),
)
KEY = Hint(
    says="something others know of a person",
    words=_words(
        "age edad edat alter leeftijd eta idade "
        "sex gender sexo sexe geschlecht geslacht sesso genere genero "
        "birth birthday birthdate dob born yob nacimiento naixement naissance geburt geburtsdatum geboorte nascita "
        "nascimento death died "
        "postcode postal postalcode zip zipcode cp plz cap cep codigopostal codepostal postleitzahl "
        "region province provincia county state municipality municipio commune gemeinde gemeente comune city town "
        "village ciudad ville stadt stad citta cidade district barrio quartier bezirk area country pais pays land "
        "canton departement comarca place residence residencia wohnort native origin "
        "nationality nacionalidad nationalite nationalitaet staatsangehoerigkeit citizenship race ethnicity ethnic "
        "raza language idioma langue sprache taal "
        "marital civil estado familienstand married spouse relationship children "
        "education school schooling degree estudios educacion bildung diplome opleiding istruzione ensino university "
        "occupation job profession work workclass employer employment industry sector ocupacion profesion empleo "
        "metier emploi beruf arbeit beroep professione lavoro ocupacao "
        "height bmi eye hair admission discharge admitted discharged date fecha datum data visit"
    ),
)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a column's name, in small letters without accents.

    >>> words_of("homePostCode_2")
    ('home', 'post', 'code')
    """
    spelt = name.replace("°", "o").replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)
    return tuple(re.findall(r"[a-z]+", spaced.lower()))


def fits(hint: Hint, words: tuple[str, ...]) -> str:
    """The word by which a name fits a hint; empty where none does."""
    together = "".join(words)
    for word in words:
        if word in hint.words:
            return word
    if together in hint.words:
        return together
    inside = sorted(each for each in hint.words if len(each) >= FOUND_INSIDE and each in together)
    return inside[-1] if inside else ""


def whole_word(hint: Hint, words: tuple[str, ...]) -> str:
    """The word of a name that is in a hint as it stands, or the name written as one word; empty where neither is."""
    together = "".join(words)
    return next((word for word in (*words, together) if word in hint.words), "")


def numbers_people(words: tuple[str, ...]) -> str:
    """The word by which a name says that it numbers people, such as 'insurance' in `insurance_number`; else empty."""
    alone = whole_word(NUMBER_OF_PERSON, words)
    somebody = whole_word(PERSON, words) or _joined(words, PERSON)
    if somebody and (somebody.endswith(JOINED) or whole_word(NUMBERING, words) or numbers_something(words)):
        return somebody
    return alone if len(words) == 1 or alone not in NUMBERING.words else ""


def _joined(words: tuple[str, ...], hint: Hint) -> str:
    """The word that joins one of a hint and a number, such as 'versichertennr'; empty where there is none."""
    ended = (
        word for word in words for end in JOINED if word.endswith(end) and word[: -len(end)] in hint.words
    )
    begun = (
        word
        for word in words
        for start in BEFORE
        if word.startswith(start) and word[len(start) :] in hint.words
    )
    return next((word for found in (ended, begun) for word in found), "")


def numbers_cases(words: tuple[str, ...]) -> str:
    """The word by which a name says that it numbers cases, such as 'fall' in `Fall-Nr`; else empty."""
    case = whole_word(CASE, words)
    if (
        case
        and len(words) > 1
        and (words[-1] in NUMBERING.words or words[0] in {"n", *NUMBERING.words} or words[-1] in GIVEN)
    ):
        return case
    return _joined(words, CASE)


def numbers_households(words: tuple[str, ...]) -> str:
    """The word by which a name says that it numbers households, such as 'hhnr'; else empty."""
    home = whole_word(HOUSEHOLD, words) or whole_word(FAMILY, words)
    if home and whole_word(NUMBERING, words):
        return home
    return _joined(words, HOUSEHOLD) or _joined(words, FAMILY)


def stands_alone(words: tuple[str, ...]) -> str:
    """The last word of a name that says no more than whose record it is, such as 'patient' or 'case'; else empty."""
    if words and (set(words) <= PERSON.words - THINGS or "".join(words) in ALONE.words):
        return words[-1]
    return _joined(words, SHORT)


def says_something(name: str) -> bool:
    """Whether the name of a column says what others know of a person, or keep to themselves, or count."""
    words = words_of(name)
    return any(fits(hint, words) for hint in (KEY, CONFIDENTIAL, MONEY, CODE, COUNT))


def says_whose_or_what(words: tuple[str, ...]) -> bool:
    """Whether the words of a name say anything at all of the column."""
    hints = (
        KEY,
        CONFIDENTIAL,
        MONEY,
        CODE,
        COUNT,
        IDENTIFIER,
        HOUSEHOLD,
        SAMPLE_WEIGHT,
        PLAIN_WEIGHT,
        STRATUM,
    )
    says = (numbers_people, numbers_cases, numbers_households, numbers_something, stands_alone)
    return any(fits(hint, words) for hint in hints) or any(each(words) for each in says)


def numbers_something(words: tuple[str, ...]) -> bool:
    """Whether a name ends in "id" as the numbers of people and firms do."""
    last = words[-1] if words else ""
    return last.endswith(("id", "name")) and last not in NOT_NUMBERED and len(last) > 2
