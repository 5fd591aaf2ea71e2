/** The rater's work: one screen after another, every answer kept at once. */

import { element, isTyping, readJson, say } from "./dom.js";
import { forget, forgetDrafts, keepForOffline } from "./keeping.js";
import { Panel, questionsOf } from "./panel.js";
import { Queue, nameOf } from "./queue.js";
import { savedState } from "./saved-state.js";
import { Stopwatch } from "./stopwatch.js";
import { drawTexts } from "./texts.js";

const work = readJson("work");
const place = (id) => document.getElementById(id);
const given = new Map([...work.answers, ...work.remarks].map((entry) => [nameOf(entry), entry]));
const indexOf = new Map(work.screens.map((screen, index) => [screen.id, index]));
const stopwatch = new Stopwatch();
const tabs = new BroadcastChannel(`accord:${work.owner}`);
const state = savedState(place("saved"));
const queue = new Queue({ owner: work.owner, address: work.save, ...state, onRefused: (why) => { place("message").textContent = why; } });
let current = 0;
let panel = null;

function revisionOf(entry) {
  return given.get(nameOf(entry))?.revision ?? 0;
}

function take(entry) {
  if (revisionOf(entry) <= entry.revision) given.set(nameOf(entry), entry);
}

function answerTo(screen, { criterion, place: at }) {
  return given.get(nameOf({ task: screen.id, criterion: criterion.key, place: at }));
}

function questions(screen) {
  return questionsOf(screen, work.criteria);
}

/** Answered, "cannot judge", or left empty where the study allows it. */
function isSettled(screen, question) {
  const answer = answerTo(screen, question);
  return Boolean(answer && (!question.criterion.required || answer.cannot || (answer.value !== null && answer.value !== undefined)));
}

function isDone(screen) {
  return questions(screen).every((question) => isSettled(screen, question));
}

/** An optional question that was passed over is recorded as such. */
function recordEmpty() {
  const screen = work.screens[current];
  for (const question of questions(screen)) if (!isSettled(screen, question)) onAnswer(question, null, false);
}

function send(entry) {
  const full = queue.add({ ...entry, revision: revisionOf(entry) + 1 });
  take(full);
  tabs.postMessage(full);
}

function onAnswer({ criterion, place: at }, value, cannot) {
  const screen = work.screens[current];
  send({
    kind: "judgement", task: screen.id, criterion: criterion.key, place: at, value, cannot,
    seconds: stopwatch.lap(), guideline: work.guideline,
  });
  if (screen.practice) showFeedback(screen, value, cannot);
}

function onRemark(about, text) {
  send({ kind: "remark", task: work.screens[current].id, about, text });
}

/** A question to the organiser waits with the answers until it can be sent. */
function ask(event) {
  event.preventDefault();
  const field = place("question");
  queue.add({ kind: "question", text: field.value.trim() });
  field.value = "";
  place("question-kept").hidden = false;
}

/** Off this device, and nothing stays behind; what is not sent yet would, so it is sent first. */
async function leave(event) {
  event.preventDefault();
  panel.flush();
  if (navigator.onLine && (await queue.settle(5000))) {
    await forget();
    event.target.submit();
  } else {
    place("leave-later").hidden = false;
  }
}

function showFeedback({ practice }, value, cannot) {
  const right = !practice.expected.length || practice.expected.some((wanted) => wanted === value);
  const box = place("feedback");
  box.hidden = cannot || value === null;
  box.className = right ? "notice good" : "notice caution";
  box.replaceChildren(element("strong", {}, say(right ? "practice_right" : "practice_other")), " ",
    element("span", { dir: "auto" }, practice.feedback));
}

function rowsOf(screen) {
  const rows = work.contexts[screen.context];
  if (!screen.targets) return rows;
  return rows.map((row, at) => (at === screen.row ? { ...row, targets: screen.targets } : row));
}

/** The sentence in question is seen in its text; only the text scrolls. Sizes of unseen sentences are guesses: again. */
function center(again = 5) {
  const text = place("texts").firstElementChild;
  const sentence = text?.querySelector(".current");
  if (sentence) text.scrollTop = sentence.offsetTop - (text.clientHeight - sentence.offsetHeight) / 2;
  if (sentence && again) requestAnimationFrame(() => center(again - 1));
}

