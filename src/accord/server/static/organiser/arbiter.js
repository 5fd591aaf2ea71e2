/** The rater's own highlighter in the hands of an arbiter: the rater's marks stand there, to be kept, changed or deleted. */

import { isTyping, readJson, say } from "../accord/dom.js";
import { Markable } from "../accord/markable.js";
import { spans } from "../accord/spans.js";

const told = readJson("arbiter");
const form = document.getElementById("arbiter-form");
const markables = {};

/** The texts of the page become texts that can be marked; without this script they stay as they are. */
for (const side of ["source", "target"]) {
  const isMarked = told.criterion.sides.includes(side) || side === "target" || (side === "source" && told.criterion.omissions);
  const shown = document.getElementById(`text-${side}`);
  if (!shown || !isMarked) continue;
  markables[side] = new Markable({ text: told.texts[side], side, language: told.languages[side], className: `marked text ${side}`, label: say(side) });
  markables[side].setLive(true);
  shown.replaceWith(markables[side].element);
}

const box = () => markables.target.element.getBoundingClientRect();
const control = spans({
  criterion: told.criterion, markables, prefilled: told.marks, anchor: () => ({ row: box(), texts: box() }),
  onChange: (value) => { form.elements.marks.value = value ? JSON.stringify(value) : ""; }, onSettled: () => {},
});
if (told.standing) {
  control.set(told.standing);
  form.elements.marks.value = JSON.stringify(told.standing);
}
document.getElementById("marking").append(control.element);
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (control.key(event)) event.preventDefault();
});
