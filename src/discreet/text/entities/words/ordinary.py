"""Ordinary English: words that say nothing of whom a text is about, even when they are written with a capital.

They are the small words, what institutions and laws are called after, and what reports and letters are made of;
longer words are told by their endings. A text's own words in small letters count as ordinary too, where it is read.
"""

from __future__ import annotations

from discreet.text.entities.words import words

SMALL = frozenset(
    words(
        """
    a about above according across after afterwards again against albeit all also alternatively although
    am among an and another any anyone anything apart apparently are around as aside at away be because
    been before being below beside besides between beyond both but by can cannot concerning consequently
    could currently despite did do does done down due during each earlier either else elsewhere even
    eventually ever every everyone everything except few finally firstly following for former formerly
    from furthermore had has have having he hence her here hereafter hereby herein hereinafter hers
    herself him himself his hitherto how however i if in including indeed initially instead into is it
    its itself just lastly later latter least less lest let likewise many may me meanwhile might mine
    more moreover most much must my myself namely near neither never nevertheless next no nobody none
    nonetheless nor not nothing notwithstanding now of off often on once one only onto or originally
    other others otherwise our ours out outside over own per perhaps previously prior pursuant quite
    rather recently regarding same secondly see several shall she should similarly since so some someone
    something soon still subsequently such than that the their theirs them themselves then there
    thereafter thereby therefore therein thereof thereupon these they thirdly this those though three
    through throughout thus to today together tomorrow too toward towards two under unless unlike until
    up upon us usually various very via was we well were what whatever when whenever where whereas
    whereby wherein whereupon whether which while who whoever whole whom whose why will with within
    without would yes yesterday yet you your yours yourself four five six seven eight nine ten eleven
    twelve twenty thirty forty fifty hundred thousand million billion mr mrs ms miss messrs dr no nos
    vol pp ibid cf eg ie etc dear sincerely regards yours enclosed subject re please
    """
    )
)
"""Words that no name starts or ends with."""

