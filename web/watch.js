// Several boards at once.

import { bannerAbove, h, text, trying } from "./api.js";
import { listen } from "./stream.js";

const list = document.querySelector("[data-live]");
const none = document.querySelector("[data-none]");
const banner = bannerAbove(list);

/** How long the end of a match is shown. */
const LAST_LOOK = 5000;
/** More boards than that nobody looks at. */
const MOST = 24;

function card(view) {
  const item = h("li", { "data-game": view.game, "data-id": view.id },
    h("a", { class: "card", href: `/match/${encodeURIComponent(view.id)}` },
      h("div", { class: "thumb", "aria-hidden": "true" }),
      h("h3", {}, `${view.seats[0].name} – ${view.seats[1].name}`),
      h("p", {}, `${view.title}, turn `, h("span", { "data-turn": "" }))));
  list.prepend(item);
  while (list.children.length > MOST) list.lastElementChild.remove();
  return item;
}

function count() {
  none.hidden = list.children.length > 0;
}

function show(view) {
  const known = [...list.children].find((item) => item.dataset.id === view.id);
  if (!known && view.over) return;
  const item = known ?? card(view);
  item.querySelector(".thumb").innerHTML = view.board;
  item.querySelector("[data-turn]").textContent = view.over ? `${view.turns.length}. ${view.caption}` : view.turns.length;
  if (view.over) {
    setTimeout(() => {
      item.remove();
      count();
    }, LAST_LOOK);
  }
  count();
}

/** What happened while the arena was away is not told: the page is asked again. */
async function refresh() {
  const page = await trying(() => text(location.pathname), () => {});
  if (!page) return;
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("[data-live]");
  if (fresh) list.replaceChildren(...fresh.children);
  count();
}

let lost = false;
listen(["all", ""], {
  message: show,
  state: (state) => {
    if (lost && state === "open") refresh();
    lost = state === "lost";
    banner(lost ? "Reconnecting…" : "");
  },
});
