/** What this browser keeps of a rater besides the queue, and how it is forgotten. */

/** As the worker calls it: one for each study of this address. */
const PAGES = `accord-pages:${new URL(".", location).pathname}`;
const DRAFT = "accord:draft:";
const KNOWN = "accord:known:";
const LIKED = "accord:liked:";

/** A worker keeps the page for a reload without a line; browsers that forbid it lose only that. */
export function keepForOffline() {
  navigator.serviceWorker?.register("offline.js").catch(() => {});
}

/** On a device that others use: the page, the answers and the drafts go; unsent answers would stay, so send first. */
export async function forget() {
  drop(KNOWN);
  drop(DRAFT);
  drop(LIKED);
  await self.caches?.delete(PAGES);
}

/** How somebody likes to work in this browser. */
export function remember(name, value) {
  try {
    localStorage.setItem(LIKED + name, value);
  } catch {
    /* storage is forbidden: it holds for this page */
  }
}

export function remembered(name) {
  try {
    return localStorage.getItem(LIKED + name);
  } catch {
    return null;
  }
}

/** What was typed into a form comes back when the form does, be it after a new log-in. */
export function keepDraft(form) {
  const name = DRAFT + form.dataset.draft;
  try {
    for (const [field, value] of new URLSearchParams(localStorage.getItem(name) ?? "")) fill(form.elements[field], value);
    form.addEventListener("input", () => localStorage.setItem(name, new URLSearchParams(answersIn(form)).toString()));
  } catch {
    /* storage is forbidden: the form works without */
  }
}

function answersIn(form) {
  return [...new FormData(form)].filter(([field]) => field !== "csrfmiddlewaretoken");
}

/** A text, or the radio button of that value. */
function fill(field, value) {
  if (field) field.value = value;
}

export function forgetDrafts() {
  drop(DRAFT);
}

function drop(start) {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(start)) localStorage.removeItem(name);
  } catch {
    /* storage is forbidden */
  }
}
