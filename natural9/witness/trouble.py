"""What can go wrong for a witness, from a house that is down to one that lies."""


class WitnessFailed(Exception):
    """The witness itself cannot go on: its key, its file."""


class HouseTrouble(Exception):
    """This time nothing was cosigned, or nobody took it; next time it may be well. The message is a sentence's end."""


class StrangeKey(HouseTrouble):
    """The house signs with a key that no key known of it vouches for. It may be somebody on the way, so it is no
    evidence against the house; but it raises the alarm, and a person has to ask."""


class TwoHistories(Exception):
    """The house has shown two histories, or has gone back: whatever it says from now on, it is not cosigned."""