_INSTITUTIONS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth twentieth last academic academies academy account accountant accountants
    accounts act action acts additional address administration administrative admiralty adult advice
    adviser advisers advisor advisory advocate advocates affairs affiliated age agencies agency agent
    agrarian agreement agreements agricultural agriculture aid air airline airlines airport airways
    alien aliens alliance allied allowance ambassador amendment animal annex annual anti appeal appeals
    appellate appendix applicant applicants application applications appointed appointment arbitration
    architects archive archives area areas arm armed armies army art article articles arts assembly
    assessment assets assistance assistant associate associated associates association associations
    assize assizes asylum athletic attorney attorneys auction audit auditor auditors authorities
    authority automobile aviation award bailiff bailiffs bank banking bankruptcy banks bar base basic
    battalion benefit benefits bill bills board boards body book books border borough branch brigade
    broadcaster broadcasting brotherhood budget building buildings bulletin bureau business businesses
    cabinet cadastral camp campaign campus cancer capital car care case cases cathedral cell cemetery
    census center central centre centres ceramic certificate chair chairman chamber chambers chancellery
    chancellor channel chapter charge charitable charities charity charter chemical chief child children
    church churches cinema circuit circular citizen citizens citizenship city civil civilian claim
    claims class clause clerk client clinic clinical clinics club coal coalition coast coastal code
    codes collective college colleges colonial combat command commander commerce commercial commission
    commissioner commissioners commissions committee committees common commons commonwealth communal
    commune communication communications communist communities community companies company compensation
    competition complaint complaints compliance comptroller computer confederation conference
    confidential congregation congress conscription conservation conservative constabulary constitution
    constitutional construction consul consular consulate consultation consultative consumer consumers
    contract contracting contracts control convention conventions cooperation cooperative cooperatives
    coordination corporate corporation corporations corps correctional correspondence council councillor
    councils counsel county coup court courts covenant credit crime crimes criminal cross crown cultural
    culture currency custody customs daily data day days deaf death debt december decision decisions
    declaration decree defence defense delegate delegated delegation democracy democratic democrats
    dental department departmental departments deposit deputies deputy description desk destruction
    detention development diplomatic direct direction directive directives director directorate
    directorates directors disabilities disability disabled disarmament disaster disciplinary discipline
    dispute disputes district districts division divisional divisions dock doctor doctors document
    documents domestic draft driving drug drugs duties duty earth east eastern economic economics
    economy edition editor editorial education educational elder election elections electoral electric
    electrical electricity embassy emergency employee employees employer employers employment energy
    enforcement engineer engineering engineers english enquiry enterprise enterprises environment
    environmental equal equality estate estates european evidence examination examiner exchange
    execution executive exhibit expert experts export external facilities facility facts faculty fair
    families family farm farmer farmers farming federal federated federation fellow fellowship female
    field fifth film final finance finances financial fire fiscal fisheries fishing fleet food football
    force forces foreign forest forestry forests formation forum foundation foundations fourth fraud
    free freedom freedoms friend friends front fuel full fund fundamental funds gas gazette gendarme
    gendarmerie gendarmes general geological girls global goods governing government governmental
    governments governor governors grammar grand grant great green ground group groups guarantee guard
    guardian guards guidance guild hall harbour head headquarters health hearing heavy heritage high
    higher highest highway highways historic historical history holdings holiday holy home homeland
    hospital hospitals hostel hotel hour house household houses housing human humanitarian humanities
    husband identity illness immigration imperial implementation import independence independent index
    industrial industries industry infantry information infrastructure inland inquiry insider inspection
    inspector inspectorate inspectors instance institute institutes institution institutional
    institutions instruction instrument insurance integrated intelligence intensive inter intercommunal
    interest interior internal international internet intervention investigation investigations
    investigator investigative investment investments issues joint journal journalist journalists judge
    judgement judgment judgments judges judicial judiciary junior jurisdiction jury justice juvenile
    keeper king kingdom knowledge labor laboratories laboratory labour land lands language law laws
    lawyer lawyers leader leaders league learning legal legation legislation legislative legislature
    letter liaison liberal liberation liberties liberty library licence licensing life limitation
    limited line list literature litigation living loan local lords lower machine magazine magistrate
    magistrates main maintenance major male man management manager managing manual manufacturing marine
    marines maritime market marketing markets martial master material materials maternity matter matters
    mayor media mediation medical medicine member members memorandum memorial men mental merchant
    metropolitan middle migration military militia mill mine mineral minerals mines mining minister
    ministerial ministers ministries ministry minor minorities minority mission missions mobile modern
    monetary monitoring month monthly moral mother motor mountain movement municipal municipalities
    municipality museum museums music mutual name narcotics nation national nationality nationals
    nations natural naturalisation nature naval navy negotiations network new news newspaper nineteenth
    non north northern note notice nuclear number nurse nursing objective observation observations
    observer occupation occupational office officer officers offices official officials oil old
    ombudsman open operation operational operations opinion opposition oral orchestra order ordinance
    ordnance organisation organisations organization organizations orphans outpost overseas owner
    ownership pact palace panel paper paragraph parents parish parliament parliamentary parole part
    parties partner partners partnership party passport patent patients patrol payment payments peace
    peasant penal penitentiary pension pensions people peoples performance period permanent permit
    person personal personnel persons petition petroleum pharmaceutical pharmacy physical physician
    physicians pilot place plan planned planning plant plants plaza pledge plenary point points police
    policy political poor popular population port ports position post postal power powers practice
    practitioner practitioners preliminary premier preparation preparatory presidency president
    presidential presiding press pretrial prevention preventive price primary prime principal principles
    prison prisoner prisoners prisons private probate probation procedure procedures proceeding
    proceedings procurator product production products professional professor professors program
    programme programmes programs progress progressive prohibition project projects property proprietary
    prosecuting prosecution prosecutor prosecutors protected protecting protection protestant protocol
    province provinces provincial provision provisional provisions psychiatric psychiatry psychological
    psychology public publication publications publisher publishers publishing pupil purchase quarter
    quarterly question questions race racial radio rail railroad railway railways real recognition
    reconciliation reconstruction record records recovery recruitment red reference reform refugee
    refugees regiment region regional regions register registered registrar registration registry
    regulation regulations regulatory rehabilitation relation relations release relief religion
    religious remand renewal republic republican republics rescue research reserve reserves residence
    resident residential resistance resolution resource resources response restoration restricted
    restriction retail retired retirement return revenue review revision revolution revolutionary right
    rights river road roads room royal rule rules rural safety sales sanctions sanitary savings scheme
    school schools science sciences scientific sea seat secondary secret secretariat secretaries
    secretary section sections sector securities security seize selection senate senator senior sentence
    series service services session settlement share shareholders sheriff ship shipping ships shop shops
    show site small social socialism socialist socialists society society's software soil soldier
    solicitor solicitors south southern sovereign space special specialist specialists sport sports
    spring staff standard standards standing state statement states station statistical statistics
    statute statutory steel stock stores strategic strategy street structural student students studies
    study sub subcommittee summary superintendent superior supervision supervisory supply support
    supreme surgeon surgery survey surveys sustainable system systems table tank task tax taxation taxes
    teacher teachers teaching team technical technological technology telecommunications telegram
    telegraph telephone television temporary term territorial territories territory terror terrorism
    terrorist terrorists test testing text textile theatre title tobacco tourism tourist tower town
    towns township trade trading traffic training transport transportation travel treasurer treasury
    treaties treaty treatment trial tribunal tribunals troops tropical trust trustees trusts under
    undersecretary unemployed unemployment union unions unit united units universities university urban
    value vehicle vehicles vessel veteran veterans veterinary vice victim victims village villages visa
    vocational volume voluntary volunteer war warden wars waste water waterways way wealth weapons
    weather week weekly welfare west western widow widowed widows wife wildlife witness witnesses woman
    women woods work worker workers workforce working works workshop world year years yearly young youth
    zone zones
