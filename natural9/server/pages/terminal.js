// A player's terminal, or without a seat a display: what the table shows, and every tap as a request of its own.
import { Line, ask, band, beads, form, h, hands, headline, money, newRequest, show, whoami, words } from "/plain/common.js";

const MAIN = ["player", "tie", "banker"];
const CHIPS = [100, 500, 2500, 10000, 50000];

let line, rules, table, you, venue, chip = 500, refused = "";
const pending = new Map(); // requests that are not answered yet
const seat = () => you != null;
// A seat hears nothing when a round opens: what it last heard of its bets was about the one before.
const current = () => (you.round === table.round ? you : { ...you, bets: {}, insurance: [], staked: 0, may_insure: {}, lines: [], insurance_lines: [], returned: null, can_undo: false });

function tap(command) {
  const request = { request: newRequest(), ...command };
  pending.set(request.request, request);
  refused = "";
  if (line.isOpen) line.send(request);
  draw();
}

const bet = (command) => tap({ round: table.round, ...command });

function heard(message) {
  if (message.type === "welcome") {
    ({ table, you, venue } = message);
    again();
  } else if (message.type === "table") table = message.table;
  else if (message.type === "seat") {
    you = message.you;
    again();
  } else if (message.type === "halted") table = { ...table, status: "stopped", why: message.why };
  else if (message.type === "registered" || message.type === "refused") answered(message);
  if (table) draw();
}

// After a lost line: what was asked and not answered is asked again, by the same request, so it counts once.
let resend = false;
function again() {
  if (!resend) return;
  resend = false;
  for (const request of pending.values()) line.send(request);
}

function answered(message) {
  pending.delete(message.request);
  if (message.you) you = message.you;
  refused = message.type === "refused" ? message.message + (message.paragraph ? ` (${message.paragraph})` : "") : "";
  if (message.voucher) printVoucher(message.voucher);
}

function printVoucher(voucher) {
  const picture = voucher.qr.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
  const sheet = h("dialog", { class: "voucher" },
    h("h2", {}, "Voucher"), h("p", { class: "amount" }, money(voucher.cents)),
    h("img", { alt: "the voucher as a QR code", src: `data:image/svg+xml,${encodeURIComponent(picture)}` }),
    h("dl", {}, h("dt", {}, "Number"), h("dd", {}, h("code", {}, voucher.number)), h("dt", {}, "Code"), h("dd", {}, h("code", {}, voucher.code)),
      h("dt", {}, "Good until"), h("dd", {}, new Date(voucher.expires_at_ms).toLocaleDateString("en", { dateStyle: "long" }))),
    h("p", { class: "quiet" }, "Who has the code has the money. It is paid at the desk, or put in at a terminal, once."),
    h("button", { class: "brass", onclick: () => { sheet.close(); sheet.remove(); } }, "I have it"));
  document.body.append(sheet);
  sheet.showModal();
}

const waitingOn = (wager) => [...pending.values()].filter((one) => one.type === "bet" && one.wager === wager).reduce((sum, one) => sum + one.cents, 0);

function spot(wager) {
  const now = seat() ? current() : { bets: {}, lines: [] };
  const laid = now.bets[wager.id] ?? 0, waits = waitingOn(wager.id);
  const result = now.lines.find((one) => one.wager === wager.id);
  const odds = [...new Set(wager.pays.filter((row) => row.odds !== "push").map((row) => row.odds))].join(" / ");
  const [least, most] = table.limits[wager.id] ?? [0, 0];
  const open = seat() && table.phase === "betting-open";
  return h("button", {
    class: `spot ${wager.id} ${laid ? "laid" : ""} ${waits ? "waits" : ""}`, disabled: !open, title: `${money(least)} to ${money(most)}`,
    onclick: () => bet({ type: "bet", wager: wager.id, cents: laid || chip >= least ? chip : least }),
  },
  h("b", {}, `${wager.chinese} ${wager.title.toUpperCase()}`.trim()), h("span", { class: "odds" }, odds),
  h("span", { class: "chip-laid" }, laid ? money(laid) : "", waits ? h("i", {}, ` +${money(waits)}`) : ""),
  result ? h("span", { class: `paid ${result.result}` }, result.result === "lose" ? "lost" : `${result.net >= 0 ? "+" : ""}${money(result.net)} · ${result.odds ?? "push"} · ${result.paragraph}`)
    : h("span", { class: "paid" }, `${money(least)} – ${money(most)}`));
}

function spots() {
  const side = rules.wagers.filter((one) => !MAIN.includes(one.id) && table.limits[one.id]);
  const main = MAIN.map((id) => rules.wagers.find((one) => one.id === id)).filter(Boolean);
  return [h("div", { class: "spots side" }, side.map(spot)), h("div", { class: "spots main" }, main.map(spot))];
}

function insurance() {
  const may = table.window_open && seat() ? Object.entries(current().may_insure) : [];
  if (!may.length) return null;
  return h("section", { class: "sheet", "aria-live": "polite" }, h("h2", {}, `Insurance: Player ${table.player_total}, Banker ${table.banker_total}`),
    may.map(([hand, most]) => {
      const offer = table.offers.find((one) => one.hand === hand);
      const insure = (part) => Math.floor(most * part / table.betting_unit_cents) * table.betting_unit_cents;
      return h("p", {}, `${words(hand)} at ${offer.odds} (${offer.paragraph}), up to ${money(most)} `,
        [[0.5, "Half"], [1, "All of it"]].map(([part, name]) => insure(part) > 0 && h("button", { class: "brass", onclick: () => bet({ type: "insure", hand, cents: insure(part) }) }, `${name}: ${money(insure(part))}`)));
    }));
}

