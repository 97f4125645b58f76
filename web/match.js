// The page of a match.

import { UNREACHABLE, bannerAbove, copy, h, post, recall, remember, remove, text, trying } from "./api.js";
import { Board } from "./board.js";
import { showClocks } from "./clock.js";
import { curve, lineItems, review } from "./engine.js";
import { saveAsPng } from "./png.js";
import { listen } from "./stream.js";

const table = document.querySelector("[data-match]");
const id = table.dataset.match;
const mine = table.dataset.mine.split(" ").filter(Boolean).map(Number);
const status = table.querySelector("[data-status]");
const actions = table.querySelector("[data-actions]");
const list = table.querySelector("[data-turns]");
const typed = table.querySelector("[data-typed]");
const tools = table.querySelector("[data-tools]");
const lines = table.querySelector("[data-lines]");
const chart = table.querySelector("[data-curve]");
const written = table.querySelector("[data-notes]");
const choices = h("div", { class: "choices" });
/** For those who hear the page while they look at earlier turns: what happens in the match. */
const heard = h("p", { class: "aside", role: "status" });

let view = JSON.parse(table.dataset.state);
let received = performance.now();
/** How many turns of the match are on the board; null is all of them, live. */
let shown = null;
const boards = new Map();

const board = new Board(table.querySelector("[data-board]"), choices, {
  turn: (turn) => send(turn),
  step: (turn, moves) => preview(turn, moves),
  restart: () => board.draw(view.board),
  threat: (moves) => { if (moves.length > 0) say(`${news}${view.caption} Beware: ${moves.slice(0, 2).join(", or ")} would win.`); },
});
actions.before(choices);
status.after(heard);
const banner = bannerAbove(status);

const path = (what) => `/api/matches/${encodeURIComponent(id)}/${what}`;
const line = (count) => ({
  game: view.game, variant: view.variant, rules: view.rules, position: view.start ?? undefined,
  turns: view.turns.slice(0, count).map((turn) => turn.text),
});

function myTurn() {
  return !view.over && mine.includes(view.turn) && !view.seats.some((seat) => seat.open);
}

function say(sentence) {
  status.textContent = sentence;
}

const attempt = (action) => trying(action, (sentence) => {
  say(sentence);
  if (shown === null) board.show(view.board, myTurn() ? view.legal : []);
});

/** A turn that was made while the arena could not be reached, and how long to wait before it is sent again. */
let kept;
let away = false;
const SOON = 1000;
const LATEST = 30_000;
let wait = SOON;
let waiting;

/** Sends a turn; says whether it was taken. */
async function send(turn) {
  const after = view.turns.length;
  const now = await trying(() => post(path("turns"), { turn, after }), (sentence, status) => {
    if (status === UNREACHABLE) {
      kept = { turn, after };
      // News of the match send it sooner, but there may be none: the arena may be there, and only this request was lost.
      clearTimeout(waiting);
      waiting = setTimeout(sendKept, wait);
      wait = Math.min(2 * wait, LATEST);
      tellTrouble();
    } else {
      say(sentence);
    }
    if (shown === null) board.show(view.board, myTurn() && !kept ? view.legal : []);
  });
  if (now) {
    wait = SOON;
    update(now);
    tellTrouble();
  }
  return now !== undefined;
}

/** Says that the arena is away, or cannot store anything, or no longer does. */
function tellTrouble() {
  if (kept) banner(`Reconnecting… Your turn ${kept.turn} is kept, and sent when the arena is back.`);
  else if (away) banner("Reconnecting…");
  else banner(view.halted ? "The arena cannot store turns at the moment. No clock runs until it can." : "");
}

/** The arena is back: a turn that was kept is sent, if the match still stands as it did. */
async function sendKept() {
  if (!kept) return;
  clearTimeout(waiting);
  const { turn, after } = kept;
  kept = undefined;
  tellTrouble();
  if (myTurn() && after === view.turns.length) await send(turn);
  // It came through after all: only the answer was lost.
  else if (mine.includes(view.turns[after]?.side)) render();
  else say(`Your turn ${turn} was not sent: the match has moved on. ${view.caption}`);
}

async function preview(turn, moves) {
  const entered = await attempt(() => post("/api/preview", { ...line(view.turns.length), turn, moves }));
  if (entered && board.clicks.length > 0) {
    board.draw(entered.board);
    say(entered.caption);
  }
}

