"""Loss: how much use a masked table has kept, one file for each measure."""

from discreet.loss.category_distance import category_distance as category_distance
from discreet.loss.certainty_penalty import certainty_penalty as certainty_penalty
from discreet.loss.classification import classification as classification
from discreet.loss.clustering import clustering as clustering
from discreet.loss.conditional_entropy import conditional_entropy as conditional_entropy
from discreet.loss.contingency import contingency as contingency
from discreet.loss.discernibility import discernibility as discernibility
from discreet.loss.eigenvalues import eigenvalues as eigenvalues
from discreet.loss.il import il as il
from discreet.loss.il1 import il1 as il1
from discreet.loss.il1s import il1s as il1s
from discreet.loss.il2 import il2 as il2
from discreet.loss.il3 import il3 as il3
from discreet.loss.il4 import il4 as il4
from discreet.loss.il5 import il5 as il5
from discreet.loss.kl_divergence import kl_divergence as kl_divergence
from discreet.loss.lost import lost as lost
from discreet.loss.pil import pil as pil
from discreet.loss.pmse import pmse as pmse
from discreet.loss.regression import regression as regression
from discreet.loss.semantic_clustering import semantic_clustering as semantic_clustering
from discreet.loss.semantic_sse import semantic_sse as semantic_sse
from discreet.loss.sse import sse as sse
