"""Words that go with names of people and are not names: suffixes and particles; and short first names."""

from __future__ import annotations

from discreet.text.entities.words import names

_SUFFIXES = "jr sr ii iii iv esq phd md cbe obe mp qc kc usn usa usaf usmc ret"
SUFFIXES = frozenset(_SUFFIXES.split())

PARTICLES = names.PARTICLES | {"ad", "ar", "as", "st", "san"}
"""Words between the parts of a name, which one writer sets and another leaves out."""

PATRONYMIC = frozenset(("bin", "ibn", "bint"))
"""What stands before the name of a father: the person is called by the first name."""

_SHORT = """
abraham abe; albert al bert; alexander alex sandy alec; alfred al fred; andrew andy drew; anthony tony; antonio
tony; arthur art; barbara barb; benjamin ben; bernard bernie; catherine cathy kate; charles charlie chuck;
christopher chris; clifford cliff; cornelius neil; daniel dan danny; david dave; deborah debbie; donald don; dorothy
dot; edward ed eddie ted ned; edmund ed ted; eleanor ellie; elizabeth liz beth betty bess; eugene gene; francis
frank; francisco paco pancho; franklin frank; frederick fred freddie; gabriel gabe; gerald gerry jerry; gerard
gerry; gregory greg; harold hal harry; henry hank harry hal; herbert herb bert; hubert bert; isaac ike; jacob jake;
james jim jimmy jamie; jeffrey jeff; jerome jerry; jessica jess; john jack johnny; jonathan jon; jose pepe; joseph
joe joey; joshua josh; katherine kate kathy kay; kenneth ken; lawrence larry; leonard len leo; llewellyn tommy;
louis lou; malcolm mac mal; margaret peggy maggie meg; martin marty; matthew matt; melvin mel; michael mike mick;
nathaniel nat nate; nicholas nick; norman norm; patricia pat patty; patrick pat paddy; peter pete; philip phil;
phillip phil; ralph ray; raymond ray; rebecca becky; richard dick rick rich; robert bob bobby rob robbie; roberto
beto; rodger rod; roger rog; ronald ron; rudolf rudy; russell russ; samuel sam; sarah sally; sidney sid; solomon
sol; stanley stan; stephen steve; steven steve; stuart stu; susan sue; terence terry; theodore ted teddy; thomas tom
tommy; timothy tim; tobias toby; victor vic; vincent vince; virginia ginny; walter walt; wilfred will; william bill
billy will willy liam; winston winnie; zachary zach
"""
SHORT_FORMS: dict[str, frozenset[str]] = {
    first: frozenset(shorts) for first, *shorts in (line.split() for line in _SHORT.split(";"))
}
"""First names, each with what its bearers are called."""

FIRST_NAMES = frozenset(SHORT_FORMS) | frozenset(short for shorts in SHORT_FORMS.values() for short in shorts)

ENGLISH_FIRST_NAMES = FIRST_NAMES - {
    "antonio",
    "francisco",
    "gabriel",
    "jose",
    "paco",
    "pancho",
    "pepe",
    "roberto",
    "victor",
}
"""First names whose bearers rarely have two surnames."""

_ORDINARY = """
able abbey acre alley alter amber angel apple archer arrow ash august autumn baker ball banks barber bark barn baron
bass bay beach beam bean bear beard bell bench berry best bird bishop black blade blank bloom blue board bond book
booth bow bowl box branch brand bridge bright brook brown buck bull bush butler butter camp cannon card carpenter case
cash castle chamber chance chase church clay close coal cook corn cotton court craft crane crook cross crow crown
cruise curry dale dance darling dawn day dean deer dial dove drake duke early earl east english fair faith farmer
field finch fish fisher flag flint flood flower ford forest fort fountain fox frank free freeman french frost fuller
gale gamble garden gardener garland gates german glass gold golden good goose grace grant grave graves gray green grey
ground grove guest gun hall hammer hand hardy harp hawk hay head heart hill hood hook hope horn house hunt hunter ice
irons ivory jarring jay jewel joy judge just justice key keys kind king kitchen knight lake lamb land lane law lawn
laws leader leaf lemon light little lock lodge long lord love low major mall man manner march mark market marsh
marshal masters may mead medal might mill miller mills mint money monk moon moss mould mount mountain nail near new
nice night noble north nurse oak olive page paint park parks past peace peak pearl pen penny pepper person pierce pike
pine plant plum pool poor pope porter post potter pound power price pride prince prior purse queen quick rain ranger
ray reader reed rice rich ring rivers rock rose ruby rule rush sage sail sales salt sands savage sharp shell shepherd
shields short silver simple singer small smart snow sparks speak speed spring star steel stern stone storm stout
street strong summer summers sun swan sweet swift tailor tall temple thorn tower towers town trader tree trip true van
violet wall ward ware warden water waters weeks well wells west wheat white wild will wills winter wise wolf wood
woods worth yard young
"""
ORDINARY = frozenset(_ORDINARY.split())
"""Words of ordinary English that are also names; a corpus may be too small to show that they are ordinary."""