function update(next) {
  // What comes late is dropped; after a restart of the arena revisions begin anew.
  if (next.epoch === view.epoch && next.revision < view.revision) return;
  if (next.epoch === view.epoch && next.revision === view.revision && next.over === view.over) {
    // The same once more, as an answer and as news, or because another tab was opened: what is being entered stays.
    view.clocks = next.clocks;
    received = performance.now();
    return;
  }
  const made = next.turns.at(-1);
  if (next.turns.length > view.turns.length) {
    news = made && !mine.includes(made.side) ? `${next.seats[made.side - 1].name} played ${made.text}. ` : "";
    heard.textContent = shown === null ? "" : news;
  } else if (next.turns.length < view.turns.length) {
    news = "";
  }
  const offered = view.rematch_offer;
  view = next;
  received = performance.now();
  if (view.turns.length === 0 || judged?.over !== view.over) judged = undefined;
  render();
  if (view.rematch && mine.includes(offered)) location.href = `/match/${encodeURIComponent(view.rematch)}`;
}

/** While set, one more press resigns. */
let sure;
const SURE = 4000;

/** What the other side has just done, for those who cannot see the board. */
let news = "";

function render() {
  if (shown !== null && shown >= view.turns.length) shown = null;
  if (shown === null) {
    board.show(view.board, myTurn() && !kept ? view.legal : []);
    say(news + (view.outcome?.evidence ? `${view.caption} ${view.outcome.evidence}` : view.caption));
    if (view.engine && myTurn() && view.turns.length > 0) markThreats();
  }
  renderTurns();
  renderActions();
  renderPlayers();
  renderTools();
  typed.hidden = !myTurn() || shown !== null;
  tick();
}

/** Marks how the opponent would win at once, for whoever is to move. The engine may be busy: then nothing is marked. */
async function markThreats() {
  const count = view.turns.length;
  const found = await post("/api/threats", line(count)).catch(() => undefined);
  if (!found || shown !== null || count !== view.turns.length || board.clicks.length > 0) return;
  board.threaten(found.threats);
}

function renderPlayers() {
  for (const [index, seat] of view.seats.entries()) {
    const player = table.querySelector(`[data-player="${index + 1}"]`);
    player.querySelector(".name").textContent = seat.open ? "waiting for a player" : seat.name;
    player.classList.toggle("to-move", !view.over && view.turn === index + 1);
  }
}

function renderTurns() {
  const current = shown ?? view.turns.length;
  list.replaceChildren(...view.turns.map((turn, index) => h("li", {},
    h("button", {
      type: "button",
      class: judged?.marks[index] || undefined,
      // One stop for the tabulator key; the arrow keys walk through the turns.
      tabindex: index + 1 === current ? "0" : "-1",
      "aria-current": index + 1 === current ? "step" : undefined,
      onclick: () => look(index + 1),
    }, turn.text))));
  const notes = view.turns[current - 1]?.stderr;
  written.hidden = !notes;
  written.querySelector("pre").textContent = notes ?? "";
  const here = list.querySelector("[aria-current]");
  if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

function button(text, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, text);
}

function renderActions() {
  const seated = mine.length > 0;
  const open = view.seats.some((seat) => seat.open);
  const both = [];
  if (open && !seated) {
    both.push(asked);
    if (view.casual) both.push(h("p", { class: "link soft" }, "A casual match: both players may ask the engine."));
    both.push(button("Sit down and play", () => join(false), { class: "primary" }));
    if (view.seats.every((seat) => seat.open)) both.push(button("Play both sides", () => join(true)));
  }
  if (open && seated) both.push(h("label", { class: "link" }, "Send this link to your opponent",
    h("input", { readonly: true, value: location.href, onfocus: (event) => event.target.select() })));
  if (!view.over && seated && !open) {
    if (view.engine) both.push(hintButton());
    if (view.turns.length > 0 && view.seats.every((seat, side) => seat.kind === "bot" || mine.includes(side + 1))) {
      both.push(button("Take back", () => act("takeback")));
    }
    both.push(button(sure ? "Resign: sure?" : "Resign", resign, { "data-do": "resign" }));
  }
  if (view.over && seated) both.push(...again());
  both.push(button("Flip the board", flip));
  if (view.over || !seated) {
    if (view.engine) both.push(button("Engine lines", ask));
    if (view.engine && view.turns.length > 0) both.push(button(judging ? "Stop judging" : "Judge the match", judge));
    if (view.turns.length > 0) both.push(button(playing ? "Stop" : "Autoplay", autoplay));
  }
  if (shown !== null) both.push(h("a", { href: fromHere() }, "Play from here"));
  // Buttons that people may be pressing are not replaced under their fingers.
  const names = both.map((element) => element.textContent).join("|");
  if (actions.dataset.names === names && shown === null) return;
  actions.dataset.names = names;
  const held = actions.contains(document.activeElement) ? document.activeElement.dataset.do : undefined;
  hideHint?.();
  actions.replaceChildren(...both);
  if (held) actions.querySelector(`[data-do="${held}"]`)?.focus();
}

