/** The rater's work: one document or screen after another, every answer kept at once. */

import { differences } from "./diff.js";
import { DocumentPage } from "./document.js";
import { isTyping, readJson, say } from "./dom.js";
import { History } from "./history.js";
import { forget, forgetDrafts, keepForOffline, remember, remembered } from "./keeping.js";
import { Panel, questionsOf } from "./panel.js";
import { feedback } from "./practice.js";
import { Progress } from "./progress.js";
import { Queue, nameOf } from "./queue.js";
import { rail } from "./rail.js";
import { savedState } from "./saved-state.js";
import { Stopwatch } from "./stopwatch.js";
import { drawTexts } from "./texts.js";
import { center, comfortably } from "./viewing.js";

const work = readJson("work");
const place = (id) => document.getElementById(id);
const HABIT = 1000;
const goesOn = place("goes-on");
const given = new Map([...work.answers, ...work.remarks].map((entry) => [nameOf(entry), entry]));
const indexOf = new Map(work.screens.map((screen, index) => [screen.id, index]));
const stopwatch = new Stopwatch();
const history_ = new History();
const tabs = new BroadcastChannel(`accord:${work.owner}`);
const state = savedState(place("saved"));
const queue = new Queue({ owner: work.owner, address: work.save, ...state, onState, onRefused: (why) => { place("message").textContent = why; }, onReplaced: () => location.reload(), onRead: () => { isToRead = true; readAnew(); } });
const progress = new Progress({
  box: place("progress"), count: place("count"), left: place("time-left"), screens: work.screens,
  expected: ({ scenario }) => work.scenarios[scenario]?.seconds ?? 30,
});
let current = 0;
let panel = null;
let paper = null; // the document on the page, and which one it is
let isWanting = false; // whether the message asks for an answer that is missing
let isWarned = false; // whether the rater was reminded of the flags
let wentOnAt = -Infinity; // when the page went on by itself to what it shows
let isInDoubt = false; // whether the first act here came so soon that it may have been meant for the one before
let isToRead = false; // whether a new version of the guidelines waits
let isTouched = false; // whether anything was done on the screen
let isOpenHere = false; // whether the screen in hand was still to answer when the rater came to it, or since
let held = new Set(); // the screens whose answers do not count, as the study, or this part of it, was closed before
let isKept = true; // whether what happens goes into the history

function revisionOf(entry) {
  return given.get(nameOf(entry))?.revision ?? 0;
}

function take(entry) {
  if (revisionOf(entry) > entry.revision) return;
  given.set(nameOf(entry), entry);
  const screen = work.screens[indexOf.get(entry.task)];
  if (screen && entry.kind !== "remark") noteDone(screen);
}

function noteDone(screen) {
  if (isDone(screen) && !held.has(screen.id)) progress.done.add(screen.id);
  else progress.done.delete(screen.id);
}