function show(index) {
  panel?.flush();
  current = Math.min(Math.max(index, 0), work.screens.length - 1);
  const screen = work.screens[current];
  const rows = rowsOf(screen);
  const asked = questions(screen);
  const markedSides = asked.filter(({ criterion }) => criterion.kind === "spans")
    .flatMap(({ criterion }) => [...criterion.sides, "target", ...(criterion.omissions ? ["source"] : [])]);
  const texts = drawTexts({
    screen, rows, family: work.families[screen.family] ?? [], study: work.study, markedSides, onVisit: (id) => go(indexOf.get(id)),
    done: (id) => isDone(work.screens[indexOf.get(id)]),
  });
  panel = new Panel({
    screen, rows, questions: asked, study: work.study, markables: texts.markables, onAnswer, onRemark, onDone: showProgress,
    answerOf: (question) => answerTo(screen, question),
    remarkOf: (about) => given.get(nameOf({ kind: "remark", task: screen.id, about }))?.text ?? "",
  });
  const scenario = work.scenarios[screen.scenario];
  place("scenario").textContent = screen.practice ? say("practice") : scenario.title;
  place("instruction").textContent = scenario.instruction;
  place("instruction").hidden = !scenario.instruction;
  place("feedback").hidden = true;
  place("message").textContent = "";
  place("texts").replaceChildren(texts.element);
  place("panel").replaceChildren(panel.element);
  if (texts.element.scrollHeight > texts.element.clientHeight) texts.element.tabIndex = 0; // so that keys can scroll it
  place("desk").dataset.shape = rows.length > 1 ? "document" : "sentence";
  scrollTo(0, 0);
  center();
  stopwatch.reset();
  showProgress();
}

function showProgress() {
  const tasks = work.screens.filter((screen) => !screen.practice);
  const done = tasks.filter(isDone).length;
  const screen = work.screens[current];
  const number = screen.practice ? current + 1 : current + 1 - (work.screens.length - tasks.length);
  const total = screen.practice ? work.screens.length - tasks.length : tasks.length;
  place("progress").value = tasks.length ? done / tasks.length : 0;
  place("count").textContent = say("count", { number, total });
  place("previous").disabled = current === 0;
  const isLast = current === work.screens.length - 1;
  place("next-label").textContent = say(isLast ? "finish" : "next");
  place("next").classList.toggle("ready", !panel.firstOpen());
}

/** At once, so that fast fingers never answer the screen before. */
function go(index) {
  if (index === current) return;
  history.pushState(null, "", `#${index + 1}`);
  show(index);
}

function followAddress() {
  const asked = Number(location.hash.slice(1)) - 1;
  if (asked !== current && asked >= 0) show(asked);
}

async function forward() {
  panel.flush();
  const open = panel.firstOpen();
  if (open) {
    panel.want(open);
    place("message").textContent = say("please_answer");
    return;
  }
  recordEmpty();
  if (current < work.screens.length - 1) go(current + 1);
  else await finish();
}

async function finish() {
  const open = work.screens.findIndex((screen) => !isDone(screen));
  if (open >= 0) {
    go(open);
    return;
  }
  if (!navigator.onLine) place("message").textContent = say("wait_online");
  else if (await queue.settle()) location.assign(work.after);
  else place("message").textContent = say("wait_saved");
}

function onKey(event) {
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && isTyping(event)) event.target.blur();
  if (isTyping(event) || event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== "z")) return;
  if (panel.key(event)) event.preventDefault();
  else if (event.key === "n" || (event.key === "Enter" && !event.target.closest("button, summary, a"))) {
    event.preventDefault();
    forward();
  } else if (event.key === "p" && current > 0) {
    event.preventDefault();
    go(current - 1);
  }
}

function start() {
  queue.catchUp(revisionOf).filter(({ kind }) => kind !== "question").forEach(take);
  tabs.addEventListener("message", ({ data }) => {
    take(data);
    if (data.task === work.screens[current].id) panel.showAll();
    showProgress();
  });
  addEventListener("resize", () => center());
  addEventListener("hashchange", followAddress);
  addEventListener("popstate", followAddress);
  document.addEventListener("keydown", onKey);
  place("next").addEventListener("click", forward);
  place("previous").addEventListener("click", () => go(current - 1));
  place("ask").addEventListener("submit", ask);
  place("leave").addEventListener("submit", leave);
  const asked = Number(location.hash.slice(1)) - 1;
  const open = work.screens.findIndex((screen) => !isDone(screen));
  show(asked >= 0 && asked < work.screens.length ? asked : open < 0 ? work.screens.length - 1 : open);
  history.replaceState(null, "", `#${current + 1}`);
  queue.send();
  forgetDrafts();
  keepForOffline();
}

start();
