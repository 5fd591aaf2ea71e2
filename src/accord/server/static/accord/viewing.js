/** What must be seen is in sight: the sentence in a text that scrolls by itself, the segment on a page that scrolls. */

/** Only the text scrolls. Sizes of unseen sentences are guesses: again. */
export function center(box, again = 5) {
  const text = box.firstElementChild;
  const sentence = text?.querySelector(".segment.current");
  if (!sentence || text.matches(".doc")) return;
  text.scrollTop = sentence.offsetTop - (text.clientHeight - sentence.offsetHeight) / 2;
  if (again) requestAnimationFrame(() => center(box, again - 1));
}

/** Where the part of the window ends on which nothing lies: on a phone the score stands on the dock. */
function floor() {
  const score = document.querySelector(".current .question.slider");
  const isLaid = score && getComputedStyle(score).position === "fixed";
  return (isLaid ? score : document.querySelector(".dock")).getBoundingClientRect().top;
}

/** With room above for the bar, as long as the segment itself fits; the page only moves if it must. */
export function comfortably(row, again = 3) {
  const top = document.querySelector(".top").getBoundingClientRect().bottom;
  const bottom = floor();
  const box = row.getBoundingClientRect();
  const spare = bottom - top - box.height - 8;
  const room = Math.max(8, Math.min(190, spare));
  const wanted = Math.max(room, Math.min(spare, (bottom - top) * 0.3));
  if (box.top < top + room || box.bottom > bottom - 8) scrollBy(0, box.top - top - wanted);
  if (again) requestAnimationFrame(() => comfortably(row, again - 1));
}
