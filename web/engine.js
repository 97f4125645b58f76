// What the engine thinks, in words and pictures.

import { h, post } from "./api.js";

const MISTAKE = 0.12;
const BLUNDER = 0.25;
const NODES_PER_TURN = 30_000;

/** "61 %", or "wins in 5 moves". */
export function words(line, turn) {
  if (line.winner === null || line.winner === undefined) return `${Math.round(line.chance * 100)} %`;
  const moves = `${line.moves_to_end} ${line.moves_to_end === 1 ? "move" : "moves"}`;
  return line.winner === turn ? `wins in ${moves}` : `loses in ${moves}`;
}

/** The lines as list items. */
export function lineItems(thought, turn) {
  return thought.lines.map((line) => h("li", {},
    h("strong", {}, words(line, turn)), " ", h("span", {}, line.turns.join("; "))));
}

/**
 * Judges a whole match turn by turn: calls watch(chances, marks) after each. chances are the first side's. lineOf(count) gives
 * the line after so many turns; turns are those of the match; outcome may be null. stop.now ends it.
 */
export async function review(lineOf, turns, outcome, watch, stop) {
  const chances = [];
  const marks = [];
  const best = [];
  for (let count = 0; count <= turns.length && !stop.now; count++) {
    const last = count === turns.length;
    let chance = outcome && last ? [0.5, 1, 0][outcome.winner] : undefined;
    if (chance === undefined) {
      const thought = await post("/api/analyse", { ...lineOf(count), nodes: NODES_PER_TURN });
      const mover = turns[count]?.side ?? (turns[count - 1]?.side === 1 ? 2 : 1);
      const own = thought ? thought.lines[0].chance : 0.5;
      best[count] = thought?.turn;
      chance = mover === 1 ? own : 1 - own;
    }
    chances.push(chance);
    if (count > 0) {
      const before = chances[count - 1];
      const lost = turns[count - 1].side === 1 ? before - chance : chance - before;
      const played = turns[count - 1].text === best[count - 1];
      marks.push(played || lost < MISTAKE ? "" : lost < BLUNDER ? "mistake" : "blunder");
    }
    watch(chances, marks, best);
  }
}

const SVG = "http://www.w3.org/2000/svg";

function part(name, properties) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  return element;
}

/** What the bot of one side believed, as a line; nothing if it never said so. */
function belief(turns, side, sides, x) {
  const points = turns.flatMap((turn, index) => turn.side === side && turn.believed !== undefined
    ? [`${x(index + 1).toFixed(1)},${(160 * (1 - turn.believed)).toFixed(1)}`] : []);
  if (points.length === 0) return [];
  const line = part("polyline", { points: points.join(" "), class: `curve-belief curve-belief-${side}` });
  const name = part("title", {});
  name.textContent = `What ${sides[side - 1]} believed`;
  line.append(name);
  return [line];
}

/** The curve of the first side's chances; look(count) is called for a click. */
export function curve(chances, marks, turns, sides, look) {
  const width = Math.max(turns.length, 1);
  const svg = part("svg", { viewBox: "0 0 600 160", class: "curve", role: "img" });
  const title = part("title", {});
  title.textContent = `The chances of ${sides[0]}, turn by turn`;
  svg.append(title, part("rect", { width: 600, height: 160, class: "curve-second" }));
  const at = (count) => [(600 * count) / width, 160 * (1 - chances[count])];
  const points = chances.map((_, count) => at(count).map((value) => value.toFixed(1)).join(","));
  if (points.length > 0) {
    const end = at(chances.length - 1)[0];
    svg.append(part("polygon", { class: "curve-first", points: `0,160 ${points.join(" ")} ${end.toFixed(1)},160` }));
  }
  for (const side of [1, 2]) svg.append(...belief(turns, side, sides, (count) => (600 * count) / width));
  svg.append(part("line", { x1: 0, x2: 600, y1: 80, y2: 80, class: "curve-middle" }));
  marks.forEach((mark, index) => {
    if (!mark) return;
    const [x, y] = at(index + 1);
    const dot = part("circle", { cx: x, cy: y, r: mark === "blunder" ? 7 : 5, class: `curve-${mark}` });
    const name = part("title", {});
    name.textContent = `Turn ${index + 1}, ${turns[index].text}: ${mark}`;
    dot.append(name);
    svg.append(dot);
  });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    look(Math.round(((event.clientX - box.left) / box.width) * width));
  });
  return svg;
}
