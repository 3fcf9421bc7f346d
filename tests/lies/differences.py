"""Where the two verifiers do not say the same of a lie. What is not named here, both see or neither does."""

# They are not meant to see the same: why.
MEANT = {
    "no checkpoint is shown at all": "our own is not asked for any: a venue may have signed none yet",
    "a cosignature is forged": "our own knows no witness",
    "a cosignature is copied from another checkpoint": "our own knows no witness",
    "a cosignature has another time": "our own knows no witness",
    "a forged cosignature under a history made anew": "our own knows no witness",
    "a copied cosignature under a history made anew": "our own knows no witness",
    "the first key of all is replaced, and everything signed with it": "our own is given no key from elsewhere",
    "all rounds of a table by rules that nobody approved": "the outside one goes by the name of the game",
    "what was asked for is not what was done": "the outside one looks at what was done, not at what was asked for",
    "an entry does not name its document": "the outside one sees no documents",
}

# To be mended in one of the two.
KNOWN = {
    "a decision in a rank that the person never had",
    "a void without a clause",
    "a void by another clause",
    "a void voucher goes to another seat",
    "a shoe of other decks is loaded",
    "two entries of different streams change their places",
    "an entry is of another gaming day",
    "a field twice, with two values",
    "a checkpoint of more entries than there are",
    "a checkpoint of another root",
    "a checkpoint signed with a stranger's key",
    "a checkpoint signed with the old key after a new one was set",
    "a checkpoint whose signature is wrong",
    "a checkpoint of another origin",
    "a key is replaced without the old key's word",
    "a key is replaced with a forged word of the old one",
    "a key that nobody has shown to hold",
    "a key of another origin",
    "a key that the journal does not name",
}
