/** The questions of a screen: one control for each criterion and text, with "cannot judge" and comments. */

import { element, say } from "./dom.js";
import { categories } from "./categories.js";
import { openNumber } from "./number.js";
import { ranking } from "./ranking.js";
import { pairwise, scale } from "./scale.js";
import { score } from "./score.js";
import { spans } from "./spans.js";
import { prefilledOf } from "./marks.js";
import { letter } from "./texts.js";
import { Field, postEdit } from "./writing.js";

const PAUSE = 700;
const CONTROLS = { scale, slider: score, number: openNumber, categories, spans, pairwise, ranking, post_edit: postEdit };

/** What a screen asks: the criteria in order, each for every text shown unless it compares them. */
export function questionsOf(screen, criteria) {
  return screen.criteria.flatMap((key) => {
    const criterion = criteria[key];
    const compares = criterion.kind === "pairwise" || criterion.kind === "ranking";
    const places = compares || screen.places === 1 ? [compares ? null : 0] : [...Array(screen.places).keys()];
    return places.map((place) => ({ criterion, place }));
  });
}

function optional(criterion) {
  return criterion.required ? null : element("small", {}, say("optional"));
}

/** Definition and unit stand with the explanation. */
function help(criterion) {
  const words = [criterion.definition, criterion.help, criterion.unit].filter(Boolean);
  if (!words.length) return null;
  return element("details", { class: "help" }, element("summary", {}, say("help")), ...words.map((text) => element("p", { dir: "auto" }, text)));
}

function best(criterion) {
  return criterion.best ? element("p", { class: "soft best" }, say("best_is", { value: criterion.best })) : null;
}

export class Panel {
  /** `isInline`: the questions stand in the document, under their segment; `anchor` says what a bar must not cover. */
  constructor({ screen, questions, rows, study, markables, anchor, isInline = false, answerOf, remarkOf, onAnswer, onRemark, onDone, onHand, onComplete = () => {} }) {
    Object.assign(this, { screen, study, rows, markables, anchor, isInline, answerOf, onAnswer, onDone, onHand, onComplete });
    this.questions = questions.map((question) => this.build(question));
    this.active = Math.max(0, this.questions.findIndex((question) => !this.isAnswered(question)));
    this.remarks = this.buildRemarks(remarkOf, onRemark);
    this.element = element("div", { class: isInline ? "questions inline-questions" : "questions" }, ...this.grouped(), this.remarks);
    this.mark();
  }

  build(question) {
    const { criterion, place } = question;
    const name = `${criterion.key}-${place ?? "all"}`;
    question.control = CONTROLS[criterion.kind]({
      criterion, place, name, prefilled: prefilledOf(this.screen, criterion), markables: this.markables, anchor: this.anchor, texts: this.rows[this.screen.row ?? 0],
      language: this.study.targetLanguage, letters: [...Array(this.screen.places).keys()].map(letter),
      onChange: (value) => this.answered(question, value, false), onSettled: () => this.settled(question),
    });
    question.skip = element("button", {
      type: "button", class: "quiet skip", "aria-keyshortcuts": "x", onclick: () => this.cannot(question),
    }, say("cannot_judge"));
    question.isPart = place !== null && this.screen.places > 1;
    const legend = element("legend", {}, element("span", { dir: "auto", class: question.isPart ? "unseen" : undefined }, criterion.question),
      question.isPart ? element("strong", {}, letter(place)) : null, optional(criterion));
    question.box = element("fieldset", { class: `question ${criterion.kind === "number" ? "counted" : criterion.kind}`, onfocusin: () => this.activate(question) },
      legend, question.isPart ? null : help(criterion), best(criterion), question.control.element, element("div", { class: "question-foot" }, question.skip));
    if (criterion.kind === "spans") {
      for (const { element: text } of Object.values(this.markables)) text.addEventListener("focusin", () => this.activate(question));
    }
    this.show(question);
    return question;
  }

