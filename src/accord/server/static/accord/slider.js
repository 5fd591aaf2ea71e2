/** A continuous scale: nothing is shown and nothing is said before it is moved; zero is an answer. */

import { element, say } from "./dom.js";

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

class Slider {
  constructor({ criterion, onChange }) {
    this.onChange = onChange;
    this.low = criterion.low ?? 0;
    this.high = criterion.high ?? 100;
    this.input = element("input", {
      type: "range", min: this.low, max: this.high, step: this.high - this.low > 10 ? 1 : "any", class: "untouched",
      "aria-label": criterion.question,
      oninput: () => this.touch(), onchange: () => this.answer(), onpointerdown: () => this.touch(),
      onpointerup: () => this.answer(), onkeydown: (event) => this.firstKey(event),
    });
    this.number = element("output", { class: "slider-number", "aria-hidden": "true" });
    this.element = element("div", { class: "slider" }, this.input, this.number,
      element("div", { class: "slider-ends" },
        element("span", { dir: "auto" }, criterion.lowLabel), element("span", { dir: "auto" }, criterion.highLabel)),
      this.anchors(criterion.anchors));
    this.set(undefined);
  }

  anchors(anchors) {
    const entries = Object.entries(anchors).sort((a, b) => Number(a[0]) - Number(b[0]));
    if (!entries.length) return null;
    return element("dl", { class: "anchors" },
      ...entries.flatMap(([value, words]) => [element("dt", {}, value), element("dd", { dir: "auto" }, words)]));
  }

  /** The browser says nothing when a key asks for the value the hidden thumb already has. */
  firstKey(event) {
    const asked = event.key === "Home" ? this.low : event.key === "End" ? this.high : null;
    if (asked !== null) this.input.value = asked;
    else if (!(event.key in STEPS)) return;
    else if (this.isTouched) return;
    event.preventDefault();
    this.touch();
    this.answer();
  }

  get isTouched() {
    return !this.input.classList.contains("untouched");
  }

  touch() {
    this.input.classList.remove("untouched");
    this.show();
  }

  show() {
    const text = this.isTouched ? String(Math.round(this.input.valueAsNumber * 100) / 100) : "";
    this.number.textContent = text;
    this.input.setAttribute("aria-valuetext", this.isTouched ? text : say("not_answered"));
    this.input.dataset.filled = this.isTouched ? "yes" : "no";
  }

  answer() {
    this.touch();
    if (this.saved === this.input.valueAsNumber) return;
    this.saved = this.input.valueAsNumber;
    this.onChange(this.saved);
  }

  set(value) {
    const known = typeof value === "number";
    this.saved = known ? value : undefined;
    this.input.classList.toggle("untouched", !known);
    this.input.value = known ? value : (this.low + this.high) / 2;
    this.show();
  }

  focus() {
    this.input.focus({ preventScroll: true });
  }

  key(event) {
    if (!/^[0-9]$/.test(event.key)) return false;
    this.focus();
    return "focused";
  }
}

export function slider(options) {
  return new Slider(options);
}
