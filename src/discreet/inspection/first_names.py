"""Frequent first names of six languages, by which a column of names of people is known under any header."""

from __future__ import annotations

import unicodedata

_ENGLISH = """
james robert john michael david william richard joseph thomas charles christopher daniel matthew anthony mark donald
steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric
jonathan stephen larry justin scott brandon benjamin samuel gregory frank raymond patrick alexander jack dennis jerry
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley
kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy angela
shirley anna brenda emma pamela nicole helen samantha katherine christine rachel carolyn janet catherine heather diane
olivia julie joyce victoria kelly joan evelyn lauren judith megan alice ann jean frances kathryn gloria hannah oliver
harry
"""
_GERMAN = """
peter hans wolfgang klaus manfred juergen uwe bernd frank dieter stefan andreas werner juergen guenter horst helmut
gerhard rolf heinz karl walter ralf joachim rainer matthias markus martin christian sebastian jan tobias florian felix
lukas jonas leon paul moritz ludwig nils sven jens kai dirk joerg holger thorsten torsten oliver alexander daniel
ursula monika petra sabine renate helga karin brigitte ingrid erika andrea gisela claudia susanne gabriele christa
christine hildegard anna birgit barbara gerda elke heike martina angelika irmgard ilse ute marion elisabeth maria
ines klara clara rosa tina eva olga carla franz anja katrin katharina julia lena laura lea johanna sophie sofia greta
"""
_FRENCH = """
jean pierre michel andre philippe rene louis alain jacques bernard marcel daniel roger robert paul claude christian
henri georges nicolas francois laurent christophe eric frederic sebastien julien david stephane pascal thierry olivier
luc lucas hugo theo antoine guillaume maxime mathieu thomas marie jeanne francoise monique catherine nathalie isabelle
jacqueline anne sylvie martine madeleine nicole suzanne helene christine marguerite denise louise christiane valerie
sophie camille celine aurelie emilie chloe manon lea zoe ines juliette margaux brigitte veronique sandrine
"""
_SPANISH = """
antonio jose manuel francisco juan david javier daniel carlos jesus alejandro miguel rafael pedro pablo angel sergio
fernando luis jorge alberto alvaro diego adrian raul ivan ruben enrique ramon vicente andres joaquin santiago eduardo
victor roberto jaime mario maria carmen ana isabel laura dolores pilar josefa teresa rosa cristina marta lucia
francisca antonia elena sara paula mercedes luisa concepcion rosario juana raquel beatriz manuela julia patricia irene
montserrat andrea rocio monica alba angela eva silvia sonia nuria susana margarita ines
"""
_ITALIAN = """
giuseppe giovanni antonio mario luigi francesco angelo vincenzo pietro salvatore carlo franco domenico bruno paolo
michele giorgio aldo sergio luciano marco andrea luca matteo alessandro lorenzo davide simone stefano roberto
riccardo maria anna giuseppina rosa angela giovanna teresa lucia carmela caterina francesca antonietta carla elena
concetta rita margherita franca paola giulia chiara sara martina federica alessia silvia valentina elisa laura
"""
_CATALAN = """
jordi josep joan marc pau pere xavier miquel francesc ramon albert carles antoni lluis oriol arnau pol jaume andreu
guillem biel bernat sergi enric montserrat marta nuria laia merce mireia maria anna carme rosa josefa dolors
neus cristina jordina aina clara meritxell gemma silvia judit berta jana
"""
FIRST_NAMES = frozenset(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _CATALAN)).split())
"""In small letters without accents; ue, ae and oe for the German ones."""

_PLACES = "san santa sant st saint sankt sainte port fort mount lake villa new"
PLACES = frozenset(_PLACES.split())
"""What stands before a first name in the name of a place: Santa Clara."""

_TITLES = "dr prof mr mrs ms miss sir herr frau sr sra don dona m mme mlle dott sig signora"
TITLES = frozenset(_TITLES.split())
"""What stands before a name and is none."""

_GERMAN_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def first_name_in(text: str) -> bool:
    """Whether a text begins or ends with a frequent first name, or has one after a comma, and names no place.

    >>> first_name_in("García Gil, Ana"), first_name_in("Jürgen Koch"), first_name_in("Santa Ana")
    (True, True, False)
    """
    parts = [_plain(part).split() for part in text.split(",")]
    parts = [[word for word in part if word.strip(".") not in TITLES] for part in parts]
    words = [word for part in parts for word in part]
    if not words or words[0] in PLACES:
        return False
    first = [part[0] for part in parts if part]
    return any(word in FIRST_NAMES for word in (*first, words[-1]))


def _plain(text: str) -> str:
    """In small letters without accents, joined names apart."""
    small = text.casefold().translate(_GERMAN_LETTERS).replace("-", " ")
    return unicodedata.normalize("NFKD", small).encode("ascii", "ignore").decode()
