// Setting up a position by hand: pieces are put, moved and removed, and the position's text follows.

import { h } from "./api.js";

/** The letters of a position's text: one for each spot, and what stands between them. */
function expand(text, pieces) {
  const [board, ...rest] = text.split(" ");
  const counts = !pieces.some(([letter]) => /[0-9]/.test(letter));
  const letters = counts ? board.replace(/[0-9]+/g, (number) => ".".repeat(Number(number))) : board;
  return { letters: [...letters], rest, counts: counts && letters !== board };
}

function compress({ letters, rest, counts }) {
  const board = letters.join("");
  return [counts ? board.replace(/[.]+/g, (run) => String(run.length)) : board, ...rest].join(" ");
}

export class Editor {
  /** pieces: letters and names. sideWords: how a text says whose turn it is. on.change(text): somebody edited. */
  constructor(holder, { pieces, sideWords, sides }, on) {
    Object.assign(this, { holder, pieces, sideWords, sides, on });
    this.tool = "move";
    this.from = undefined;
    this.active = false;
  }

  /** Shows the tools, or hides them. */
  toggle() {
    this.active = !this.active;
    this.from = undefined;
    this.render();
  }

  render() {
    const tool = (name, words) => h("button", {
      type: "button", class: "choice", "aria-pressed": String(this.tool === name), onclick: () => this.take(name),
    }, words);
    this.holder.hidden = !this.active;
    this.holder.replaceChildren(
      h("p", { class: "soft" }, this.tool === "move"
        ? "Choose a piece, then where it goes."
        : "Choose the places on the board."),
      tool("move", "Move a piece"),
      tool(".", "Remove"),
      ...this.pieces.map(([letter, name]) => tool(letter, name)),
      h("button", { type: "button", class: "choice", onclick: () => this.swap() }, "Swap the side to move"),
    );
  }

  take(name) {
    this.tool = name;
    this.from = undefined;
    this.render();
    this.holder.querySelector("[aria-pressed=true]").focus();
  }

  /** A spot was chosen while editing. Says which one is waiting for a second choice. */
  choose(text, spot) {
    const position = expand(text, this.pieces);
    const places = position.letters.flatMap((letter, index) => ("/_".includes(letter) ? [] : [index]));
    const { letters } = position;
    const put = (index, letter) => { letters[places[index]] = letter; };
    if (this.tool !== "move") {
      put(spot, letters[places[spot]] === this.tool ? "." : this.tool);
    } else if (this.from === undefined || this.from === spot) {
      const empty = letters[places[spot]] === ".";
      this.from = this.from === spot || empty ? undefined : spot;
      return this.from;
    } else {
      put(spot, letters[places[this.from]]);
      put(this.from, ".");
      this.from = undefined;
    }
    this.on.change(compress(position));
    return undefined;
  }

  swap() {
    const position = expand(this.on.text(), this.pieces);
    position.rest[0] = this.sideWords[1 - this.sideWords.indexOf(position.rest[0])];
    this.on.change(compress(position));
  }
}
