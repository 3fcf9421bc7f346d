// The dealer's console: what may be done now, one key for the next thing, and irregularities with who decides them.
import { Line, ask, band, beads, form, h, hands, headline, money, newRequest, show, title, whoami, words } from "/plain/common.js";

const KINDS = ["foreign-card", "shortage-or-excess", "wrong-number-of-cards", "insufficient-cards", "unshuffled-cards", "excess-or-exposed", "wrong-area", "wrong-result",
  "drawn-together-order-known", "drawn-together-order-unknown", "order-altered", "face-up-in-shoe", "table-interruption", "terminal-interruption", "late-bet", "withdrawn-bet", "found-later", "not-covered"];
const WORDS = { "open-betting": "Open betting", "close-betting": "Close betting", deal: "Deal", "cut-card": "The cut card is out", "new-shoe": "New shoe", "open-insurance": "Offer insurance",
  "close-insurance": "Close insurance", "waive-insurance": "Waive the second insurance", declare: "Declare the result", settle: "Settle" };
// In this order the first that may be done is what the space bar does.
const NEXT = ["settle", "declare", "deal", "close-insurance", "open-insurance", "close-betting", "open-betting", "new-shoe"];
const PIT = [["open-table", "Open the table"], ["pause-table", "Pause"], ["resume-table", "Resume"], ["close-table", "Close the table"]];

let id, me, line, table, console_, said = "", wrong = false;

async function order(command, signIn) {
  await ask(`/api/tables/${id}/commands`, { command: { request: newRequest(), ...command }, sign_in: signIn ?? null });
}

async function press(command) {
  try {
    await order(command);
    [said, wrong] = [`${title(command.type)}: done.`, false];
  } catch (error) {
    [said, wrong] = [error.message, true];
  }
  draw();
}

// Real cards have no promised order; the dealer names each as it is drawn.
const isRead = () => !table.shoe.commitment && !table.shoe.next_commitment;
const next = () => NEXT.find((word) => console_.commands.includes(word));
const mine = (action) => me.person.may.includes(action);

function whatNext() {
  const word = next();
  if (table.waiting) return `${title(table.waiting.kind)}: the ${words(table.waiting.rank)} decides`;
  if (table.status !== "open" && ["no-round", "settled", "void"].includes(table.phase)) return `The table is ${table.status}`;
  if (word !== "deal") return WORDS[word] ?? headline(table);
  const which = table.cards.filter((one) => one.hand === console_.due).length + 1;
  return `Deal to ${(console_.due ?? "").toUpperCase()}, ${["first", "second", "third"][which - 1] ?? "next"} card`;
}

function act(word) {
  if (word !== "deal" || !isRead() || console_.held.length) return press({ type: word });
  const field = document.getElementById("card");
  const card = field.value.trim().toUpperCase();
  if (!card) return field.focus();
  field.value = "";
  if (!/^([A2-9TJQK]|10)[CDHS]$/.test(card)) {
    [said, wrong] = [`${card} is no card: write its rank, then its suit, as 9H or 10S.`, true];
    return draw();
  }
  return press({ type: "deal", card });
}

const keys = () => h("div", { class: "keys" }, mine("deal") && console_.commands.filter((word) => WORDS[word]).map((word) => h("button", { class: word === next() ? "brass" : "", onclick: () => act(word) }, WORDS[word])));

