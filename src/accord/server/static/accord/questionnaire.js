/** The questions at the end: each answer is kept at once, like every judgement. */

import { readJson, say } from "./dom.js";
import { keepForOffline } from "./keeping.js";
import { Queue } from "./queue.js";
import { savedState } from "./saved-state.js";

const work = readJson("work");
const form = document.getElementById("questionnaire");
const queue = new Queue({ owner: work.owner, address: work.save, ...savedState(document.getElementById("saved")) });
const revisions = new Map();

function revisionOf({ scenario, question }) {
  return revisions.get(`${scenario}|${question}`) ?? work.revision;
}

function show(answer) {
  revisions.set(`${answer.scenario}|${answer.question}`, answer.revision);
  const field = form.elements[`${answer.scenario}|${answer.question}`];
  if (field) field.value = answer.value;
}

function keep({ target }) {
  const { question, scenario } = target.dataset;
  const revision = revisionOf({ scenario, question }) + 1;
  revisions.set(target.name, revision);
  queue.add({ kind: "answer", question, scenario, value: target.value, revision });
}

/** Without a line the form would be lost to the browser's own page; what it holds is kept already. A closed study takes it. */
async function finish(event) {
  event.preventDefault();
  if (navigator.onLine && ((await queue.settle()) || queue.state === "closed")) form.submit();
  else document.getElementById("message").textContent = say(!navigator.onLine ? "wait_online" : queue.state === "paused" ? "wait_paused" : "wait_saved");
}

queue.catchUp(revisionOf).filter(({ kind }) => kind === "answer").forEach(show);
form.addEventListener("change", keep);
form.addEventListener("submit", finish);
queue.send();
keepForOffline();
