/** The questions at the end: each answer is kept at once, like every judgement. */

import { readJson } from "./dom.js";
import { Queue } from "./queue.js";
import { savedState } from "./saved-state.js";

const work = readJson("work");
const queue = new Queue({ owner: work.owner, address: work.save, ...savedState(document.getElementById("saved")) });
const revisions = new Map();

document.getElementById("questionnaire").addEventListener("change", ({ target }) => {
  const revision = (revisions.get(target.name) ?? work.revision) + 1;
  revisions.set(target.name, revision);
  queue.add({
    kind: "answer", question: target.dataset.question, scenario: target.dataset.scenario, value: target.value, revision,
  });
});
queue.send();
