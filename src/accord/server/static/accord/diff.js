/** Where two texts differ, word by word: shown when asked for, so that nobody sees only the differences first. */

import { element, say } from "./dom.js";
import { slice, words } from "./codepoints.js";

const LONGEST = 2000;

function pieces(text, language) {
  const points = Array.from(text);
  return words(text, language || undefined).map(({ start, end }) => slice(points, start, end));
}

/** The longest common sequence of words, as two lists of whether each word is in it. */
export function common(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  }
  const inA = a.map(() => false);
  const inB = b.map(() => false);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) inA[i++] = inB[j++] = true;
    else if (table[i + 1][j] >= table[i][j + 1]) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

function draw(box, parts, isCommon) {
  box.replaceChildren(...parts.map((part, at) => (isCommon[at] || !part.trim() ? part : element("span", { class: "differs" }, part))));
}

/** A button that shows the differences of two texts in their places, and takes them away again. */
export function differences(boxes, texts, language) {
  let isShown = false;
  const parts = texts.map((text) => pieces(text, language));
  if (parts.some(({ length }) => length > LONGEST)) return null;
  const toggle = () => {
    isShown = !isShown;
    button.setAttribute("aria-pressed", String(isShown));
    const kept = isShown ? common(...parts) : parts.map((own) => own.map(() => true));
    boxes.forEach((box, at) => draw(box, parts[at], kept[at]));
  };
  const button = element("button", { type: "button", class: "tool differences", "aria-pressed": "false", "aria-keyshortcuts": "d", onclick: toggle },
    say("differences"), element("kbd", { "aria-hidden": "true" }, "d"));
  return button;
}
