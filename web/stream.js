// News from the arena, over one connection for the whole browser: it opens few to one host, however many tabs it has.

const RETRY = 1000;
const ALIVE = 20_000;

/**
 * Listens to a topic: ["match", id], ["tournament", name] or ["all", ""]. on.message(value) gets each message; on.state("open" | "lost")
 * hears whether the arena can be reached. Gives a function that ends it.
 */
export function listen(topic, on) {
  try {
    return shared(topic, on);
  } catch {
    // A browser without shared workers.
    return alone(topic, on);
  }
}

function shared(topic, on) {
  const { port } = new SharedWorker(new URL("./stream-worker.js", import.meta.url), { name: "agon" });
  port.onmessage = ({ data }) => {
    if (data.again) begin();
    else if (data.state) on.state?.(data.state);
    else on.message(JSON.parse(data.text));
  };
  let ended = false;
  const begin = () => { if (!ended) port.postMessage({ topic }); };
  const end = () => port.postMessage({ topic: null });
  // The worker cannot see that a tab is gone, so tabs say that they are there.
  const alive = setInterval(() => port.postMessage({ alive: true }), ALIVE);
  addEventListener("pagehide", end);
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  begin();
  return () => {
    ended = true;
    clearInterval(alive);
    end();
  };
}

function alone([kind, name], on) {
  let events;
  let ended = false;
  const open = () => {
    events = new EventSource(`/api/stream?${new URLSearchParams([[kind, name]])}`);
    events.addEventListener(`${kind}:${name}`, (event) => on.message(JSON.parse(event.data)));
    events.onopen = () => on.state?.("open");
    events.onerror = () => {
      on.state?.("lost");
      if (events.readyState === EventSource.CLOSED && !ended) setTimeout(open, RETRY);
    };
  };
  // Tabs that nobody sees leave the few connections to others.
  document.addEventListener("visibilitychange", () => {
    if (ended) return;
    events.close();
    if (!document.hidden) open();
  });
  open();
  return () => {
    ended = true;
    events.close();
  };
}
