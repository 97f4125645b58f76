// A board for both sides, with the engine on demand.

import { copy, h, post, trying } from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { lineItems } from "./engine.js";

const table = document.querySelector("[data-analysis]");
const status = table.querySelector("[data-status]");
const actions = table.querySelector("[data-actions]");
const lines = table.querySelector("[data-lines]");
const list = table.querySelector("[data-turns]");
const typed = table.querySelector("[data-typed]");
const text = table.querySelector("[data-position]");
const choices = h("div", { class: "choices" });

let { view, start, turns, editing } = JSON.parse(table.dataset.state);
let all = turns;
let thinks = false;
let asked = 0;

const board = new Board(table.querySelector("[data-board]"), choices, {
  turn: (turn) => go([...turns, turn]),
  step: (turn, moves) => preview(turn, moves),
  restart: () => board.draw(view.board),
  edit: (spot) => {
    const edits = editor.active && typeof spot === "number";
    if (edits) editor.choose(spot);
    return edits;
  },
});
actions.before(choices);

const editor = new Editor(table.querySelector("[data-tools]"), editing, {
  text: () => view.position,
  change: (position) => setUp(position),
  wait: (spot) => board.spots.forEach((element, index) => element.classList.toggle("chosen", index === spot)),
});

/** Begins again with another position. One that cannot be is refused with the reason, and nothing changes. */
async function setUp(position) {
  const next = await attempt(() => post("/api/positions", { ...line([]), position }));
  if (!next) return;
  [start, turns, all, view] = [next.position, [], [], next];
  render();
}

const line = (played) => ({
  game: view.game, variant: view.variant, rules: view.rules, position: start ?? undefined, turns: played,
});

const attempt = (action) => trying(action, (sentence) => {
  status.textContent = sentence;
  board.show(view.board, editor.active ? [] : view.legal);
});

async function preview(turn, moves) {
  const entered = await attempt(() => post("/api/preview", { ...line(turns), turn, moves }));
  if (entered && board.clicks.length > 0) {
    board.draw(entered.board);
    status.textContent = entered.caption;
  }
}

async function go(played) {
  const next = await attempt(() => post("/api/positions", line(played)));
  if (!next) return false;
  if (played.some((turn, index) => turn !== all[index])) all = played;
  turns = played;
  view = next;
  render();
  return true;
}

function render() {
  board.show(view.board, editor.active ? [] : view.legal);
  status.textContent = view.outcome ? view.outcome.sentence : view.caption;
  text.value = view.position;
  list.replaceChildren(...all.map((turn, index) => h("li", {},
    h("button", {
      type: "button",
      // One stop for the tabulator key; the arrow keys walk through the turns.
      tabindex: index + 1 === turns.length ? "0" : "-1",
      "aria-current": index + 1 === turns.length ? "step" : undefined,
      onclick: () => go(all.slice(0, index + 1)),
    }, turn))));
  const query = new URLSearchParams({ variant: view.variant, rules: view.rules, position: view.position });
  actions.replaceChildren(
    h("button", { type: "button", "aria-pressed": String(thinks), onclick: toggle }, thinks ? "Engine: on" : "Ask the engine"),
    h("button", { type: "button", onclick: () => go(turns.slice(0, -1)) }, "Back"),
    h("button", { type: "button", onclick: () => board.flip() }, "Flip the board"),
    h("button", { type: "button", "aria-pressed": String(editor.active), onclick: toggleEditor }, editor.active ? "Done editing" : "Edit the board"),
    h("button", { type: "button", onclick: copyPosition }, "Copy position"),
    h("a", { class: "button", href: `/play/${view.game}?${query}` }, "Play from here"),
  );
  if (thinks) think();
  else lines.replaceChildren();
}

function toggle() {
  thinks = !thinks;
  render();
}

function toggleEditor() {
  editor.toggle();
  render();
}

async function copyPosition() {
  const copied = await copy(view.position);
  status.textContent = copied ? "The position is on the clipboard." : `Copy this: ${view.position}`;
}

/** Looks deeper and deeper while nobody moves. */
async function think() {
  const mine = ++asked;
  for (const nodes of [50_000, 400_000, 3_000_000]) {
    const thought = await attempt(() => post("/api/analyse", { ...line(turns), lines: 3, nodes }));
    if (mine !== asked || !thinks || !thought) return;
    lines.replaceChildren(...lineItems(thought, view.turn),
      h("li", { class: "soft" }, `depth ${thought.depth}, ${thought.nodes.toLocaleString("en")} positions`));
  }
}

typed.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = typed.elements.turn;
  if (field.value.trim()) go([...turns, field.value.trim()]).then((gone) => { if (gone) field.value = ""; });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea, .spot") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: turns.length - 1, ArrowRight: turns.length + 1, Home: 0, End: all.length }[event.key];
  if (event.key === "Escape") board.restart();
  if (to === undefined || to < 0 || to > all.length) return;
  event.preventDefault();
  go(all.slice(0, to));
});

render();
