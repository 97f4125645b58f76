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
  /**
   * pieces: letters and names. sideWords: how a text says whose turn it is. on.text(): the position as it is. on.change(text): somebody
   * edited; gives a promise. on.wait(spot): this one waits for a second choice, or none does.
   */
  constructor(holder, { pieces, sideWords, sides }, on) {
    Object.assign(this, { holder, pieces, sideWords, sides, on });
    this.tool = "move";
    this.from = undefined;
    this.active = false;
    this.edits = Promise.resolve();
  }

  /** Edits are made one after the other, however fast they come: each begins with what the one before it has left. */
  queue(edit) {
    this.edits = this.edits.catch(() => {}).then(edit);
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

  /** A spot was chosen while editing. */
  choose(spot) {
    const { tool } = this;
    this.queue(() => (tool === "move" ? this.carry(spot) : this.put(spot, tool)));
  }

  put(spot, tool) {
    return this.change((letterOf) => [[spot, letterOf(spot) === tool ? "." : tool]]);
  }

  /** The first choice takes a piece, the second one says where it goes; the same place twice takes it back. */
  carry(spot) {
    const { from } = this;
    this.from = undefined;
    if (from !== undefined && from !== spot) {
      this.on.wait(undefined);
      return this.change((letterOf) => [[spot, letterOf(from)], [from, "."]]);
    }
    if (from === undefined && this.read().letterOf(spot) !== ".") this.from = spot;
    this.on.wait(this.from);
    return undefined;
  }

  swap() {
    this.queue(() => {
      const { position } = this.read();
      position.rest[0] = this.sideWords[1 - this.sideWords.indexOf(position.rest[0])];
      return this.on.change(compress(position));
    });
  }

  /** The position as it is, where its spots are among the letters, and what stands on a spot. */
  read() {
    const position = expand(this.on.text(), this.pieces);
    const places = position.letters.flatMap((letter, index) => ("/_".includes(letter) ? [] : [index]));
    return { position, places, letterOf: (spot) => position.letters[places[spot]] };
  }

  /** Changes the letters of some spots. */
  change(changes) {
    const { position, places, letterOf } = this.read();
    for (const [spot, letter] of changes(letterOf)) position.letters[places[spot]] = letter;
    return this.on.change(compress(position));
  }
}