function controls() {
  const now = current(), open = table.phase === "betting-open";
  const key = (name, type, on, extra = {}) => h("button", { disabled: !on, onclick: () => bet({ type, ...extra }) }, name);
  return h("div", { class: "controls" },
    h("div", { class: "chips", role: "radiogroup", "aria-label": "chip" }, CHIPS.map((one) => h("button", {
      class: `chip ${one === chip ? "chosen" : ""}`, role: "radio", "aria-checked": String(one === chip), onclick: () => { chip = one; draw(); } }, one / 100))),
    h("div", { class: "keys" },
      key("x2", "double", open && now.staked), key("UNDO", "undo", open && now.can_undo), key("CLEAR BET", "clear", open && now.staked),
      key("RE-BET", "re-bet", open && !now.staked && Object.keys(now.last_bets).length),
      h("button", { disabled: !now.credit, onclick: () => tap({ type: "cash-out" }) }, "COLLECT")));
}

function meters() {
  const now = current();
  const meter = (name, value) => h("div", { class: "meter" }, h("span", {}, name), h("b", {}, money(value ?? 0)));
  return h("div", { class: "meters" }, meter("BET", now.staked), meter("CREDIT", now.credit), meter("WIN", now.returned),
    h("p", { class: "said wrong", role: "alert" }, refused || (now.locked ? `This terminal is locked: ${now.locked}` : "")));
}

function banner() {
  const voided = table.voided;
  return h("div", { class: `banner ${table.phase} ${table.result?.winner ?? ""}` }, h("strong", { id: "headline" }, headline(table)),
    h("span", { id: "countdown", class: "countdown", "aria-live": "off" }),
    voided && h("p", {}, `${voided.why} (${voided.paragraph})${seat() && current().returned ? `: ${money(current().returned)} came back to you` : ""}`),
    Object.entries(table.faults).map(([fault, why]) => h("p", { class: "wrong" }, `${words(fault)}: ${why}`)));
}

const payTable = () => h("details", { class: "rules" }, h("summary", {}, "HELP: rules and pay table"),
  h("p", { class: "quiet" }, `${rules.title}: ${rules.document}, in force from ${rules.effective}. ${rules.decks} decks.`),
  h("table", {}, h("tbody", {}, rules.wagers.flatMap((wager) => wager.pays.map((row) => h("tr", {}, h("th", {}, wager.title), h("td", {}, row.when), h("td", {}, row.odds), h("td", {}, row.paragraph)))),
    rules.insurance.map((row) => h("tr", {}, h("th", {}, `Insurance, ${words(row.window)}`), h("td", {}, `${row.hand}: Player ${row.player}, Banker ${row.banker}`), h("td", {}, row.odds), h("td", {}, row.paragraph))))));

const shoe = () => h("p", { class: "quiet" }, "Malfunction voids all pays and plays. ", `Shoe ${table.shoe.number}, ${table.shoe.cards_left} cards left`,
  table.shoe.commitment && [", promised as ", h("code", { title: table.shoe.commitment }, table.shoe.commitment.slice(0, 16)), "…"]);

// Forms and opened details outlive a redraw, so that a message does not take away what somebody is typing.
let help, insert, body;
function draw() {
  if (!body) {
    help = payTable();
    insert = h("details", {}, h("summary", {}, "Insert a voucher"), form("", [["number", "Number"], ["code", "Code"]], "Insert", async (given) => { tap({ type: "insert-voucher", ...given }); return "Asked for."; }));
    body = h("div", { class: "body" });
    show(body, h("footer", {}, help, seat() && insert, h("a", { href: "/plain/" }, "Start page")));
  }
  body.replaceChildren(...[
    h("header", {}, h("h1", {}, table.title), h("p", { class: "quiet" }, `${venue} · round ${table.round}${seat() ? ` · seat ${you.seat}` : ""}`)),
    banner(), hands(table), insurance(), seat() && meters(), ...spots(), seat() && controls(), beads(table), shoe(),
  ].filter(Boolean));
  tick();
}

function tick() {
  const place = document.getElementById("countdown");
  if (!place || !table) return;
  const left = table.closes_at_ms ? Math.max(0, Math.ceil((table.closes_at_ms - line.now) / 1000)) : "";
  if (place.textContent !== String(left)) place.textContent = left;
}

function changed(open, why) {
  band(open, why && `${why[0].toUpperCase()}${why.slice(1)}.`);
  if (open) resend = pending.size > 0;
}

// A display of all tables shows the one that its address names, or the first.
async function start() {
  const me = await whoami();
  if (!me) throw new Error("This browser is no terminal yet: enrol it with a one-time code.");
  const { tables } = await ask("/api/venue");
  const named = new URLSearchParams(location.search).get("table");
  const id = me.device?.table || (tables.find((one) => one.table === named) ?? tables[0]).table;
  rules = await ask(`/api/venue/tables/${id}/rules`);
  line = new Line(`/ws/table/${id}`, { heard, changed });
  setInterval(tick, 200);
}

start().catch((error) => show(h("p", { class: "note wrong", role: "alert" }, error.message), h("a", { class: "door", href: "/plain/" }, "Start page")));
