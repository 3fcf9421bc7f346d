// What all pages share: building elements, asking the server, and a line to a table that heals itself.

// Everything is shown through text nodes and attributes: nothing that came over the wire is ever read as markup.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const show = (...parts) => {
  const main = document.getElementById("main");
  main.removeAttribute("aria-busy");
  main.replaceChildren(...parts.flat().filter(Boolean));
};

export const money = (cents) =>
  (cents / 100).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

// "12.50" as whole cents; null for what is no amount.
export function cents(text) {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

export const words = (id) => id.replaceAll("-", " ");
export const title = (id) => words(id).replace(/\b\w/g, (letter) => letter.toUpperCase());

export function newRequest() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Asking over HTTP. A refusal is thrown as an Error whose message is the server's sentence.
let csrf = "";

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrf },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const text = await response.text();
  const answer = text && (response.headers.get("content-type") ?? "").startsWith("application/json") ? JSON.parse(text) : {};
  if (!response.ok) {
    const paragraph = answer.paragraph ? ` (${answer.paragraph})` : "";
    throw Object.assign(new Error((answer.message ?? `The server answered ${response.status}.`) + paragraph), { code: answer.code });
  }
  if (answer.csrf) csrf = answer.csrf;
  return answer;
}

// Who this browser is; null for a stranger.
export async function whoami() {
  try {
    return await ask("/api/me");
  } catch (error) {
    if (error.code === "sign-in-first") return null;
    throw error;
  }
}

// A line to /ws/…: comes back by itself, and asks for what it missed.
export class Line {
  constructor(path, { heard, changed }) {
    Object.assign(this, { path, heard, changed, epoch: "", n: 0, tries: 0, offset: 0, ended: "" });
    this.open();
  }

  open() {
    const after = this.epoch ? `?after=${this.epoch}:${this.n}` : "";
    this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${this.path}${after}`);
    this.socket.onopen = () => { this.tries = 0; this.changed(true, ""); };
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => this.lost(event);
  }

  take(message) {
    if (message.epoch) this.epoch = message.epoch;
    if (message.n !== undefined) this.n = message.n;
    if (message.now_ms) this.offset = message.now_ms - Date.now();
    this.heard(message);
  }

  // 4001: this terminal was opened elsewhere; 4401: signed out. Coming back by itself would be wrong then.
  lost(event) {
    if (event.code === 4001 || event.code === 4401) {
      this.ended = event.reason;
      this.changed(false, this.ended);
      return;
    }
    this.changed(false, "");
    this.tries += 1;
    setTimeout(() => this.open(), Math.min(5000, 250 * 2 ** this.tries) * (0.5 + Math.random() / 2));
  }

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }
  get now() { return Date.now() + this.offset; } // the server's clock
  send(message) { this.socket.send(JSON.stringify(message)); }
}

export function band(open, why) {
  const line = document.getElementById("line");
  line.hidden = open;
  line.textContent = why || "Connection lost. What was registered is safe; trying again …";
  document.body.classList.toggle("lost", !open);
}

const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };

export function card(text) {
  const [suit, name] = SUITS[text.slice(-1)];
  const rank = text.slice(0, -1) === "T" ? "10" : text.slice(0, -1);
  return h("span", { class: `card ${"HD".includes(text.slice(-1)) ? "red" : "black"}`, role: "img", "aria-label": `${rank} of ${name}` }, rank, h("i", {}, suit));
}

export function hands(table) {
  const side = (hand, chinese, total) => {
    const mine = table.cards.filter((one) => one.hand === hand);
    const won = table.result && table.result.winner === hand;
    return h("section", { class: `hand ${hand} ${won ? "won" : ""}` },
      h("h2", {}, `${hand.toUpperCase()} ${chinese}`),
      h("div", { class: "cards" }, mine.map((one) => card(one.card)), table.due === hand ? h("span", { class: "card due", "aria-label": "next card" }) : null),
      h("p", { class: "total" }, total ?? "–"));
  };
  return h("div", { class: "hands" }, side("player", "闲", table.player_total), side("banker", "庄", table.banker_total));
}

export function headline(table) {
  if (table.status !== "open" && !["betting-open", "complete"].includes(table.phase)) return `The table is ${table.status}${table.why ? `: ${table.why}` : ""}`;
  if (table.waiting) return `One moment: ${words(table.waiting.kind)}, the ${words(table.waiting.rank)} decides`;
  if (table.voided) return "This round is void: every bet goes back";
  if (table.result) {
    const { winner, player_total: player, banker_total: banker, natural } = table.result;
    const what = winner === "tie" ? `TIE 和 ${player} : ${banker}` : `${winner === "player" ? "PLAYER 闲" : "BANKER 庄"} WINS ${player} : ${banker}`;
    return what + (natural ? ", a natural" : "");
  }
  if (table.window_open) return "Insurance?";
  return { "no-round": "Welcome", "betting-open": "Place your bets" }[table.phase] ?? "No more bets";
}

export const beads = (table) => h("ol", { class: "beads", "aria-label": "results of this shoe" },
  table.results.slice(-72).map((one) => h("li", { class: { B: "banker", P: "player", T: "tie" }[one[0]], title: `${one[1]} : ${one[2]}` }, one[0])));

// A form from its fields; `act` gets the values, and what it throws is shown under the button.
export function form(name, fields, button, act) {
  const said = h("p", { class: "said", role: "status" });
  const made = h("form", { class: "card-form", onsubmit: async (event) => {
    event.preventDefault();
    said.className = "said";
    said.textContent = "…";
    try {
      said.textContent = (await act(Object.fromEntries(new FormData(made)))) ?? "Done.";
    } catch (error) {
      said.className = "said wrong";
      said.textContent = error.message;
    }
  } },
  name && h("h2", {}, name),
  fields.map(([id, label, extra = {}]) => extra.options
    ? h("label", {}, label, h("select", { name: id }, extra.options.map(([value, text]) => h("option", { value }, text))))
    : h("label", {}, label, h("input", { name: id, autocomplete: "off", required: true, ...extra }))),
  h("button", { class: "brass" }, button), said);
  return made;
}
