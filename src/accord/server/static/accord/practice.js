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

function isExpected(practice, value) {
  if (!practice.marks) return !practice.expected.length || practice.expected.includes(value);
  const isSpare = (mark) => !practice.marks.some((wanted) => covers(mark, wanted));
  return practice.marks.every((wanted) => isFound(value, wanted)) && !value.some(isSpare);
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

function expectedValues({ expected }, criterion) {
  return expected.map((value) => criterion.labels[criterion.values.indexOf(value)] || value).join(" / ");
}

/** `{ isRight, parts }` for the page. */
export function feedback(practice, criterion, value) {
  const isRight = isExpected(practice, value);
  const wanted = practice.marks ? expectedMarks(practice, criterion) : expectedValues(practice, criterion);
  const parts = [element("strong", {}, say(isRight ? "practice_right" : "practice_other"))];
  if (!isRight) parts.push(" ", element("span", { dir: "auto", class: "expected" }, say("practice_expected", { answer: wanted })));
  if (practice.feedback) parts.push(" ", element("span", { dir: "auto" }, practice.feedback));
  return { isRight, parts };
}
