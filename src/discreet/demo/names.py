"""Given names, and the parts that surnames are put together from."""

from __future__ import annotations


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


WOMEN = _listed(
    "Ada Agnes Alice Alma Amber Anna Aoife Beth Bridget Cara Celia Ciara Clara Daisy Della Edith Eileen Elena "
    "Ella Emer Esme Eva Fern Fiona Flora Freya Grace Greta Hazel Helen Ida Imogen Irene Iris Ivy Jane Joan "
    "Judith June Kate Laura Lena Lily Lucy Mabel Maeve Mara Martha Maud May Mina Mona Nell Niamh Nora Olive "
    "Orla Pearl Petra Polly Rhona Rita Rosa Ruth Sadie Sinead Stella Sylvia Tess Thea Una Vera Willa Zoe"
)
MEN = _listed(
    "Aaron Abel Adam Aidan Albert Alec Amos Arthur Barry Basil Ben Brendan Brian Callum Cian Clive Colm Conor "
    "Cyril Dara Declan Denis Dermot Donal Duncan Edgar Edwin Eoin Ernest Evan Felix Finn Francis Frank George "
    "Giles Gordon Harold Henry Hugh Ian Isaac Ivan Jack James Jonas Keith Kevin Lewis Liam Luke Malachy Mark "
    "Martin Miles Neil Niall Noel Oscar Owen Patrick Peter Philip Ralph Rory Rowan Sean Simon Theo Tom Victor "
    "Walter"
)
SURNAME_STEMS = _listed(
    "Alder Arden Ash Barn Birch Black Brack Bram Brook Calder Carr Clay Combe Crow Dal Dun East Elm Fair Fal "
    "Fern Glen Gold Grim Hart Hawk Hazel Heath Holm Hurst Kel Kirk Lang Lin Mar Mel Mill Moor Nether North Oak "
    "Pen Quarr Raven Red Row Sander Sel Shel Stan Swan Tarn Thorn Tor Under Wake Wester Wild Win Yar"
)
SURNAME_ENDINGS = _listed(
    "beck berry bourne bridge by cott croft dale den don field ford gate ham hurst kin land ley low man mere "
    "more ridge son stead stone ton vale wall ward well wick wood worth"
)
