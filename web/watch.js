// Several boards at once.

import { h } from "./api.js";
import { listen } from "./stream.js";

const list = document.querySelector("[data-live]");
const none = document.querySelector("[data-none]");

function card(view) {
  const item = h("li", { "data-game": view.game, "data-id": view.id },
    h("a", { class: "card", href: `/match/${encodeURIComponent(view.id)}` },
      h("div", { class: "thumb", "aria-hidden": "true" }),
      h("h3", {}, `${view.seats[0].name} – ${view.seats[1].name}`),
      h("p", {}, `${view.title}, turn `, h("span", { "data-turn": "" }))));
  list.prepend(item);
  return item;
}

function show(view) {
  const known = [...list.children].find((item) => item.dataset.id === view.id);
  if (!known && view.over) return;
  const item = known ?? card(view);
  item.querySelector(".thumb").innerHTML = view.board;
  item.querySelector("[data-turn]").textContent = view.over ? `${view.turns.length}. ${view.caption}` : view.turns.length;
  none.hidden = true;
}

listen(["all", ""], { message: show });