function seats() {
  if (!console_.seats.length) return h("p", { class: "quiet" }, "No bets yet.");
  const list = (bets) => Object.entries(bets).map(([wager, laid]) => `${words(wager)} ${money(laid)}`).join(", ");
  return h("table", {}, h("thead", {}, h("tr", {}, ["Seat", "Bets", "Insurance", "Staked"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, console_.seats.map((one) => h("tr", {}, h("th", { scope: "row" }, one.seat, one.locked && h("small", { class: "wrong" }, " locked")), h("td", {}, list(one.bets)),
      h("td", {}, one.insurance.map((bet) => `${bet.hand} ${money(bet.cents)}`).join(", ")), h("td", { class: "number" }, money(one.staked))))));
}

const cardList = (text) => text.trim().toUpperCase().split(/[\s,]+/).filter(Boolean);
const person = [["id", "Decided by: id (empty: you)", { required: false }], ["password", "and password", { type: "password", required: false }]];
const signed = (given) => (given.id ? { id: given.id, password: given.password } : null);

// What the table waits for, with its remedies; made once for each irregularity, so that typing survives news.
function decision() {
  const { kind, rank, remedies, may_replace_shoe: replace } = table.waiting;
  return h("section", { class: "sheet" }, h("h2", {}, `${title(kind)}: ${title(rank)} decides`),
    form("", [["remedy", "Remedy", { options: remedies.map((one) => [one.remedy, `${words(one.remedy)} (${one.paragraph})`]) }],
      ["cards", "Cards, where the remedy needs them", { required: false }], ["why", "Why", { required: false }],
      ...(replace ? [["replace", `Replace the shoe (${replace})`, { type: "checkbox", required: false }]] : []), ...person],
    "Decide", (given) => order({ type: "decide", remedy: given.remedy, why: given.why, cards: cardList(given.cards), replace_shoe: given.replace === "on" }, signed(given))));
}

const guided = () => h("div", { class: "forms" },
  mine("report-irregularity") && h("details", {}, h("summary", { class: "alarm" }, "IRREGULARITY: what happened?"),
    form("", [["kind", "What happened", { options: KINDS.map((kind) => [kind, words(kind)]) }], ["detail", "In words", { required: false }], ["cards", "Cards, if any", { required: false }]],
      "Report", (given) => order({ type: "report", kind: given.kind, detail: given.detail, cards: cardList(given.cards) }))),
  mine("report-irregularity") && h("details", {}, h("summary", {}, "Void this round"),
    form("", [["why", "Why"], ...person], "Void: every bet goes back", (given) => order({ type: "void-round", why: given.why }, signed(given)))),
  mine("deal") && h("details", {}, h("summary", {}, "Correct a card, or a settled result"),
    form("A card that was mistyped", [["place", "Which card, 1 to 6", { pattern: "[1-6]" }], ["card", "It was"], ["why", "Why", { required: false }], ...person], "Correct the card",
      (given) => order({ type: "correct-card", place: Number(given.place), card: given.card.toUpperCase(), why: given.why }, signed(given))),
    form("A result that was settled wrong", [["cards", "The cards as they lay"], ["why", "Why", { required: false }], ...person], "Correct the result",
      (given) => order({ type: "correct-result", cards: cardList(given.cards), why: given.why }, signed(given)))));

let top_, rest, waiting = "";
function draw() {
  if (!top_) {
    [top_, rest] = [h("div", {}), h("div", {})];
    const field = h("input", { id: "card", "aria-label": "the card drawn", placeholder: "9H", maxlength: "3", autocomplete: "off", onkeydown: (event) => { if (event.key === "Enter") act("deal"); } });
    show(top_, mine("deal") && h("p", { class: "drawn" }, h("label", { for: "card" }, "Card drawn: "), field, h("small", { class: "quiet" }, " rank then suit, Enter deals it")),
      h("div", { id: "deciding" }), rest, guided(), h("footer", {}, h("a", { href: "/plain/" }, "Start page")));
  }
  const drawn = document.querySelector(".drawn");
  if (drawn) drawn.hidden = !isRead();
  top_.replaceChildren(...[
    h("header", {}, h("h1", {}, table.title), h("p", { class: "quiet" }, `${me.person.name}, ${words(me.person.role)} · round ${table.round} · shoe ${table.shoe.number}, ${table.shoe.cards_left} cards left`)),
    h("div", { class: `banner ${table.phase}` }, h("strong", {}, whatNext()), h("p", {}, headline(table)), table.voided && h("p", {}, `${table.voided.why} (${table.voided.paragraph})`)),
    keys(), h("p", { class: `said ${wrong ? "wrong" : ""}`, role: "status" }, said),
  ].filter(Boolean));
  rest.replaceChildren(...[
    hands(table),
    console_.held.length ? h("p", {}, `Cards to be played first: ${console_.held.length}`) : null,
    h("p", {}, `At stake ${money(console_.staked)} from ${console_.seats_with_bets} seats; the house can lose at most ${money(console_.worst_cents)}.`), seats(), beads(table),
    h("div", { class: "keys" }, PIT.filter(([type]) => mine(type)).map(([type, name]) => h("button", { onclick: () => press({ type }) }, name))),
  ].filter(Boolean));
  const now = table.waiting ? JSON.stringify([table.round, table.waiting]) : "";
  if (now !== waiting) {
    waiting = now;
    document.getElementById("deciding").replaceChildren(...(now ? [decision()] : []));
  }
}

function heard(message) {
  if (message.type === "welcome") [table, console_] = [message.table, message.console];
  else if (message.type === "table") { table = message.table; return; } // the console's part comes right behind
  else if (message.type === "console") console_ = message.console;
  else if (message.type === "halted") [said, wrong] = [`The table has stopped: ${message.why}`, true];
  if (table && console_) draw();
}

document.addEventListener("keydown", (event) => {
  const busy = event.target instanceof HTMLElement && event.target.closest("input, select, button, summary, a");
  if (event.key !== " " || busy || !table || event.repeat) return;
  event.preventDefault();
  const word = next();
  if (word && mine("deal")) act(word);
});

async function start() {
  me = await whoami();
  if (!me?.person) throw new Error("Staff work here: sign in first.");
  const { tables } = await ask("/api/venue");
  const named = new URLSearchParams(location.search).get("table");
  id = (tables.find((one) => one.table === named) ?? tables[0]).table;
  line = new Line(`/ws/table/${id}`, { heard, changed: band });
}

start().catch((error) => show(h("p", { class: "note wrong", role: "alert" }, error.message), h("a", { class: "door", href: "/plain/" }, "Start page")));
