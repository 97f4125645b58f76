// The form for a new match: the board that was chosen is shown, and only what matters for it is asked.

import { post, trying } from "./api.js";

const setup = document.querySelector("[data-setup]");
const form = setup.querySelector("form");
const board = setup.querySelector("[data-board]");

/** Shows the chosen board. A position that does not fit it stays as it was. */
async function preview() {
  const { variant, rules, position, turns } = Object.fromEntries(new FormData(form));
  const found = await trying(() => post("/api/positions", {
    game: setup.dataset.setup, variant, rules, position: position || undefined,
    turns: (turns ?? "").split(/[\n;]/).map((turn) => turn.trim()).filter(Boolean),
  }), () => {});
  if (found && found.variant === form.elements.variant.value) board.innerHTML = found.board;
}

/** Hides what has no meaning for the side that was chosen. */
function ask() {
  const watching = form.elements.side.value === "watch";
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = (part.dataset.for === "watcher") !== watching;
  setup.querySelector("[data-opponent]").textContent = watching ? "First side" : "Opponent";
  const opponent = form.querySelector("[name=opponent]:checked");
  if (watching && opponent?.closest("[data-for=player]")) form.querySelector("[name=opponent][value=house]").checked = true;
}

for (const name of ["variant", "rules"]) form.elements[name].addEventListener("change", preview);
for (const side of form.elements.side) side.addEventListener("change", ask);
ask();