  /** A criterion asked of several texts has its words once, and the texts side by side. */
  grouped() {
    const groups = [];
    for (const question of this.questions) {
      const last = groups.at(-1);
      if (question.isPart && last?.criterion === question.criterion) last.boxes.push(question.box);
      else groups.push({ criterion: question.criterion, isPart: question.isPart, boxes: [question.box] });
    }
    return groups.map(({ criterion, isPart, boxes }) => (isPart
      ? element("section", { class: "criterion" }, element("h2", { dir: "auto", "aria-hidden": "true" }, criterion.question), help(criterion), element("div", { class: "parts" }, ...boxes))
      : boxes[0]));
  }

  buildRemarks(remarkOf, onRemark) {
    this.fields = ["item", ...(this.screen.isDocumentPart ? ["text"] : [])].map((about) => {
      const field = new Field({ label: say(`comment_${about}`), rows: 2, longest: 5_000, onChange: (text) => onRemark(about, text) });
      field.set(remarkOf(about));
      return { about, field };
    });
    const box = element("details", { class: "remarks" }, element("summary", {}, say("comment"), element("kbd", { "aria-hidden": "true" }, "c")),
      ...this.fields.map(({ about, field }) => element("label", {}, element("span", {}, say(`comment_${about}`)), field.element)));
    box.open = this.fields.some(({ field }) => field.saved);
    return box;
  }

  isAnswered(question) {
    const answer = this.answerOf(question);
    return Boolean(answer && (answer.cannot || (answer.value !== null && answer.value !== undefined)));
  }

  show(question) {
    const answer = this.answerOf(question);
    if (!this.isAnswered(question)) this.wasOpen = true;
    question.control.set(answer?.cannot ? undefined : answer?.value ?? undefined);
    question.skip.setAttribute("aria-pressed", String(Boolean(answer?.cannot)));
    question.box.classList.toggle("answered", this.isAnswered(question));
  }

  showAll() {
    this.questions.forEach((question) => this.show(question));
  }

  /** On a document's page a score for a segment says that its marks are as they stand, none if there are none; undone with the score. */
  answered(question, value, cannot) {
    this.onAnswer(question, value, cannot);
    if (this.isInline && question.criterion.kind === "slider" && value !== null) {
      for (const other of this.questions.filter((one) => one.criterion.kind === "spans" && !this.isAnswered(one))) {
        this.onAnswer(other, other.control.standing, false, true);
        this.show(other);
      }
    }
    question.skip.setAttribute("aria-pressed", String(cannot));
    question.box.classList.toggle("answered", this.isAnswered(question));
    question.box.classList.remove("wanted");
    this.onDone();
  }

  /** The whole segment at once: all of its questions, and all of them back. */
  cannotAny() {
    const now = !this.questions.every((question) => this.answerOf(question)?.cannot);
    this.questions.forEach((question, place) => {
      this.onAnswer(question, null, now, place > 0);
      this.show(question);
    });
    this.onDone();
  }

  cannot(question) {
    const now = !this.answerOf(question)?.cannot;
    this.answered(question, null, now);
    question.control.set(undefined);
    if (now) this.next(question);
  }

  activate(question) {
    this.active = this.questions.indexOf(question);
    this.mark();
  }

  mark() {
    this.onHand(this.questions[this.active]);
    this.questions.forEach(({ box }, place) => box.classList.toggle("active", place === this.active && this.questions.length > 1));
  }

  next(question) {
    const place = this.questions.findIndex((other, at) => at > this.questions.indexOf(question) && !this.isAnswered(other));
    if (place >= 0) {
      this.active = place;
      this.mark();
      // Into a field to write in one goes on purpose: the next key may be meant for the page.
      if (this.questions[place].control.isWritten) document.activeElement?.blur();
      else this.questions[place].control.focus();
      this.questions[place].box.scrollIntoView({ block: "nearest" });
    }
  }

