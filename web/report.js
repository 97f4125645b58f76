// Replays within a file: what matches share is unpacked once, a match when somebody opens it, a position when it is looked at.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("films").textContent);
  const viewer = document.querySelector("[data-viewer]");
  const part = (name) => viewer.querySelector(`[data-${name}]`);
  const SVG = "http://www.w3.org/2000/svg";
  let shared, film, frames, now = 0, flipped = false, playing, asked = 0;

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(plain).text());
  }

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // What stands where in every position: each says only what changed since the one before it.
  function unrolled(found) {
    let men = new Map(), plan;
    return found.frames.map(([board, ground, labels, marks, changes, caption]) => {
      men = board === plan ? new Map(men) : new Map();
      plan = board;
      for (const change of changes ? changes.split(",") : []) {
        const [, spot, letters] = /^(\d+)([^]*)$/.exec(change);
        if (letters) men.set(Number(spot), letters); else men.delete(Number(spot));
      }
      return { board, ground, labels, marks, men, caption };
    });
  }

  function drawn(frame) {
    const { size, spots } = shared.plans[frame.board];
    const at = (spot, inside) => `<g transform="translate(${spots[spot][0]} ${spots[spot][1]})">${inside}</g>`;
    const marks = [...frame.marks.matchAll(/([a-z])(\d+)/g)]
      .map(([, letter, spot]) => at(spot, shared.marks[letter][spots[spot][2]]));
    const men = [...frame.men].map(([spot, letters]) =>
      at(spot, [...letters].map((letter) => shared.men[letter.codePointAt(0) - 97]).join("")));
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    svg.setAttribute("class", flipped ? "ag-picture flipped" : "ag-picture");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", frame.caption);
    // All of it comes from the program that wrote the file; names of teams never get here.
    svg.innerHTML = `${shared.grounds[frame.ground]}<g class="ag-marks">${marks.join("")}</g>`
      + `<g class="ag-men">${men.join("")}</g><g class="ag-labels">${shared.labels[frame.labels]}</g>`;
    return svg;
  }

  function ending() {
    const [first, second] = film.points.split(" ");
    const who = { "1-0": `${film.who[0]} won`, "0-1": `${film.who[1]} won`, "0-0": "Nobody won" }[film.result] ?? "A draw";
    return `${who}: ${film.end}. Points: ${first} : ${second}.${film.evidence ? ` ${film.evidence}` : ""}`;
  }

  function look(to) {
    now = Math.max(0, Math.min(to, frames.length - 1));
    part("board").replaceChildren(drawn(frames[now]));
    part("caption").textContent = now === frames.length - 1 ? ending() : frames[now].caption;
    for (const button of part("turns").querySelectorAll("button")) {
      const here = Number(button.dataset.turn) === now;
      if (here) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
      if (here) {
        const list = part("turns"), line = button.parentElement;
        list.scrollTop = line.offsetTop - list.clientHeight / 2;
      }
    }
    if (now === 0) part("turns").scrollTop = 0;
    if (now === frames.length - 1) stop();
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    viewer.querySelector('[data-go="play"]').textContent = "Play";
  }

  const go = {
    first: () => look(0),
    back: () => look(now - 1),
    next: () => look(now + 1),
    last: () => look(frames.length - 1),
    flip: () => { flipped = !flipped; look(now); },
    play: () => {
      if (playing) { stop(); return; }
      look(now === frames.length - 1 ? 0 : now);
      if (frames.length < 2) return;
      playing = setInterval(() => look(now + 1), 700);
      viewer.querySelector('[data-go="play"]').textContent = "Pause";
    },
  };

  // Some browsers do not let a file change its own address; then there is no link to the match.
  function address(fragment) {
    try {
      history.replaceState(null, "", fragment || location.href.split("#")[0]);
    } catch {
      // Nothing depends on it.
    }
  }

  async function open(number) {
    const ticket = ++asked;
    if (!("DecompressionStream" in window)) {
      part("title").textContent = "This browser is too old to unpack replays.";
      viewer.showModal();
      return;
    }
    shared ??= await unpack(data.shared);
    const found = await unpack(data.films[number]);
    if (ticket !== asked) return;
    stop();
    film = found;
    frames = unrolled(film);
    part("title").textContent = `${film.who[0]} – ${film.who[1]}`;
    part("players").replaceChildren(...film.sides.map((side, index) => element("div", { class: "player" },
      element("span", { class: "side" }, side), element("span", { class: "name" }, film.who[index]))));
    part("turns").replaceChildren(...film.turns.map((turn, index) => element("li", {},
      element("button", { type: "button", "data-turn": index + 1, onclick: () => look(index + 1) }, turn,
        ...(film.seconds[index] ? [element("span", { class: "soft" }, ` ${film.seconds[index]} s`)] : [])))));
    part("end").textContent = `${film.round}, clock ${film.clock}, ${film.turns.length} turns.`;
    if (!viewer.open) viewer.showModal();
    look(0);
    address(`#film-${number}`);
  }

  document.addEventListener("click", (event) => {
    const film = event.target.closest?.("[data-film]");
    if (film) open(Number(film.dataset.film));
    const button = event.target.closest?.("[data-go]");
    if (button && frames) {
      if (button.dataset.go !== "play") stop();
      go[button.dataset.go]();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!viewer.open || !frames || event.altKey || event.ctrlKey || event.metaKey) return;
    const what = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!what) return;
    event.preventDefault();
    stop();
    go[what]();
  });
  viewer.addEventListener("close", () => {
    stop();
    address("");
  });
  // Not every browser prints what is folded away.
  const folded = () => [...document.querySelectorAll("details:not([open])")];
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = folded();
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
  const wanted = /^#film-(\d+)$/.exec(location.hash);
  if (wanted && data.films[wanted[1]]) open(Number(wanted[1]));
})();
