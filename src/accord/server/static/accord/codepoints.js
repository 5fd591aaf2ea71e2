/** Offsets are half-open and count Unicode code points, while the browser counts UTF-16 units. */

export function length(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function fromUnits(text, units) {
  return length(text.slice(0, units));
}

export function slice(points, start, end) {
  return points.slice(start, end).join("");
}

/** Places where a selection may begin or end by words: [start, end) in code points, gaps included. */
export function words(text, language = undefined) {
  const pieces = [];
  let place = 0;
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
    const end = place + length(segment);
    pieces.push({ start: place, end, isWord: isWordLike || /\S/u.test(segment) });
    place = end;
  }
  return pieces;
}

/** Characters as people see them: an emoji with its modifiers or a letter with its accents is one. */
export function graphemeEnds(text, language = undefined) {
  const ends = [0];
  for (const { segment } of new Intl.Segmenter(language, { granularity: "grapheme" }).segment(text)) {
    ends.push(ends[ends.length - 1] + length(segment));
  }
  return ends;
}

/** Whether words stand apart: between letters of scripts without spaces a word is a guess, and a character is not. */
export function hasSpaces(text) {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(text);
}
