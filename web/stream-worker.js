// Shared by all tabs of a browser: one stream of events for everything that they look at.

const RETRY = 1000;
/** A tab that has said nothing for so long is gone; browsers let hidden tabs speak once a minute. */
const GONE = 150_000;
/** Tabs that open together share a new stream. */
const GATHER = 30;

/** What each tab wants to hear of, and when it last said that it is there. */
const tabs = new Map();
let source;
let topics = "";
let state = "lost";
let gathering;

const key = ([kind, name]) => `${kind}:${name}`;

function say(message, to = () => true) {
  for (const [port, tab] of tabs) if (to(tab)) port.postMessage(message);
}

function tell(next) {
  state = next;
  say({ state });
}

/** Opens a stream for what is wanted now. It begins with how everything stands, so a tab that came later has missed nothing. */
function open() {
  gathering = undefined;
  source?.close();
  const wanted = new Map([...tabs.values()].map((tab) => [key(tab.topic), tab.topic]));
  topics = [...wanted.keys()].sort().join("\n");
  if (wanted.size === 0) {
    source = undefined;
    return;
  }
  const mine = new EventSource(`/api/stream?${new URLSearchParams([...wanted.values()])}`);
  source = mine;
  for (const name of wanted.keys()) {
    mine.addEventListener(name, (event) => say({ text: event.data }, (tab) => key(tab.topic) === name));
  }
  mine.onopen = () => tell("open");
  mine.onerror = () => {
    if (mine !== source) return;
    tell("lost");
    // The browser tries again by itself unless the arena said no.
    if (mine.readyState === EventSource.CLOSED) gather(RETRY);
  };
}

function gather(after = GATHER) {
  gathering ??= setTimeout(open, after);
}

function heard(port, { topic, alive }) {
  const tab = tabs.get(port);
  if (alive) {
    if (tab) tab.seen = Date.now();
    // It was taken for gone, as all are after a long sleep of the computer.
    else port.postMessage({ again: true });
  } else if (topic) {
    tabs.set(port, { topic, seen: Date.now() });
    gather();
  } else {
    tabs.delete(port);
    const left = new Set([...tabs.values()].map((each) => key(each.topic)));
    if ([...left].sort().join("\n") !== topics) gather();
  }
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => heard(port, data);
};

setInterval(() => {
  for (const [port, tab] of tabs) if (Date.now() - tab.seen > GONE) heard(port, { topic: null });
}, 30_000);