function fromHere() {
  const { variant, rules, position, turns } = line(shown);
  const query = new URLSearchParams({ variant, rules, turns: turns.join(";") });
  if (position) query.set("position", position);
  return `/play/${view.game}?${query}`;
}

/** What the engine thought of the whole match, once it was asked. */
let judged;
/** While it is asked: how to stop it. */
let judging;

async function judge() {
  if (judging) {
    judging.now = true;
    return;
  }
  const stop = { now: false };
  judging = stop;
  renderActions();
  judged = { marks: [], over: view.over };
  const turns = view.turns.slice();
  await attempt(() => review(line, turns, view.outcome, (chances, marks) => {
    judged = { chances, marks, over: view.over };
    chart.replaceChildren(curve(chances, marks, turns, view.sides, look));
    renderTurns();
  }, stop));
  judging = undefined;
  renderActions();
}

async function ask() {
  const count = shown ?? view.turns.length;
  lines.replaceChildren(h("li", {}, "The engine thinks…"));
  const thought = await attempt(() => post("/api/analyse", { ...line(count), lines: 3, nodes: 400_000 }));
  if (count !== (shown ?? view.turns.length)) return;
  const turn = view.turns[count]?.side ?? view.turn;
  lines.replaceChildren(...(thought ? lineItems(thought, turn) : []));
}

function query(count) {
  const { game, variant, rules, position, turns } = line(count);
  const values = new URLSearchParams({ game, variant, rules, turns: turns.join(";") });
  if (position) values.set("position", position);
  return values;
}

async function copyPosition() {
  const count = shown ?? view.turns.length;
  const position = count === view.turns.length ? view : await attempt(() => post("/api/positions", line(count)));
  if (position) say(await copy(position.position) ? "The position is on the clipboard." : `Copy this: ${position.position}`);
}

async function savePng() {
  const svg = await attempt(() => text(`/api/picture?${query(shown ?? view.turns.length)}`));
  if (!svg) return;
  saveAsPng(svg, board.svg.viewBox.baseVal, `${view.game}.png`);
}

function renderTools() {
  if (tools.dataset.ready) return;
  tools.dataset.ready = "yes";
  tools.append(
    button("Copy position", copyPosition),
    h("button", { type: "button", onclick: () => open(`/api/picture?${query(shown ?? view.turns.length)}`) }, "Picture (SVG)"),
    button("Picture (PNG)", savePng),
    button("Share", async () => {
      say(await copy(location.href) ? "The link is on the clipboard." : `Copy this: ${location.href}`);
    }),
  );
}

async function act(what) {
  const now = await attempt(() => post(path(what)));
  if (now) update(now);
}

/** The timer of the board that plays by itself, if it does. */
let playing;
function autoplay() {
  if (playing) {
    stopPlaying();
    return;
  }
  if (shown === null) look(0);
  playing = setInterval(() => {
    if (shown === null) stopPlaying();
    else look(shown + 1);
  }, 900);
  renderActions();
}

function stopPlaying() {
  clearInterval(playing);
  playing = undefined;
  renderActions();
}

/** Where somebody who sits down says who they are. */
const visitor = h("input", { name: "name", maxlength: 40, autocomplete: "nickname", placeholder: "Guest" });
const asked = h("label", { class: "link" }, "Your name", visitor);

async function join(both) {
  if (await attempt(() => post(path("join"), { both, name: visitor.value }))) location.reload();
}

