// A tournament while it is played: boards move, and the rest of the page is fetched again when something has changed.

import { bannerAbove, h } from "./api.js";
import { listen } from "./stream.js";

const page = document.querySelector("[data-tournament]");
const list = page.querySelector("[data-live]");
const now = page.querySelector("[data-now]");
const banner = bannerAbove(now);

/** Nobody reads faster, and many look on. */
const REST = 3000;

function card(view) {
  return h("li", { "data-game": view.game, "data-id": view.id },
    h("a", { class: "card", href: `/match/${encodeURIComponent(view.id)}` },
      h("div", { class: "thumb", "aria-hidden": "true" }),
      h("h3", {}, `${view.players[0]} – ${view.players[1]}`),
      h("p", {}, "Turn ", h("span", { "data-turn": "" }))));
}

function show(boards) {
  const wanted = new Set(boards.map((view) => view.id));
  for (const item of [...list.children]) if (!wanted.has(item.dataset.id)) item.remove();
  for (const view of boards) {
    let item = [...list.children].find((known) => known.dataset.id === view.id);
    if (!item) {
      item = card(view);
      list.append(item);
    }
    item.querySelector(".thumb").innerHTML = view.board;
    item.querySelector("[data-turn]").textContent = view.turns;
  }
  now.hidden = boards.length === 0;
}

/** Puts new content where the old was; what was unfolded or scrolled stays so. */
function replace(old, fresh) {
  if (old.innerHTML === fresh.innerHTML) return;
  const open = [...old.querySelectorAll("details")].map((details) => details.open);
  const scrolled = [...old.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  old.replaceChildren(...fresh.childNodes);
  old.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? false; });
  old.querySelectorAll(".scroll").forEach((box, index) => { box.scrollLeft = scrolled[index] ?? 0; });
}

let fetching = false;
let again = false;
async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    const answer = await fetch(location.pathname);
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of page.querySelectorAll("[data-refresh]")) {
        const part = fresh.querySelector(`[data-refresh="${old.dataset.refresh}"]`);
        if (part) replace(old, part);
      }
      page.dataset.revision = fresh.querySelector("[data-tournament]")?.dataset.revision ?? "";
    }
  } catch {
    // The arena is gone for a moment; the next news bring it back.
  }
  setTimeout(() => {
    fetching = false;
    if (again) {
      again = false;
      refresh();
    }
  }, REST);
}

let state;
listen(["tournament", page.dataset.tournament], {
  message: (news) => {
    show(news.boards);
    if (news.revision !== page.dataset.revision || (state !== undefined && state !== news.state)) refresh();
    state = news.state;
  },
  // How it stands comes with the new stream.
  state: (reached) => banner(reached === "lost" ? "Reconnecting…" : ""),
});
