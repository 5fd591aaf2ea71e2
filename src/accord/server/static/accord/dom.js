/** Small words for building pages: text is always text, never markup. */

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name === "style") for (const [part, size] of Object.entries(value)) made.style.setProperty(part, size); // the policy forbids the attribute
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function readJson(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const words = document.getElementById("words") ? readJson("words") : {};

/** A phrase of the interface in the reader's language; {name} is filled in. */
export function say(key, values = {}) {
  const phrase = words[key] ?? key;
  return phrase.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether a key press belongs to a field the reader is typing in. */
export function isTyping(event) {
  const target = event.target;
  if (target.matches?.("[data-keys=through]")) return false; // a box for a number lets letters through
  return target.matches?.("textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox]):not([type=range])");
}

/** Whether there is nothing but a finger to work with: keys are not spoken of there. */
export function isByFinger() {
  return matchMedia("(hover: none) and (pointer: coarse)").matches;
}
