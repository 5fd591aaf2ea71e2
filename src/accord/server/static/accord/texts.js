/** The texts of a screen: a sentence alone, a sentence in its document, or the whole document. */

import { element, say } from "./dom.js";
import { Markable } from "./markable.js";

export function letter(place) {
  return say("text_letter", { letter: "ABCDEFGHIJ"[place] });
}

/**
 * `rows` are the segments, `current` the one in question (null for all).
 * Returns the element and the texts that can be marked, by side.
 */
export function drawTexts({ screen, rows, family, study, markedSides, onVisit, done }) {
  const markables = {};
  const draw = (side, text, isCurrent, place) => {
    const language = side === "source" ? study.sourceLanguage : study.targetLanguage;
    const wanted = isCurrent && markedSides.includes(side) && (side === "source" || place === 0);
    if (!wanted) return element("div", { class: `text ${side}`, dir: "auto", lang: language || undefined }, text);
    markables[side] = new Markable({ text, side, language, className: `text ${side}`, label: say(side) });
    markables[side].setLive(true);
    return markables[side].element;
  };
  const isWhole = screen.row === null;
  const body = rows.length === 1
    ? [drawRow(rows[0], true, draw, "alone")]
    : rows.map((row, place) => drawSegment({ row, place, screen, family, draw, onVisit, done, isWhole }));
  const list = rows.length === 1
    ? element("div", { class: "texts alone" }, ...body)
    : element("div", { class: isWhole ? "texts document whole" : "texts document", tabindex: "0", role: "region", "aria-label": say("document") },
        element("ol", {}, ...body));
  return { element: list, markables };
}

function drawRow(row, isCurrent, draw, className) {
  const several = row.targets.length > 1;
  return element("div", { class: `row ${className} ${several ? "several" : ""}` },
    row.source ? block("source", draw("source", row.source, isCurrent, 0)) : null,
    row.reference ? block("reference", draw("reference", row.reference, false, 0)) : null,
    row.postEdit ? block("post_edit", draw("post_edit", row.postEdit, false, 0)) : null,
    element("div", { class: "targets" }, ...row.targets.map((text, place) => block(
      several ? null : "target", draw("target", text, isCurrent, place), several ? letter(place) : null))));
}

function block(side, content, heading = null) {
  return element("section", { class: `block ${side ?? "target"}` }, element("h3", {}, heading ?? say(side)), content);
}

function drawSegment({ row, place, screen, family, draw, onVisit, done, isWhole }) {
  const isCurrent = place === screen.row;
  const visit = family[place] ?? undefined; // null: not one of this rater's tasks
  const number = visit === undefined || isCurrent || isWhole
    ? element("span", { class: "number" }, String(place + 1))
    : element("button", {
        type: "button", class: done(visit) ? "number done" : "number", onclick: () => onVisit(visit),
        "aria-label": say("go_to_segment", { number: place + 1 }),
      }, String(place + 1));
  return element("li", { class: isCurrent ? "segment current" : "segment", "aria-current": isCurrent ? "true" : undefined },
    number, drawRow(row, isCurrent || isWhole, draw, ""));
}