  /** A key for the question in hand; true if it was one. An open bar comes first; digits type the score where no words are selected. */
  key(event) {
    const keyed = this.keyed;
    this.keyed = null;
    if (event.key === "Tab") return !event.shiftKey && this.tabOn(keyed, event.target);
    const inHand = this.questions.find(({ control }) => control.isHolding) ?? this.questions[this.active];
    if (!inHand) return false;
    const question = [inHand, ...this.others(inHand, event)].find((one) => (one.told = one.control.key(event)));
    if (question && question !== inHand) this.activate(question);
    if (question?.told === "answered") this.next(question);
    if (question?.told === "answered") this.settled(question);
    if (question?.told === "nothing") this.passed(question);
    this.keyed = question ?? null;
    if (question) return true;
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === "x") this.giveUp(inHand);
    else if (event.key === "c") this.openRemarks();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") return this.move(event);
    else return false;
    return true;
  }

  /** Tab leaves what was just answered for the next question, over "cannot judge": the digit after it is not meant for this one. */
  tabOn(keyed, target) {
    const focused = this.questions.find(({ box }) => box.contains(target));
    const from = focused ?? keyed; // a number can be typed while nothing has the focus
    const isOutside = focused && focused !== keyed && !focused.control.element.contains(target);
    if (!from?.control.isLeftByTab || isOutside) return false;
    from.control.flush?.();
    const to = this.questions[this.questions.indexOf(from) + 1];
    if (!to || !this.isAnswered(from)) return false;
    this.activate(to);
    to.control.focus();
    to.box.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Who else may take a key: from marks a digit goes on to the score, and from the score a letter back to the marks. */
  others(inHand, event) {
    if (inHand.control.isHolding) return [];
    if (inHand.criterion.kind === "spans") return this.questions.filter(({ control }) => control.takesDigits);
    return /^[a-z]$/.test(event.key) ? this.questions.filter((one) => one !== inHand && one.criterion.kind === "spans") : [];
  }

  /** All of a question is said. Whoever does something else at once stays: it was a slip, or there is more to say. */
  settled(question) {
    this.stay();
    this.leaving = setTimeout(() => this.passed(question), PAUSE);
  }

  stay() {
    clearTimeout(this.leaving);
  }

  /** Whoever points at something goes on from there. */
  pointed() {
    this.keyed = null;
  }

  /** On to the next question; after the last one the page goes on, where the segment stays in sight or nothing else is asked. */
  passed(question) {
    this.stay();
    question.control.flush?.();
    this.next(question);
    const isShort = this.isInline || this.questions.length === 1;
    if (isShort && this.wasOpen && !this.screen.practice && this.questions.every((one) => this.isAnswered(one))) this.onComplete();
  }

  giveUp(question) {
    if (this.isInline) this.cannotAny();
    else this.cannot(question);
  }

  move(event) {
    if (event.target.matches("input")) return false;
    const to = this.active + (event.key === "ArrowDown" ? 1 : -1);
    if (!this.questions[to]) return false;
    this.active = to;
    this.mark();
    this.questions[to].control.focus();
    return true;
  }

  /** What was undone is in hand again: keys that answered it must not go to the question that came after it. */
  giveBack(question) {
    const isElsewhere = this.questions.some((other) => other !== question && other.box.contains(document.activeElement));
    this.activate(question);
    if (isElsewhere && !question.control.isWritten) question.control.focus();
  }

  openRemarks() {
    this.remarks.open = true;
    this.remarks.scrollIntoView({ block: "nearest" });
    this.fields[0].field.focus();
  }

  flush() {
    this.stay();
    this.questions.forEach(({ control }) => control.flush?.());
    this.fields.forEach(({ field }) => field.flush());
  }

  firstOpen() {
    return this.questions.find((question) => question.criterion.required && !this.isAnswered(question));
  }

  /** Something to press beside the question that compares the texts. */
  besideComparison(button) {
    this.questions.find(({ criterion }) => criterion.kind === "pairwise")?.box.querySelector(".question-foot").prepend(button);
  }

  want(question) {
    question.box.classList.add("wanted");
    this.activate(question);
    question.control.focus();
    if (!this.isInline) question.box.scrollIntoView({ block: "center" });
  }
}
