"""Learning from reviewed documents: a sequence model that proposes, and a threshold that keeps a stated bound."""