"""
_REPORTS = """
    absence abstract abuse accident accordance accused acting activities activity adoption advance
    aftermath afternoon agenda agent aim aims allegation allegations alleged amount analysis
    announcement answer appearance approach approval approved april arguments arrest arrested aspects
    assault attached attack attempt attention august authors autumn background balance battle
    bereavement birth black blue brother brothers brown call cause change changes christmas church
    circumstances claimant code colleague comment comments comparison comradeship concern conclusion
    conclusions condition conditions conduct connection consent consideration considerations content
    contents context copy corruption cost costs country couple couples course cousin crisis criticism
    damage dance dark date daughter deadline dealing decades deceased default defendant defendants
    degree demand demands details diploma discussion discussions dismissal dollar dollars doubt early
    easter effect effects efforts end enemy event events example excellency exhumation expenses
    explanation expression extract eye eyes failure father fax february feeling figure figures file
    findings footnote form forms friday future gentlemen giving given gold good guilty half hand heading
    heir heirs held herewith hero highness history hope idea immediate impact importance imprisonment
    incident incidents injuries injury introduction invasion issue item items january jew job july june
    key kind knight lack lady landlord lane large late leaving length letters level levels like lists
    little long look lord loss loving madam majesty making march mark marks marriage meaning measures
    meeting meetings memo merits message method middle mid midnight minutes missing mister mixed monday
    money morning motion murder names need negative night noon notes november object october offence
    offences offer omitted opposite outcome pages parcel particulars passage past patient pay persecuted
    philosophy phone picture piece plaintiff plea plot points portion positive possession possible
    present presence president's pressure principle problem problems process proof proposal proposals
    protest purpose queen quote ratione reaction reader reason reasons receipt recommendation
    recommendations recommended referring refusal relating relationship relatives relevant remark
    remarks reparation reply report reporter reporting reports representation representative
    representatives request requests responsibility result results riots risk role round route sale
    satisfaction saturday saint saints scene scope search section self september set shareholder sheet
    short signature silver sir sister situation son sources speaker speaking speech stage start step
    steps store stories story strike subject success suggestion suicide sum summer sunday supplement
    surrounding suspect take talk talking talks target telephoned thank thanks thesis thing things think
    thought threat thursday time times top topic tort torture total tour track traditional translation
    trees trip troop truth tuesday turn type unknown unlawful updated use user version victory view
    views violation violations violence visit visits vote wall warm warning wednesday weekend white will
    wing winter wish word words write writer writing written yard yellow zero
"""
ORDINARY = SMALL | frozenset(_INSTITUTIONS.split()) | frozenset(_REPORTS.split())
"""Ordinary words in small letters."""

_ENDINGS = (
    "ation ction ition ution ption rtion ssion nsion ment ments ships hood ical ional ially ative itive ology ological "
    "ously ities ility ality ivity arity eness fulness ically ising izing ation's isation ization istic istics ifying "
    "ications ations ctions ptions wards wide"
)
ENDINGS = tuple(_ENDINGS.split())
"""Endings of English words that names do not have."""

SHORTEST = 7
"""Letters that a word has at least that is told to be ordinary by its ending alone."""


def is_ordinary(word: str) -> bool:
    """Whether a word is ordinary English, however it is written; a plural and a possessive are as their word.

    >>> [is_ordinary(each) for each in ("Courts", "MINISTER’S", "Constitutional", "Novak", "Gdańsk")]
    [True, True, True, False, False]
    """
    low = word.lower()
    if low in ORDINARY:
        return True
    if not low.isascii():
        base = low.replace("’", "'").replace("‑", "-")
        return base != low and is_ordinary(base)
    if "-" in low:
        return all(is_ordinary(each) for each in low.split("-") if each)
    if len(low) >= SHORTEST and low.endswith(ENDINGS):
        return True
    for ending in ("'s", "s'", "'", "s", "ed", "ing"):
        if low.endswith(ending) and low[: -len(ending)] in ORDINARY:
            return True
    return False
