"""Everything that the auditor judges: the kinds of violation that there are, and what each says.

Each has a test that plants such a lie in an honest story (`tests/torture/test_lies_are_named.py`), and the honest story
has none.
"""

from typing import Final

PROPERTIES: Final[dict[str, str]] = {
    # Requests and answers (judge_requests)
    "acknowledged and lost": "what a client was told is done stands in the journal, whatever crashed since",
    "acknowledged another entry": "an acknowledgement names the first entry that this very request led to",
    "acknowledged before durable": "no acknowledgement comes before its entry is on the disk",
    "never asked": "no terminal and no person has an entry that they did not ask for",
    "done otherwise than asked": "what was asked stands in the journal as it was sent",
    "done elsewhere": "what was asked of a table is done at that table",
    "done twice": "a request is carried out once, however often it was sent",
    "refused and done": "what a client was told is refused never happens",
    "answered otherwise": "the same request gets the same answer, after any number of restarts",
    "answered to nothing": "nobody is answered what they did not ask",
    "answered for another": "an id that was answered and comes again for something else is not answered as done",
    "refused as reused": "an id counts as used for something else only if it was",
    "refused without need": "what a player could do is not refused as something that there is not",
    "never answered": "once the faults have stopped, whatever is asked is answered",
    "not understood": "every message of the server is one that the protocol has",
    # The journal itself (judge_journal)
    "journal does not verify": "the outside verifier finds chains, money, settlements, clauses and ranks right",
    "bet outside limits": "unit, wager, seat and table limits hold for every bet",
    "bet from a locked terminal": "a terminal that is locked bets nothing",
    "bet while play waits": "no bet in a break, after a reality check or beyond the player's own limits",
    "bet of somebody else": "only the terminal at a seat bets for it",
    "played in a fault": "while a table has a fault, nothing is bet, dealt or settled",
    "played over a report": "while an irregularity waits for a decision, the round waits, too",
    "out of turn": "each step of a round comes in the phase that it belongs to, and leads to the next",
    "insurance not offered": "insurance is offered in every situation that its table has a row for, and in no other",
    "dealt by nobody": "a dealer's table is dealt by a person or its reading shoe, at an automatic one by the program",
    "too low a rank": "whoever decides has the rank that the clause asks for",
    "wrong clause": "a report offers the remedies, ranks and paragraphs of its clause, and no other is decided",
    "wrong paragraph": "each step names the paragraph that it follows from",
    "voided without need": "no round is void for a brief interruption, or once its outcome is established",
    "earlier round paid wrong": "an earlier round that is corrected pays every seat exactly the difference",
    "ruled on another bet": "a ruling moves exactly the bet that it names",
    "a card in two places": "a player's card is in one terminal at a time",
    "decision left half done": "all entries of one decision are there, or none",
    "a key used twice": "no two entries are the answer to the same request",
    "secret in the journal": "the journal keeps no voucher's code, password, PIN or token",
    "refusal not written": "a refusal that is final stands in the journal, so that it stays one",
    "time went back": "the entries of a stream are in order of time",
    # Vouchers and cash (judge_vouchers)
    "voucher paid twice": "the cash of a voucher is handed out once, whoever asks and however often",
    "another voucher than told": "number, cents and code of a voucher are the same each time it is told",
    "voucher paid for another code": "only whoever has a voucher's code is paid",
    "voided voucher paid": "a voucher that is void is never paid, and one that is paid never void",
    "good voucher refused": "a voucher that is out and not expired is not refused for want of being so",
    # Cash (judge_cash)
    "drawer told wrong": "at its count a drawer comes to what its cashier was told of every movement of cash",
    "receipt told wrong": "each movement of cash has one receipt, and their numbers have no gap",
    # Bill acceptors (judge_bills)
    "bill kept for nothing": "a bill or a voucher that a device is told to keep has become credit",
    "bill given back and credited": "what a device is told to give back never becomes credit",
    "bill credited otherwise": "a bill becomes credit once, and by its amount",
    # What was shown (judge_views)
    "shown and not there": "whatever anybody is shown is the table as its journal says at that moment, in that order",
    "shown before durable": "nothing is shown before it is on the disk",
    "credit shown wrong": "a seat's credit and debt are what its transfers come to",
    "bets shown wrong": "bets, stakes and insurance are those that were laid",
    "settlement shown wrong": "lines and what came back are what the journal settled",
    "cards shown wrong": "the cards and totals shown are those dealt, where the Table of Play puts them",
    "result shown wrong": "winner, totals, naturals, pairs and winning wagers are what the cards show",
    "road shown wrong": "the road and the tallies are the rounds of this shoe by the Table of Play",
    "remedies shown wrong": "the remedies and the rank on a screen are those of the clause",
    "shoe shown wrong": "the shoe's number, what is left, the cut card, its commitments and what was burnt are true",
    "status shown wrong": "status, faults, phase, insurance, limits and calls are as they are",
    "console shown wrong": "a console sees who has bet what, who deals, what is due and what waits",
    "message missed": "the messages of a line are numbered without a gap",
    "balance reported wrong": "what staff is shown of terminals is what the ledger says",
    # Secrets (judge_secrets)
    "another seat's money shown": "no player and no display is shown another seat's credit or own view",
    "undealt card shown": "no card is shown before it is dealt, burnt or reported",
    "order shown": "nobody is shown the order of a shoe, or its salt, before it is revealed",
    "voucher code shown": "a voucher's code is shown to the terminal that printed it, and to nobody else",
    "secret shown": "no password, PIN, cookie, token or key is ever shown",
    "person shown to players": "no player is shown who of the staff did something, or another player's number",
    "unknown field shown": "a message has the fields that its reader may see, and no other",
    # Liveness (judge_rest)
    "table stuck": "once the faults have stopped, every open table goes on, and every round ends",
    "halted without need": "a table halts where its journal cannot be written or the program ends, and nowhere else",
    "table halted": "once the faults have stopped, no table stays halted",
    "report not decided": "nothing waits for a decision while somebody with the rank is there",
    "money on its way": "once all is at rest, no stake lies without a round, and no credit is in transit",
    "nobody let in": "whoever connects is welcomed, or told why not",
    "server not back": "after a crash the server is there again",
}
