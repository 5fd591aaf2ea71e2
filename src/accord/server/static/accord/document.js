/** A document on one page: source and target side by side, each segment with its marks and score, one of them in hand. */

import { element, say } from "./dom.js";
import { Markable } from "./markable.js";
import { drawable, prefilledOf } from "./marks.js";

export class DocumentPage {
  /** `screens` are those of the rows, null where a row is only read; `answerTo(screen, question)`; `onVisit(row)`; `onStand()`: no errors in the row in hand. */
  constructor({ rows, screens, questions, study, markedSides, answerTo, isFlagged, isHeld, onVisit, onStand }) {
    Object.assign(this, { screens, questions, study, markedSides, answerTo, isFlagged, isHeld, onVisit, onStand });
    this.rows = rows.map((row, place) => this.row(row, place));
    this.current = null;
    this.element = element("ol", { class: "doc", "aria-label": say("document") }, ...this.rows.map(({ element: li }) => li));
  }

  row(texts, place) {
    const isOwn = Boolean(this.screens[place]);
    const markables = {};
    const draw = (side, text) => {
      const language = side === "source" ? this.study.sourceLanguage : this.study.targetLanguage;
      if (!isOwn || !this.markedSides.includes(side)) return element("div", { class: `text ${side}`, dir: "auto", lang: language || undefined }, text);
      markables[side] = new Markable({ text, side, language, className: `text ${side}`, label: say(side) });
      return markables[side].element;
    };
    const number = isOwn
      ? element("button", { type: "button", class: "number", "aria-label": say("go_to_segment", { number: place + 1 }) }, String(place + 1))
      : element("span", { class: "number" }, String(place + 1));
    const beside = [texts.source && draw("source", texts.source), texts.reference && labelled("reference", draw("reference", texts.reference)),
      texts.postEdit && labelled("post_edit", draw("post_edit", texts.postEdit))].filter(Boolean);
    const summary = element("p", { class: "summary" });
    const targets = draw("target", texts.targets[0]);
    const li = element("li", { class: isOwn ? "segment" : "segment read", onclick: (event) => this.tapped(event, place) }, number,
      beside.length ? element("div", { class: "beside" }, ...beside) : null, element("div", { class: "judged" }, targets), summary);
    const row = { element: li, markables, number, summary, texts, li };
    if (isOwn) this.rest(row, place);
    return row;
  }

  /** A row that is not in hand: words dragged over bring it into hand, and are selected there. */
  rest(row, place) {
    for (const markable of Object.values(row.markables)) {
      markable.setLive(false);
      markable.onTap = () => this.current !== place;
      markable.onSelect = (found) => {
        this.onVisit(place);
        this.rows[place].markables[found.side].onSelect(found);
      };
      markable.onOpen = () => this.onVisit(place);
    }
    this.refresh(place, row);
  }

  /** A tap anywhere on a row brings it into hand. */
  tapped(event, place) {
    if (place !== this.current && this.screens[place] && getSelection().isCollapsed) this.onVisit(place);
    else if (event.target.closest("button.number") && this.screens[place]) this.rows[place].li.scrollIntoView({ block: "center" });
  }

  /** Bring a row into hand; `panel` are its questions. Where the row stood on the screen, it stays. */
  focus(place, panel, { keepStill }) {
    const row = this.rows[place];
    const before = row.li.getBoundingClientRect().top;
    if (this.current !== null && this.current !== place) this.leave(this.current);
    this.current = place;
    row.li.classList.add("current");
    row.li.setAttribute("aria-current", "true");
    row.li.tabIndex = -1;
    row.under?.remove();
    row.under = element("div", { class: "under" }, panel);
    row.li.append(row.under);
    for (const markable of Object.values(row.markables)) markable.setLive(true);
    this.refresh(place);
    if (keepStill) scrollBy(0, row.li.getBoundingClientRect().top - before);
  }

  leave(place) {
    const row = this.rows[place];
    row.li.classList.remove("current");
    row.li.removeAttribute("aria-current");
    row.li.removeAttribute("tabindex");
    row.under?.remove();
    this.rest(row, place);
  }

  /** The marks and the score of a row that is not in hand; the one in hand draws its own. */
  refresh(place, row = this.rows[place]) {
    const screen = this.screens[place];
    if (!screen) return;
    const told = this.questions(screen).map((question) => ({
      question, answer: this.answerTo(screen, question), prefilled: question.criterion.kind === "spans" ? prefilledOf(screen, question.criterion) : [],
    }));
    if (this.current !== place) {
      for (const { question, answer, prefilled } of told.filter(({ question: { criterion } }) => criterion.kind === "spans")) {
        const marks = answer?.value ?? (answer?.cannot ? [] : prefilled);
        for (const [side, markable] of Object.entries(row.markables)) markable.show(drawable(question.criterion, marks, side, !answer), null);
      }
    }
    const isDone = told.every(({ question, answer }) => answer && (answer.cannot || answer.value !== null || !question.criterion.required));
    row.number.classList.toggle("done", isDone && !this.isHeld(screen));
    row.number.classList.toggle("held", this.isHeld(screen));
    row.number.classList.toggle("flagged", this.isFlagged(screen));
    row.summary.replaceChildren(...(this.current !== place && isOnlyToMark(told) ? [this.flawless(place)] : summaryOf(told)));
  }

  /** Nothing to mark in a row that asks nothing else: said where it stands, without a way there and back. */
  flawless(place) {
    const stand = (event) => {
      event.stopPropagation();
      this.onVisit(place);
      this.onStand();
    };
    return element("button", { type: "button", class: "quiet flawless", "aria-label": `${place + 1}: ${say("no_errors")}`, title: say("no_errors"), onclick: stand }, "✓");
  }

  /** Texts and the whole row, for whoever must not cover them. */
  anchor(place) {
    const { li, under } = this.rows[place];
    const box = li.getBoundingClientRect();
    const foot = under?.getBoundingClientRect().top ?? box.bottom;
    return { row: box, texts: { bottom: foot } };
  }
}

/** Marks are all that is asked, and nothing is marked yet. */
function isOnlyToMark(told) {
  return told.every(({ question, answer, prefilled }) => question.criterion.kind === "spans" && !answer && !prefilled.length);
}

function labelled(side, text) {
  return element("div", { class: `block ${side}` }, element("h3", {}, say(side)), text);
}

/** "52, 1 mark": the score large, the marks small; a dash before anything is said. */
function summaryOf(told) {
  const large = [];
  const small = [];
  for (const { question: { criterion }, answer, prefilled } of told) {
    if (!answer && prefilled.length) small.push(say("suggested", { number: prefilled.length }));
    if (!answer) continue;
    if (answer.cannot) small.push(say("cannot_short"));
    else if (criterion.kind === "spans" && answer.value) small.push(marksIn(answer.value.length));
    else if (criterion.kind === "post_edit" && answer.value !== null) small.push(say("edited"));
    else if (answer.value !== null && !Array.isArray(answer.value)) large.push(criterion.kind === "scale" ? criterion.labels[criterion.values.indexOf(answer.value)] || answer.value : answer.value);
  }
  const said = [...new Set(small)].join(", ");
  if (!large.length && !said) return ["–"];
  return [...(large.length ? [element("b", {}, large.join(" · "))] : []), ...(said ? [element("small", {}, said)] : [])];
}

function marksIn(number) {
  if (number === 0) return say("no_errors");
  return say(number === 1 ? "one_mark" : "some_marks", { number });
}
