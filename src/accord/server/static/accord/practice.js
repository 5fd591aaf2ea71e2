/** What is said after a practice answer: whether it was expected, and what would have been. */

import { element, say } from "./dom.js";
import { severityName } from "./marks.js";

function covers(mark, wanted) {
  return mark.side === wanted.side && mark.start < wanted.end && wanted.start < mark.end;
}

/** Found where one mark lies on the words and says of them what was expected. */
function isFound(marks, wanted) {
  return marks.some((mark) => covers(mark, wanted)
    && (wanted.severity === null || mark.severity === wanted.severity) && (wanted.category === null || mark.category === wanted.category));
}

/** Two sets of the same answers, in whatever order they were chosen. */
function isSame(given, expected) {
  return given.length === expected.length && [...given].sort().join("\n") === [...expected].sort().join("\n");
}

/** null where the study expects nothing in particular: then nobody is told that they are right. */
function isExpected({ marks, expected }, { kind }, value) {
  if (kind === "spans" && marks) {
    const isSpare = (mark) => !marks.some((wanted) => covers(mark, wanted));
    return marks.every((wanted) => isFound(value, wanted)) && !value.some(isSpare);
  }
  if (!expected || kind === "spans") return null;
  if (kind === "slider" || kind === "number") return Math.min(...expected) <= value && value <= Math.max(...expected);
  return kind === "categories" ? isSame(value, expected) : expected.includes(value);
}

/** The expected marks in words: what, how grave, which kind. */
function expectedMarks({ marks }, criterion) {
  if (!marks.length) return criterion.noneLabel || say("no_errors");
  return marks.map(({ text, severity, category }) => {
    const grave = criterion.severities.find(({ key }) => key === severity);
    const kind = category === null ? "" : criterion.labels[criterion.values.indexOf(category)] || category;
    return [`“${text}”`, [grave && severityName(grave), kind].filter(Boolean).join(", ")].filter(Boolean).join(": ");
  }).join("; ");
}

function expectedValues({ expected }, { kind, labels, values, noneLabel }) {
  if (!expected.length) return noneLabel || say("no_errors");
  if (kind === "slider" || kind === "number") return [...new Set([Math.min(...expected), Math.max(...expected)])].join(" – ");
  return expected.map((value) => labels[values.indexOf(value)] || value).join(kind === "categories" ? ", " : " / ");
}

/** `{ isRight, parts }` for the page, or null where there is nothing to say. */
export function feedback(practice, criterion, value) {
  const isRight = isExpected(practice, criterion, value);
  const parts = isRight === null ? [] : [element("strong", {}, say(isRight ? "practice_right" : "practice_other")), " "];
  if (isRight === false) {
    const wanted = criterion.kind === "spans" ? expectedMarks(practice, criterion) : expectedValues(practice, criterion);
    parts.push(element("span", { dir: "auto", class: "expected" }, say("practice_expected", { answer: wanted })), " ");
  }
  if (practice.feedback) parts.push(element("span", { dir: "auto" }, practice.feedback));
  return parts.length ? { isRight, parts } : null;
}