function resign() {
  const was = sure;
  clearTimeout(sure);
  sure = was ? undefined : setTimeout(() => {
    sure = undefined;
    renderActions();
  }, SURE);
  renderActions();
  if (was) act("resign");
}

/** Another match: begun at once against a bot, an offer to a person. */
function again() {
  const other = view.rematch_offer && !mine.includes(view.rematch_offer) ? view.seats[view.rematch_offer - 1].name : undefined;
  if (view.rematch) return [h("a", { class: "button primary", href: `/match/${encodeURIComponent(view.rematch)}` }, "To the next match")];
  // Of a match that ended long ago the arena has only the record.
  if (!view.again) return [h("a", { class: "button primary", href: `/play/${view.game}` }, "Play another match")];
  if (other) return [button(`${other} offers another match: accept`, rematch, { class: "primary" }), button("Decline", noRematch)];
  if (view.rematch_offer) {
    return [h("span", { class: "soft" }, "Another match is offered: waiting for an answer…"), button("Withdraw the offer", noRematch)];
  }
  return [button("Play again, sides swapped", rematch, { class: "primary" })];
}

async function noRematch() {
  const now = await attempt(() => remove(path("rematch")));
  if (now) update(now);
}

async function rematch() {
  const next = await attempt(() => post(path("rematch")));
  if (next?.page) location.href = next.page;
  else if (next) update(next);
}

const FLIPPED = `agon.flipped.${id}`;

/** Turns the board round, and remembers it for this match. */
function flip() {
  board.flip();
  remember(FLIPPED, board.flipped ? "yes" : "no");
}

/** Pressed and held, it shows what the engine would play. */
let hideHint;
function hintButton() {
  let held = false;
  const show = async () => {
    held = true;
    hideHint = hide;
    const thought = await attempt(() => post("/api/analyse", line(view.turns.length)));
    if (thought && held) {
      say(`The engine would play ${thought.turn}.`);
      const turn = view.legal.find((legal) => legal.turn === thought.turn);
      for (const click of turn?.clicks ?? []) if (typeof click === "number") board.spots[click].classList.add("hint");
    }
  };
  const hide = () => {
    if (!held) return;
    held = false;
    hideHint = undefined;
    for (const spot of board.spots) spot.classList.remove("hint");
    say(view.caption);
  };
  return button("Hint (hold)", undefined, {
    onpointerdown: show,
    onpointerup: hide,
    onpointerleave: hide,
    onblur: hide,
    onkeydown: (event) => { if (event.key === " " || event.key === "Enter") { if (!held) show(); event.preventDefault(); } },
    onkeyup: hide,
  });
}

/** Shows the board after so many turns. */
async function look(count) {
  const to = Math.max(0, Math.min(count, view.turns.length));
  shown = to === view.turns.length ? null : to;
  if (shown === null) {
    render();
    return;
  }
  const key = `${to}:${view.turns[to - 1]?.text ?? ""}`;
  if (!boards.has(key)) {
    const position = await attempt(() => post("/api/positions", line(to)));
    if (!position) return;
    boards.set(key, position);
  }
  if (shown !== to) return;
  const position = boards.get(key);
  board.show(position.board, []);
  say(position.caption);
  renderTurns();
  renderActions();
  typed.hidden = true;
}

typed.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = typed.elements.turn;
  if (field.value.trim()) send(field.value.trim()).then((taken) => { if (taken) field.value = ""; });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea, .spot") || event.altKey || event.ctrlKey || event.metaKey) return;
  const now = shown ?? view.turns.length;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: view.turns.length }[event.key];
  if (event.key === "Escape") board.restart();
  if (to === undefined) return;
  event.preventDefault();
  look(to);
});

function tick() {
  showClocks(table, view, performance.now() - received);
}

setInterval(tick, 100);

const remembered = recall(FLIPPED);
board.flipped = remembered ? remembered === "yes" : mine.length === 1 && mine[0] === 2;
render();
// After the end somebody may still ask for another match.
if (id && (!view.over || mine.length > 0)) {
  const end = listen(["match", id], {
    message: (next) => {
      away = false;
      update(next);
      tellTrouble();
      sendKept();
      // Nothing more comes of a match that one only looked at.
      if (view.over && mine.length === 0) end();
    },
    state: (state) => {
      away = state === "lost" && !view.over;
      tellTrouble();
    },
  });
}
