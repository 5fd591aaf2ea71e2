/** A score: typed, moved by keys, or pointed at; nothing is shown and nothing is said before the first touch. Zero is an answer. */

import { element, say } from "./dom.js";

const STEPS = { ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const PAUSE = 700;
const TYPING = 1500;

class Score {
  constructor({ criterion, onChange, onPointed = () => {} }) {
    Object.assign(this, { onChange, onPointed, low: criterion.low ?? 0, high: criterion.high ?? 100 });
    this.isWhole = this.high - this.low > 10;
    this.value = this.saved = undefined;
    this.typed = "";
    this.box = element("input", {
      type: "text", inputmode: this.isWhole ? "numeric" : "decimal", autocomplete: "off", role: "spinbutton", class: "score-box", "data-keys": "through",
      "aria-label": `${criterion.question} ${this.low}–${this.high}`, "aria-valuemin": this.low, "aria-valuemax": this.high,
      oninput: () => this.fromBox(), onblur: () => this.flush(), onkeydown: (event) => this.fromKey(event), onfocus: () => this.box.select(),
    });
    this.thumb = element("span", { class: "thumb" });
    this.fill = element("span", { class: "fill" });
    this.anchors = anchorsOf(criterion, this.low, this.high);
    this.rail = element("div", {
      class: "track", "aria-hidden": "true", onpointerdown: (event) => this.point(event), onpointermove: (event) => this.isPointing && this.follow(event),
      onpointerup: () => this.let(), onpointercancel: () => this.let(),
    }, this.fill, ...this.anchors.map(({ at }) => element("span", { class: "tick", style: { "--x": at } })), this.thumb);
    this.element = element("div", { class: "score" }, this.box, element("div", { class: "track-and-words" }, this.rail, this.words()));
    this.show();
  }

  /** A word stands under its tick: a cell reaches half way to the next. */
  words() {
    const places = this.anchors.map(({ at }) => at);
    const edges = [0, ...places.slice(1).map((at, place) => (at + places[place]) / 2), 100];
    const widths = edges.slice(1).map((edge, place) => `${edge - edges[place]}fr`).join(" ");
    return element("dl", { class: "anchors", style: { "--columns": widths } },
      ...this.anchors.map(({ value, text }) => element("div", {}, element("dt", {}, value), text ? element("dd", { dir: "auto" }, text) : null)));
  }

  get takesDigits() {
    return true;
  }

  point(event) {
    event.preventDefault();
    clearTimeout(this.pointed);
    this.rail.setPointerCapture(event.pointerId);
    this.isPointing = true;
    this.follow(event);
  }

  follow({ clientX }) {
    const { left, width } = this.rail.getBoundingClientRect();
    const raw = this.low + (this.high - this.low) * Math.min(1, Math.max(0, (clientX - left) / width));
    this.put(this.isWhole ? Math.round(raw) : Math.round(raw * 100) / 100);
  }

  /** Whoever points again at once corrects it. */
  let() {
    this.isPointing = false;
    this.flush();
    this.pointed = setTimeout(() => this.onPointed(), PAUSE);
  }

  fromBox() {
    const text = this.box.value.trim().replace(",", ".");
    const number = Number(text);
    const isGood = text !== "" && Number.isFinite(number) && this.low <= number && number <= this.high;
    this.box.setAttribute("aria-invalid", String(text !== "" && !isGood));
    if (isGood) this.put(number, false);
    else clearTimeout(this.timer);
  }

  /** In the box digits are typed as ever; arrows change the number; letters are keys of the page. */
  fromKey(event) {
    const step = STEPS[event.key];
    const end = { Home: this.low, End: this.high }[event.key];
    if (step !== undefined) this.put(this.value === undefined ? this.middle : Math.min(this.high, Math.max(this.low, this.value + step)));
    else if (end !== undefined) this.put(end);
    else if (!/^[\d.,-]$|^(Backspace|Delete|Tab|ArrowLeft|ArrowRight)$/.test(event.key)) return;
    event.stopPropagation();
    if (step !== undefined || end !== undefined) event.preventDefault();
  }

  get middle() {
    return Math.round((this.low + this.high) / 2);
  }

  /** A digit from anywhere on the page: with the one before it, as long as that is on the scale. */
  type(digit) {
    const now = performance.now();
    const longer = now - (this.typedAt ?? -TYPING) < TYPING ? this.typed + digit : digit;
    this.typed = Number(longer) <= this.high ? longer : digit;
    this.typedAt = now;
    const number = Number(this.typed);
    if (this.low <= number && number <= this.high) this.put(number);
  }

  put(number, isShownInBox = true) {
    this.value = number;
    this.show(isShownInBox);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    clearTimeout(this.pointed);
    if (this.isPointing || this.value === this.saved) return;
    this.saved = this.value;
    this.onChange(this.value);
  }

  show(isShownInBox = true) {
    const isEmpty = this.value === undefined;
    const text = isEmpty ? "" : String(this.value);
    if (isShownInBox) this.box.value = text;
    if (isShownInBox) this.box.removeAttribute("aria-invalid");
    this.element.classList.toggle("untouched", isEmpty);
    this.rail.style.setProperty("--v", isEmpty ? 0 : (100 * (this.value - this.low)) / (this.high - this.low));
    this.box.setAttribute("aria-valuetext", isEmpty ? say("not_answered") : text);
    if (isEmpty) this.box.removeAttribute("aria-valuenow");
    else this.box.setAttribute("aria-valuenow", text);
  }

  set(value) {
    clearTimeout(this.timer);
    clearTimeout(this.pointed);
    this.value = this.saved = typeof value === "number" ? value : undefined;
    this.typed = "";
    this.show();
  }

  focus() {
    this.box.focus({ preventScroll: true });
  }

  key(event) {
    if (!/^[0-9]$/.test(event.key) || event.ctrlKey || event.metaKey) return false;
    this.type(event.key);
    return "changed";
  }
}

/** Ticks with words: the anchors of the study, else both ends. */
function anchorsOf(criterion, low, high) {
  const given = Object.entries(criterion.anchors).map(([value, text]) => ({ value: Number(value), text }));
  const ends = [{ value: low, text: criterion.lowLabel }, { value: high, text: criterion.highLabel }];
  const missing = ends.filter((end) => !given.some(({ value }) => value === end.value));
  return [...given, ...missing].sort((a, b) => a.value - b.value).map((anchor) => ({ ...anchor, at: (100 * (anchor.value - low)) / (high - low) }));
}

export function score(options) {
  return new Score(options);
}