/** What was answered after the study or a part of it was closed is not called done; the rater stays with the first of it. */
function onState(told, waiting) {
  state.onState(told, waiting);
  const before = held.size;
  held = new Set(["closed", "part"].includes(told) ? queue.waiting.flatMap(({ task }) => task ?? []) : []);
  if (!before && !held.size) return;
  work.screens.forEach(noteDone);
  paper?.page.rows.forEach((row, index) => paper.page.refresh(index));
  showProgress();
  if (!before) go(indexOf.get([...held][0]) ?? current);
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

function onAnswer({ criterion, place: at }, value, cannot, joined = false) {
  const screen = work.screens[current];
  if (isWanting) place("message").textContent = "";
  isWanting = false;
  const question = { criterion, place: at };
  const before = answerTo(screen, question);
  const seconds = stopwatch.lap();
  if (isKept) history_.add({ screen: current, question, before, after: { value, cannot }, joined });
  if (isDone(screen) === false) progress.finished(screen, seconds);
  send({ kind: "judgement", task: screen.id, criterion: criterion.key, place: at, value, cannot, seconds, guideline: work.guideline });
  paper?.page.refresh(screen.row);
  if (screen.practice) showFeedback(screen, value, cannot);
}

function remarkOf(screen, about) {
  return given.get(nameOf({ kind: "remark", task: screen.id, about }))?.text ?? "";
}

/** To look at again: the rater's own sign, which the organiser sees too. */
function flag() {
  const screen = work.screens[current];
  onRemark("flag", remarkOf(screen, "flag") ? "" : "flagged");
  paper?.page.refresh(screen.row);
  showProgress();
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

function showFeedback(screen, value, cannot) {
  const told = cannot || value === null ? null : feedback(screen.practice, work.criteria[screen.criteria[0]], value);
  const box = place("feedback");
  box.hidden = !told;
  if (told) box.className = { true: "notice good", false: "notice caution" }[told.isRight] ?? "notice";
  box.replaceChildren(...(told?.parts ?? []));
}

function sidesMarked(asked) {
  return asked.filter(({ criterion }) => criterion.kind === "spans")
    .flatMap(({ criterion }) => [...criterion.sides, "target", ...(criterion.omissions ? ["source"] : [])]);
}

function makePanel(screen, more) {
  return new Panel({
    screen, rows: work.contexts[screen.context], questions: questions(screen), study: work.study, onAnswer, onRemark, onDone: showProgress, onComplete: goOn,
    answerOf: (question) => answerTo(screen, question),
    remarkOf: (about) => remarkOf(screen, about), onHand: cover, ...more,
  });
}

/** The whole document, drawn once; from segment to segment only the one in hand changes. */
function showInDocument(screen, keepStill) {
  if (paper?.context !== screen.context) {
    const screens = work.families[screen.context].map((id) => (id === null ? null : work.screens[indexOf.get(id)]));
    const page = new DocumentPage({
      rows: work.contexts[screen.context], screens, questions, study: work.study, markedSides: sidesMarked(questions(screen)), answerTo,
      isFlagged: (one) => Boolean(remarkOf(one, "flag")), isHeld: (one) => held.has(one.id), onVisit: (row) => go(indexOf.get(screens[row].id), true),
      onStand: () => panel.questions[0].control.standBy(),
    });
    paper = { context: screen.context, page };
    place("texts").replaceChildren(page.element);
    place("panel").replaceChildren();
    place("rail").replaceChildren(...rail(questions(screen).map(({ criterion }) => criterion)), ...(place("changed")?.content.cloneNode(true).children ?? []));
    scrollTo(0, 0);
  }
  const { page } = paper;
  const row = page.rows[screen.row];
  panel = makePanel(screen, { markables: row.markables, isInline: true, anchor: () => page.anchor(screen.row) });
  page.focus(screen.row, panel.element, { keepStill });
  if (!keepStill) comfortably(row.li);
}

/** What may not be consulted for the question in hand is not seen meanwhile. */
function cover({ criterion: { consult } }) {
  const { shown } = work.scenarios[work.screens[current].scenario];
  const hidden = consult === null ? [] : shown.filter((part) => !consult.includes(part));
  place("texts").dataset.without = hidden.join(" ");
  place("hidden-now").hidden = !hidden.length;
  place("hidden-now").textContent = hidden.length ? say("not_consulted", { what: hidden.map((part) => say(part)).join(", ") }) : "";
}

function showAlone(screen) {
  paper = null;
  const rows = work.contexts[screen.context];
  const texts = drawTexts({
    screen, rows, family: work.families[screen.context], study: work.study, markedSides: sidesMarked(questions(screen)), onVisit: (id) => go(indexOf.get(id)),
    done: (id) => progress.done.has(id),
  });
  const box = () => (texts.element.querySelector(".current") ?? texts.element).getBoundingClientRect();
  panel = makePanel(screen, { markables: texts.markables, anchor: () => ({ row: box(), texts: box() }) });
  place("texts").replaceChildren(texts.element);
  place("panel").replaceChildren(panel.element);
  if (texts.element.scrollHeight > texts.element.clientHeight) texts.element.tabIndex = 0; // so that keys can scroll it
  offerDifferences(screen, rows, texts.element);
  place("desk").dataset.shape = rows.length > 1 ? "document" : "sentence";
  scrollTo(0, 0);
  center(place("texts"));
}

/** Two texts that are compared show on demand where they differ. */
function offerDifferences(screen, rows, drawn) {
  if (screen.places !== 2 || (screen.row === null && rows.length > 1)) return;
  const boxes = [...(drawn.querySelector(".segment.current") ?? drawn).querySelectorAll(".text.target")];
  const button = differences(boxes, rows[screen.row ?? 0].targets, work.study.targetLanguage);
  if (button) panel.besideComparison(button);
}

function show(index, keepStill = false) {
  panel?.flush();
  wentOnAt = -Infinity;
  isInDoubt = isTouched = isWanting = isOpenHere = false;
  current = Math.min(Math.max(index, 0), work.screens.length - 1);
  const screen = work.screens[current];
  const scenario = work.scenarios[screen.scenario];
  document.body.dataset.layout = screen.layout;
  place("scenario").textContent = screen.practice ? say("practice") : scenario.title;
  place("instruction").textContent = scenario.instruction;
  place("instruction").hidden = !scenario.instruction;
  place("feedback").hidden = true;
  place("message").textContent = "";
  if (screen.layout === "document") showInDocument(screen, keepStill);
  else showAlone(screen);
  stopwatch.reset();
  showProgress();
}

function showProgress() {
  const screen = work.screens[current];
  progress.show(screen);
  const family = work.families[screen.context].filter((id) => id !== null);
  const done = family.filter((id) => progress.done.has(id)).length;
  for (const id of ["of-document", "place-told"]) place(id).textContent = family.length > 1 ? say("of_document", { number: done, total: family.length }) : "";
  place("previous").disabled = current === 0;
  place("flag").setAttribute("aria-pressed", String(Boolean(remarkOf(screen, "flag"))));
  place("undo").disabled = !history_.canUndo;
  place("redo").disabled = !history_.canRedo;
  place("cannot").setAttribute("aria-pressed", String(panel.questions.every((question) => answerTo(screen, question)?.cannot)));
  isOpenHere ||= !progress.done.has(screen.id);
  const isLast = current === work.screens.length - 1 || isLastOpen();
  const isSegment = screen.layout === "document" && work.screens[current + 1]?.context === screen.context;
  place("next-label").textContent = say(isLast ? "finish" : isSegment ? "next_segment" : "next");
  place("next").classList.toggle("ready", !panel.firstOpen());
}

/** Whether the screen in hand is the last that was to answer; who only looks again goes from screen to screen. */
function isLastOpen() {
  const here = progress.done.has(work.screens[current].id) ? 1 : 0;
  return isOpenHere && progress.done.size - here === work.screens.length - 1;
}

/** At once, so that fast fingers never answer the screen before. */
function go(index, keepStill = false) {
  if (index === current) return;
  panel.flush();
  history.pushState(null, "", `#${index + 1}`);
  show(index, keepStill);
  // Whoever worked in the questions that are gone goes on reading at the new segment, not at the top of the page.
  if (document.activeElement === document.body) paper?.page.rows[work.screens[current].row].li.focus({ preventScroll: true });
  readAnew();
}

/** New guidelines are read before the next screen; whoever has begun this one finishes it first. */
async function readAnew() {
  const screen = work.screens[current];
  if (!isToRead || isTouched || questions(screen).some((question) => answerTo(screen, question))) return;
  if (await queue.settle()) location.reload();
}

/** Take back or do again, wherever it was; what was saved stays in the history of the study. */
function travel(steps) {
  isKept = false;
  for (const { screen, question, answer } of steps) {
    if (screen !== current) go(screen);
    const own = panel.questions.find((one) => one.criterion.key === question.criterion.key && one.place === question.place);
    onAnswer(question, answer?.value ?? null, answer?.cannot ?? false);
    panel.show(own);
    panel.giveBack(own);
  }
  isKept = true;
  showProgress();
}

function undo() {
  panel.flush();
  if (history_.canUndo) travel(history_.undo());
}

function redo() {
  if (history_.canRedo) travel(history_.redo());
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
    isWanting = true;
    place("message").textContent = open.control.problem || say("please_answer");
    return;
  }
  if (held.size && !(await queue.settle())) return; // the notice says why
  recordEmpty();
  if (current < work.screens.length - 1 && !isLastOpen()) go(current + 1);
  else await finish();
}

/** What is complete goes on by itself; the end of a document and of the work is for the rater to say. */
function goOn() {
  const [here, next] = [work.screens[current], work.screens[current + 1]];
  const own = work.families[here.context].filter((id) => id !== null);
  const isEnd = !next || isLastOpen() || (here.layout === "document" && own.length > 1 && next.context !== here.context);
  if (isEnd || (held.size && queue.state === "closed") || !goesOn.checked) return;
  if (isInDoubt) {
    place("message").textContent = say("just_gone_on");
    return;
  }
  forward();
  wentOnAt = performance.now();
}

async function finish() {
  const open = work.screens.findIndex((screen) => !isDone(screen));
  if (open >= 0) {
    go(open);
    return;
  }
  const flagged = work.screens.filter((screen) => remarkOf(screen, "flag"));
  if (flagged.length && !isWarned) {
    isWarned = true;
    go(indexOf.get(flagged[0].id));
    place("message").textContent = say("flags_left", { number: flagged.length });
    return;
  }
  if (!navigator.onLine) place("message").textContent = say("wait_online");
  else if (await queue.settle()) location.assign(work.after);
  else if (!held.size) place("message").textContent = say(queue.state === "paused" ? "wait_paused" : "wait_saved");
}

/** Whoever touches anything else means this screen. */
function stayIfTouched({ key }) {
  isTouched = true;
  panel.stay();
  if (key === undefined) panel.pointed();
  if (key === "Enter" || key === "n") return;
  isInDoubt ||= performance.now() - wentOnAt < HABIT;
  wentOnAt = -Infinity;
}

/** Enter out of habit, just after the page went on by itself, was meant for what is done. */
function forwardByKey() {
  if (performance.now() - wentOnAt > HABIT) forward();
}

/** Keys of the page, after those of the question in hand. */
const KEYS = { n: forwardByKey, p: () => current > 0 && go(current - 1), f: flag, u: undo, U: redo, d: () => document.querySelector(".differences")?.click() };

function onKey(event) {
  if (document.querySelector("dialog[open]")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === "Escape" && isTyping(event)) event.target.blur();
  if (isCommand && event.key === "Enter" && isTyping(event)) forward();
  if (isTyping(event) || (isCommand && !["z", "y", "Z"].includes(event.key)) || (event.altKey && !event.shiftKey)) return;
  if (event.repeat && /^[a-z\d]$/i.test(event.key)) return; // a key that is held down says its word once
  if (isCommand) (event.key === "z" ? undo : redo)();
  else if (panel.key(event)) {
    event.preventDefault();
    return;
  } else if (event.key === "Enter" && !event.target.closest("button, summary, a")) forwardByKey();
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
}

/** A pause: the texts are covered and no time is counted. */
function pause() {
  panel.flush();
  stopwatch.stop();
  place("pause").showModal();
}

function start() {
  queue.catchUp(revisionOf).filter(({ kind }) => kind !== "question").forEach(take);
  work.screens.forEach(noteDone);
  tabs.addEventListener("message", ({ data }) => {
    take(data);
    if (data.task === work.screens[current].id) panel.showAll();
    else if (paper) paper.page.refresh(work.screens[indexOf.get(data.task)]?.row ?? 0);
    showProgress();
  });
  addEventListener("resize", () => center(place("texts")));
  addEventListener("hashchange", followAddress);
  addEventListener("popstate", followAddress);
  document.addEventListener("keydown", onKey);
  for (const touch of ["keydown", "pointerdown"]) document.addEventListener(touch, stayIfTouched, { capture: true });
  goesOn.checked = remembered("goes-on") !== "no";
  goesOn.addEventListener("change", () => remember("goes-on", goesOn.checked ? "yes" : "no"));
  const clicks = { next: forward, previous: () => go(current - 1), undo, redo, comment: () => panel.openRemarks(), flag, cannot: () => panel.cannotAny(), "cannot-help": () => panel.cannotAny(), "pause-now": pause, "pause-help": pause };
  for (const [id, act] of Object.entries(clicks)) place(id).addEventListener("click", act);
  place("pause").addEventListener("close", () => stopwatch.go());
  place("ask").addEventListener("submit", ask);
  place("leave").addEventListener("submit", leave);
  const asked = Number(location.hash.slice(1)) - 1;
  const open = work.screens.findIndex((screen) => !isDone(screen));
  show(asked >= 0 && asked < work.screens.length ? asked : open < 0 ? work.screens.length - 1 : open);
  history.replaceState(null, "", `#${current + 1}`);
  isOpenHere ||= queue.waiting.some(({ task }) => task === work.screens[current].id);
  showProgress();
  queue.send();
  forgetDrafts();
  keepForOffline();
}

start();
