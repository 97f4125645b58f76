// The clocks of a match.

function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (milliseconds < 10_000) return (milliseconds / 1000).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows what is left to each side, so many milliseconds after the view was received. */
export function showClocks(table, view, since) {
  for (const side of [1, 2]) {
    const clock = table.querySelector(`[data-clock="${side}"]`);
    const left = view.clocks.left[side - 1];
    // What a bot has for each turn starts anew every time: nobody needs to see that run.
    const bot = view.seats[side - 1].kind === "bot";
    if (left === null || (bot && view.time.endsWith("/turn"))) {
      clock.textContent = "";
      continue;
    }
    const used = view.clocks.running === side ? since : 0;
    clock.textContent = clockText(Math.max(0, left - used));
    clock.classList.toggle("low", left - used < 10_000);
  }
}
