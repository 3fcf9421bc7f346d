"""The odds page's mathematics over HTTP: every wager of any game, priced for any shoe, without a sign-in."""
