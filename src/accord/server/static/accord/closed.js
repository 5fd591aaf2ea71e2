/** The study or a part of it is closed: what this browser answered after that is told, and sent if it opens again. */

import { readJson, say } from "./dom.js";
import { Queue, nameOf } from "./queue.js";

const work = readJson("work");
const kept = document.getElementById("kept");
const queue = new Queue({ owner: work.owner, address: work.save, onState });
const hadSome = queue.waiting.length > 0;

function onState(state) {
  if (state === "saved" && hadSome) location.replace(location.pathname); // sent: on to the work, if there is any
  if (!["closed", "part"].includes(state)) return;
  const answers = new Set(queue.waiting.filter(({ kind }) => kind === "judgement").map(nameOf));
  kept.hidden = answers.size === 0;
  const number = answers.size;
  kept.textContent = state === "part" ? say("part_kept", { number }) : say("closed_kept", { number });
}

queue.send();
