/** A score: typed, moved by keys, or pointed at on a track with ticks at its anchors. */

import { element } from "./dom.js";
import { TypedNumber } from "./typed.js";

class Score extends TypedNumber {
  constructor({ criterion, ...more }) {
    const [low, high] = [criterion.low ?? 0, criterion.high ?? 100];
    super({ criterion, low, high, isWhole: high - low > 10, label: `${criterion.question} ${low}–${high}`, ...more });
    this.thumb = element("span", { class: "thumb" });
    this.fill = element("span", { class: "fill" });
    this.anchors = anchorsOf(criterion, low, high);
    this.rail = element("div", {
      class: "track", "aria-hidden": "true", onpointerdown: (event) => this.point(event), onpointermove: (event) => this.isPointing && this.follow(event),
      onpointerup: () => this.let(), onpointercancel: () => this.let(),
    }, this.fill, ...this.anchors.map(({ at }) => element("span", { class: "tick", style: { "--x": at } })), this.thumb);
    this.element = element("div", { class: "score" }, this.box, element("div", { class: "track-and-words" }, this.rail, this.words()));
    this.show();
  }

  /** A word stands under its tick: its cell reaches equally far to both sides; those of the ends begin and end there. */
  words() {
    return element("dl", { class: "anchors", style: { "--columns": columnsOf(this.anchors.map(({ at }) => at)) } },
      ...this.anchors.map(({ value, text }, place) => element("div", { style: { "--column": 2 * place + 1 } },
        element("dt", {}, value), text ? element("dd", { dir: "auto" }, text) : null)));
  }

  point(event) {
    event.preventDefault();
    this.rail.setPointerCapture(event.pointerId);
    this.isPointing = true;
    this.follow(event);
  }

  follow({ clientX }) {
    const { left, width } = this.rail.getBoundingClientRect();
    const raw = this.low + (this.high - this.low) * Math.min(1, Math.max(0, (clientX - left) / width));
    this.put(this.isWhole ? Math.round(raw) : Math.round(raw * 100) / 100);
  }

  let() {
    if (!this.isPointing) return;
    this.isPointing = false;
    this.flush();
    this.onSettled();
  }

  /** The first arrow goes to the middle. */
  firstStep() {
    return Math.round((this.low + this.high) / 2);
  }

  flush() {
    if (!this.isPointing) super.flush();
  }

  show(isShownInBox = true) {
    super.show(isShownInBox);
    const isEmpty = this.value === undefined;
    this.element.classList.toggle("untouched", isEmpty);
    this.rail.style.setProperty("--v", isEmpty ? 0 : (100 * (this.value - this.low)) / (this.high - this.low));
  }
}

/** Ticks with words: the anchors of the study, else both ends. */
function anchorsOf(criterion, low, high) {
  const given = Object.entries(criterion.anchors).map(([value, text]) => ({ value: Number(value), text }));
  const ends = [{ value: low, text: criterion.lowLabel }, { value: high, text: criterion.highLabel }];
  const missing = ends.filter((end) => !given.some(({ value }) => value === end.value));
  return [...given, ...missing].sort((a, b) => a.value - b.value).map((anchor) => ({ ...anchor, at: (100 * (anchor.value - low)) / (high - low) }));
}

/** Cells and the gaps between them, in shares of the track. Two ticks share what lies between; an end, whose cell has one side only, takes two thirds of it. */
function columnsOf(places) {
  const last = places.length - 1;
  const isEnd = (place) => place === 0 || place === last;
  const share = (place, other) => Math.abs(places[place] - places[other]) * (isEnd(place) === isEnd(other) ? 1 / 2 : isEnd(place) ? 2 / 3 : 1 / 3);
  const half = (place) => (isEnd(place) ? share(place, place ? last - 1 : 1) : Math.min(share(place, place - 1), share(place, place + 1)));
  const cells = places.map((at, place) => [place ? at - half(place) : at, place < last ? at + half(place) : at]);
  return cells.flatMap(([from, to], place) => [...(place ? [from - cells[place - 1][1]] : []), to - from]).map((width) => `${Math.max(0, width).toFixed(3)}fr`).join(" ");
}

export function score(options) {
  return new Score(options);
}
