// Talking to the arena.

/** An answer that says no. */
export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** Posts JSON and gives what comes back; throws Refused with the arena's sentence. */
export async function post(path, body = {}) {
  return answer(await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** Gets JSON. */
export async function get(path) {
  return answer(await fetch(path));
}

async function answer(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  let sentence = `the arena answered ${response.status}`;
  try {
    sentence = JSON.parse(text).error ?? sentence;
  } catch {
    // Not from the arena itself: the number must do.
  }
  throw new Refused(response.status, sentence);
}

/** Does something that the arena may refuse; then `refused` gets the arena's sentence, and there is no result. */
export async function trying(action, refused) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
    return undefined;
  }
}

/** Makes an element: h("button", { type: "button", onclick }, "text", child). */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
