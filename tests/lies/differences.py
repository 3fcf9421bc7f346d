"""Where the two verifiers do not say the same of a lie. What is not named here, both see or neither does."""

# They are not meant to see the same: why.
MEANT = {
    "no checkpoint is shown at all": "our own is not asked for any: a venue may have signed none yet",
    "a cosignature is forged": "our own knows no witness",
    "a cosignature is copied from another checkpoint": "our own knows no witness",
    "a cosignature has another time": "our own knows no witness",
    "a forged cosignature under a history made anew": "our own knows no witness",
    "a copied cosignature under a history made anew": "our own knows no witness",
    "all rounds of a table by rules that nobody approved": "the outside one goes by the name of the game",
    "what was asked for is not what was done": "the outside one looks at what was done, not at what was asked for",
    "an entry does not name its document": "the outside one sees no documents",
    "a round cannot be found by its label": "the outside one does not look at labels",
    "a request is carried out twice": "the outside one does not look at who asked for what",
    "a bet that somebody of the staff has laid": "the outside one does not look at who asked for what",
    "limits changed while a round is in play": "the outside one does not look at limits",
    "a round with limits that nobody set": "the outside one does not look at limits",
    "a round with another betting unit": "the outside one does not look at limits",
    "a drawer's takings are another sum": "the outside one looks at a drawer's money, not at its account",
    "a key is replaced without the old key's word": "our own is given no key from elsewhere, and a key may be lost",
}
