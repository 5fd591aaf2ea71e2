/** Marks as data: what they lie on, what they are called, and the keys that say so. A mark is never changed, only replaced. */

import { say } from "./dom.js";

/** "Major: the meaning is changed" is a name and an explanation. */
export function nameAndWhy({ label, key }) {
  const [name, ...why] = (label || key).split(": ");
  return { name, why: why.join(": ") };
}

export function severityName(severity) {
  return nameAndWhy(severity).name;
}

/** A letter for each name: one of its own where it is free, else any; `taken` are keys with another meaning. */
export function lettersFor(names, taken = []) {
  const free = new Set([..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => !taken.includes(letter)));
  return names.map((name) => {
    const letter = [...String(name).toLowerCase()].find((one) => free.has(one)) ?? [...free][0] ?? "";
    free.delete(letter);
    return letter;
  });
}

export function categoryName(criterion, mark) {
  if (mark.category === undefined || mark.category === null) return mark.omission ? say("omission") : "";
  return criterion.labels[criterion.values.indexOf(mark.category)] || String(mark.category);
}

export function severityOf(criterion, mark) {
  return criterion.severities.find(({ key }) => key === mark.severity);
}

export function groundOf(criterion, mark) {
  return severityOf(criterion, mark)?.ground ?? "minor";
}

/** "Minor, style": what is said of a mark. */
export function saidOf(criterion, mark) {
  const severity = severityOf(criterion, mark);
  return [severity && severityName(severity), categoryName(criterion, mark)].filter(Boolean).join(", ");
}

/** Three letters beside the marked words. */
export function shortOf(criterion, mark) {
  return mark.omission ? "" : Array.from(categoryName(criterion, mark)).slice(0, 3).join("");
}

/** How texts draw the marks of a side. */
export function drawable(criterion, marks, side, isSuggested = false) {
  return marks.map((mark, at) => ({ ...mark, at, isSuggested, ground: groundOf(criterion, mark), short: shortOf(criterion, mark) }))
    .filter((mark) => mark.side === side);
}

/** What is saved of a mark: nothing that only the page needs. */
export function bare({ side, start, end, severity, category, omission, prefilled }) {
  const mark = { side, start, end };
  if (omission) mark.omission = true;
  if (category !== undefined && category !== null) mark.category = category;
  if (severity !== undefined && severity !== null) mark.severity = severity;
  if (prefilled !== undefined) mark.prefilled = prefilled; // which of the marks that stood there beforehand
  return mark;
}

/** The marks that stand in a text before its rater begins, each with its number. */
export function prefilledOf(screen, criterion) {
  return (screen.prefilled?.[criterion.key] ?? []).map((mark, prefilled) => ({ ...mark, prefilled }));
}

/** Two marks for one, at a place inside it. */
export function split(mark, place) {
  return [{ ...mark, end: place }, { ...mark, start: place }];
}
