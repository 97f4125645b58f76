// A board that can be played on: clicks, drags and keys become turns. It knows no game, only the paths of clicks
// that enter each legal turn.

import { h } from "./api.js";

const NEAREST = 0.35;

export class Board {
  /**
   * holder: the element that holds the picture. choices: where buttons for choices go.
   * on.turn(turn): a whole turn was entered. on.step(turn, moves): some moves of a turn were entered, and the
   * board looks different now. on.progress(clicks): something was entered or undone.
   */
  constructor(holder, choices, on) {
    this.holder = holder;
    this.choices = choices;
    this.on = on;
    this.legal = [];
    this.clicks = [];
    this.flipped = false;
    holder.addEventListener("click", (event) => this.clicked(event));
    holder.addEventListener("keydown", (event) => this.pressed(event));
    holder.addEventListener("pointerdown", (event) => this.grabbed(event));
    // The mouse leaves no focus behind: arrow keys then walk through the turns, not over the board.
    holder.addEventListener("mousedown", (event) => this.unfocus(event));
    holder.addEventListener("pointerup", (event) => this.dropped(event));
  }

  /** Shows a picture and what may be played on it. */
  show(picture, legal = []) {
    const focused = document.activeElement?.dataset?.spot;
    this.legal = legal;
    this.clicks = [];
    this.draw(picture);
    if (focused !== undefined && this.holder.contains(document.activeElement) === false) this.focus(Number(focused));
    this.mark();
  }

  /** Marks spots by which the opponent would win. */
  threaten(threats) {
    for (const spots of threats) {
      for (const index of spots) this.spots[index]?.classList.add("threat");
    }
    const names = [...new Set(threats.map((spots) => spots.map((index) => this.names[index]).join(" to ")))];
    this.on.threat?.(names);
  }

  /** Replaces the picture while a turn is being entered. */
  draw(picture) {
    const had = this.holder.contains(document.activeElement) ? document.activeElement.dataset.spot : undefined;
    this.holder.innerHTML = picture;
    this.svg = this.holder.querySelector("svg");
    this.svg.setAttribute("role", "group");
    this.svg.classList.toggle("flipped", this.flipped);
    this.spots = [...this.svg.querySelectorAll(".spot")];
    this.names = this.spots.map((spot) => spot.getAttribute("aria-label"));
    for (const spot of this.spots) {
      spot.setAttribute("role", "button");
      spot.setAttribute("tabindex", "-1");
    }
    (this.spots[this.cursor ?? 0] ?? this.spots[0])?.setAttribute("tabindex", "0");
    if (had !== undefined) this.focus(Number(had));
    this.mark();
  }

  flip() {
    this.flipped = !this.flipped;
    this.svg.classList.toggle("flipped", this.flipped);
  }

  /** The turns that begin with what was entered. */
  candidates() {
    return this.legal.filter((turn) => this.clicks.every((click, index) => turn.clicks[index] === click));
  }

  /** What may be clicked next. */
  next() {
    return new Set(this.candidates().map((turn) => turn.clicks[this.clicks.length]));
  }

  enter(click) {
    if (this.on.edit?.(click)) return true;
    if (!this.next().has(click)) {
      // Another piece, perhaps: begin again with it.
      if (this.clicks.length > 0) {
        this.restart();
        if (this.next().has(click)) this.enter(click);
      }
      return false;
    }
    this.clicks.push(click);
    const whole = this.candidates().find((turn) => turn.clicks.length === this.clicks.length);
    if (whole) {
      this.clicks = [];
      this.legal = [];
      this.mark();
      this.on.turn(whole.turn);
      return true;
    }
    const turn = this.candidates()[0];
    let end = 0;
    for (let moves = 1; moves <= turn.steps.length; moves++) {
      end += turn.steps[moves - 1];
      if (end === this.clicks.length) this.on.step?.(turn.turn, moves);
    }
    this.mark();
    this.on.progress?.(this.clicks);
    return true;
  }

  /** Forgets what was entered. */
  restart() {
    if (this.clicks.length === 0) return;
    this.clicks = [];
    this.on.restart?.();
    this.mark();
    this.on.progress?.(this.clicks);
  }

  mark() {
    if (!this.svg) return;
    const next = this.next();
    const chosen = new Set(this.clicks);
    this.spots.forEach((spot, index) => {
      const can = next.has(index);
      spot.classList.toggle("can", can);
      spot.classList.toggle("target", can && this.clicks.length > 0);
      spot.classList.toggle("chosen", chosen.has(index));
      const words = [this.names[index]];
      if (chosen.has(index)) words.push("chosen");
      if (can) words.push("can be chosen");
      spot.setAttribute("aria-label", words.join(", "));
      spot.setAttribute("aria-disabled", can ? "false" : "true");
    });
    this.choices.replaceChildren(...[...next].filter((click) => typeof click === "string")
      .map((text) => h("button", { type: "button", class: "choice", onclick: (event) => this.choose(text, event) }, text)));
  }

  /** A button was pressed; it is gone now, so the board takes the focus, unless it was the mouse. */
  choose(text, event) {
    this.enter(text);
    if (event.detail === 0) this.focus(this.cursor ?? 0);
  }

  spotAt(event) {
    const spot = event.target.closest?.(".spot");
    return spot ? Number(spot.dataset.spot) : undefined;
  }

  clicked(event) {
    const spot = this.spotAt(event);
    if (spot === undefined || this.dragged) {
      this.dragged = false;
      return;
    }
    this.cursor = spot;
    this.enter(spot);
  }

  unfocus(event) {
    if (this.spotAt(event) === undefined) return;
    event.preventDefault();
    if (this.holder.contains(document.activeElement)) document.activeElement.blur();
  }

  grabbed(event) {
    this.grip = this.spotAt(event);
  }

  /** A drag is two clicks. */
  dropped(event) {
    const from = this.grip;
    this.grip = undefined;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".spot");
    const to = under ? Number(under.dataset.spot) : undefined;
    if (from === undefined || to === undefined || from === to) return;
    const already = this.clicks.at(-1) === from;
    if (!already && !this.next().has(from) && !this.legal.some((turn) => turn.clicks[0] === from)) return;
    this.dragged = true;
    if (!already) this.enter(from);
    this.enter(to);
    setTimeout(() => { this.dragged = false; });
  }

  pressed(event) {
    const spot = this.spotAt(event);
    if (event.key === "Escape") {
      this.restart();
    } else if (spot === undefined) {
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      this.enter(spot);
    } else if (event.key === "Tab") {
      return;
    } else {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!steps) return;
      const [x, y] = this.flipped ? [-steps[0], -steps[1]] : steps;
      const to = this.neighbour(spot, x, y);
      if (to !== undefined) this.focus(to);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  centre(index) {
    const box = this.spots[index].getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** The nearest spot in a direction: far along it, little beside it. */
  neighbour(from, x, y) {
    const [left, top] = this.centre(from);
    let best;
    let least = Infinity;
    this.spots.forEach((_, index) => {
      const [a, b] = this.centre(index);
      const along = (a - left) * x + (b - top) * y;
      const beside = Math.abs((a - left) * y + (b - top) * x);
      if (along <= NEAREST * 100) return;
      const distance = along + 2 * beside;
      if (distance < least) [best, least] = [index, distance];
    });
    return best;
  }

  focus(index) {
    this.spots[this.cursor ?? 0]?.setAttribute("tabindex", "-1");
    this.cursor = index;
    this.spots[index]?.setAttribute("tabindex", "0");
    this.spots[index]?.focus({ preventScroll: true });
  }
}
