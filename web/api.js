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
  return answer(await reach(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** Fetches text; throws Refused like post. */
export async function text(path) {
  return answer(await reach(path), (body) => body);
}

/** Takes something back: a DELETE. */
export async function remove(path) {
  return answer(await reach(path, { method: "DELETE" }));
}

/** The status of a refusal that the arena did not make: it was not there. */
export const UNREACHABLE = 0;

async function reach(path, request) {
  try {
    return await fetch(path, request);
  } catch {
    throw new Refused(UNREACHABLE, "the arena cannot be reached: try again when it is back");
  }
}

async function answer(response, read = JSON.parse) {
  if (response.status === 204) return null;
  const text = await response.text();
  if (response.ok) return read(text);
  let sentence = `the arena answered ${response.status}`;
  try {
    sentence = JSON.parse(text).error ?? sentence;
  } catch {
    // Not from the arena itself: the number must do.
  }
  throw new Refused(response.status, sentence);
}

/** A line above an element that is only there while there is something to say. */
export function bannerAbove(element) {
  const line = h("p", { class: "banner", role: "status", hidden: true });
  element.before(line);
  return (sentence) => {
    line.hidden = !sentence;
    if (sentence && line.textContent !== sentence) line.textContent = sentence;
  };
}

/** Does something that the arena may refuse; then `refused` gets the arena's sentence and status, and there is no result. */
export async function trying(action, refused) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`, error.status);
    return undefined;
  }
}

/** Puts text on the clipboard; says whether that worked. Pages that came over plain HTTP have to do it the old way. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not allowed, or not there: only secure pages have it.
  }
  const field = h("textarea", { readonly: true, class: "aside" });
  field.value = text;
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus?.({ preventScroll: true });
  return copied;
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

/** Keeps something in this browser, if it keeps anything. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is forgotten with the page.
  }
}

/** What was kept, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
