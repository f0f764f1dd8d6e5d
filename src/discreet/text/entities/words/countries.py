"""Countries and the adjectives made from them, and peoples, faiths and convictions that are not a country's."""

from __future__ import annotations

from collections.abc import Iterable

_COUNTRIES = """
    Afghanistan:Afghan; Albania:Albanian; Algeria:Algerian; Andorra:Andorran; Angola:Angolan;
    Argentina:Argentine,Argentinian; Armenia:Armenian; Australia:Australian; Austria:Austrian;
    Azerbaijan:Azerbaijani,Azeri; Bahamas:Bahamian; Bahrain:Bahraini; Bangladesh:Bangladeshi;
    Barbados:Barbadian; Belarus:Belarusian,Belorussian; Belgium:Belgian; Belize:Belizean;
    Benin:Beninese; Bhutan:Bhutanese; Bolivia:Bolivian; Bosnia and Herzegovina:Bosnian; Bosnia;
    Botswana; Brazil:Brazilian; Brunei:Bruneian; Bulgaria:Bulgarian; Burkina Faso:Burkinabe;
    Burma:Burmese; Burundi:Burundian; Cambodia:Cambodian; Cameroon:Cameroonian; Canada:Canadian; Cape
    Verde; Central African Republic; Chad:Chadian; Chile:Chilean; China:Chinese; Colombia:Colombian;
    Comoros:Comorian; Congo:Congolese; Costa Rica:Costa Rican; Croatia:Croatian,Croat; Cuba:Cuban;
    Cyprus:Cypriot,Greek-Cypriot,Turkish-Cypriot; Czech Republic:Czech; Czechia;
    Czechoslovakia:Czechoslovak; Denmark:Danish,Dane; Djibouti:Djiboutian; Dominican Republic:Dominican;
    Ecuador:Ecuadorian; Egypt:Egyptian; El Salvador:Salvadoran; England:English; Eritrea:Eritrean;
    Estonia:Estonian; Ethiopia:Ethiopian; Fiji:Fijian; Finland:Finnish,Finn; France:French;
    Gabon:Gabonese; Gambia:Gambian; Georgia:Georgian; Germany:German; GDR; FRG; Ghana:Ghanaian; Great
    Britain:British,Briton; Greece:Greek,Hellenic; Grenada:Grenadian; Guatemala:Guatemalan;
    Guinea:Guinean; Guyana:Guyanese; Haiti:Haitian; Holy See; Honduras:Honduran; Hong Kong;
    Hungary:Hungarian; Iceland:Icelandic; India:Indian; Indonesia:Indonesian; Iran:Iranian; Iraq:Iraqi;
    Ireland:Irish; Israel:Israeli; Italy:Italian; Ivory Coast:Ivorian; Jamaica:Jamaican; Japan:Japanese;
    Jordan:Jordanian; Kazakhstan:Kazakh; Kenya:Kenyan; Korea:Korean; Kosovo:Kosovar; Kuwait:Kuwaiti;
    Kyrgyzstan:Kyrgyz; Laos:Laotian; Latvia:Latvian; Lebanon:Lebanese; Lesotho; Liberia:Liberian;
    Libya:Libyan; Liechtenstein; Lithuania:Lithuanian; Luxembourg; Macedonia:Macedonian;
    Madagascar:Malagasy; Malawi:Malawian; Malaysia:Malaysian; Maldives:Maldivian; Mali:Malian;
    Malta:Maltese; Mauritania:Mauritanian; Mauritius:Mauritian; Mexico:Mexican; Moldova:Moldovan;
    Monaco; Mongolia:Mongolian; Montenegro:Montenegrin; Morocco:Moroccan; Mozambique:Mozambican;
    Myanmar; Namibia:Namibian; Nauru; Nepal:Nepalese; Netherlands:Dutch; Holland; New Zealand;
    Nicaragua:Nicaraguan; Niger:Nigerien; Nigeria:Nigerian; Northern Ireland; Norway:Norwegian;
    Oman:Omani; Pakistan:Pakistani; Palestine:Palestinian; Panama:Panamanian; Papua New Guinea;
    Paraguay:Paraguayan; Peru:Peruvian; Philippines:Filipino,Philippine; Poland:Polish,Pole;
    Portugal:Portuguese; Prussia:Prussian; Qatar:Qatari; Rhodesia:Rhodesian; Romania:Romanian;
    Russia:Russian; Rwanda:Rwandan; Samoa:Samoan; San Marino; Saudi Arabia:Saudi; Scotland:Scottish;
    Senegal:Senegalese; Serbia:Serbian,Serb; Seychelles; Sierra Leone:Sierra Leonean;
    Singapore:Singaporean; Slovakia:Slovak,Slovakian; Slovenia:Slovenian,Slovene; Somalia:Somali; South
    Africa:South African; Soviet Union:Soviet; Spain:Spanish; Sri Lanka:Sri Lankan; Sudan:Sudanese;
    Suriname:Surinamese; Swaziland:Swazi; Sweden:Swedish; Switzerland:Swiss; Syria:Syrian;
    Taiwan:Taiwanese; Tajikistan:Tajik; Tanzania:Tanzanian; Thailand:Thai; Tibet:Tibetan; Togo:Togolese;
    Tonga:Tongan; Trinidad and Tobago; Tunisia:Tunisian; Turkey:Turkish; Turkmenistan:Turkmen;
    Uganda:Ugandan; Ukraine:Ukrainian; United Arab Emirates:Emirati; United Kingdom; UK; USSR; United
    States; USA; US; U.S.; U.K.; United States of America:American; Uruguay:Uruguayan; Uzbekistan:Uzbek;
    Vatican; Venezuela:Venezuelan; Vietnam:Vietnamese; Viet Nam; Wales:Welsh; Yemen:Yemeni;
    Yugoslavia:Yugoslav; Zaire:Zairean; Zambia:Zambian; Zimbabwe:Zimbabwean; Europe:European;
    Africa:African; Asia:Asian; America; Latin America:Latin American; North America; South America;
    Central America; Middle East; Far East; Scandinavia:Scandinavian; Balkans:Balkan; Caribbean; Western
    Europe; Eastern Europe; Arabia:Arabian
"""
_PEOPLES = """
    Aboriginal Adventist Adventists Alawite Alevi Alevis Anglican Arab Arabic Arabs Armenians Ashkenazi
    Assyrian Atheist Bahá'í Baha'i Baptist Baptists Basque Basques Bedouin Berber Bosniak Bosniaks
    Breton Buddhist Buddhists Calvinist Catalan Catalans Catholic Catholics Chechen Chechens Christian
    Christians Circassian Coptic Copts Corsican Creole Crimean Druze Evangelical Flemish Gypsies Gypsy
    Hausa Hindu Hindus Hispanic Hutu Igbo Ingush Inuit Islamic Islamist Jew Jewish Jews Kurd Kurdish
    Kurds Ladino Lapp Lapps Lutheran Lutherans Maoist Maori Marxist Marxists Marxist-Leninist Maya Mayan
    Mennonite Methodist Methodists Mormon Mormons Moslem Moslems Muslim Muslims Ndebele Nomadic Orthodox
    Ossetian Pashtun Pentecostal Presbyterian Protestant Protestants Quaker Quakers Quechua Roma Romani
    Romany Ruthenian Salafi Sami Sámi Scientologist Scientologists Scientology Sephardic Serbs Shia
    Shiite Sikh Sikhs Silesian Sinti Sorb Sunni Tamil Tamils Tatar Tatars Traveller Travellers
    Trotskyist Tutsi Uighur Unitarian Uyghur Walloon Xhosa Yazidi Yezidi Yiddish Yoruba Zionist Zulu
"""


def _pairs() -> Iterable[tuple[str, tuple[str, ...]]]:
    for entry in _COUNTRIES.split(";"):
        country, _, adjectives = " ".join(entry.split()).partition(":")
        yield country, tuple(each for each in adjectives.split(",") if each)


COUNTRIES = frozenset(country for country, _ in _pairs())
"""Countries, former countries and continents by their usual English names."""

NATIONALITIES = frozenset(each for _, adjectives in _pairs() for each in adjectives)
"""The adjectives of the countries."""

NATIONALS = frozenset(f"{each}s" for each in NATIONALITIES if each[-1] not in "sh")
"""Plurals of those that have one."""

PEOPLES = frozenset(_PEOPLES.split())
"""Peoples, faiths and convictions, which tell more of a person than the country does."""

NATIONAL_WORDS = frozenset(
    word.lower()
    for name in (*COUNTRIES, *NATIONALITIES, *NATIONALS)
    for word in name.replace("-", " ").split()
    if word[0].isupper()
)
"""Every word of these names, in small letters: an organisation named by them alone is no secret."""
