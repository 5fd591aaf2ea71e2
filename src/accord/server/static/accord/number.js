/** An open number: typed, or counted up and down; empty until touched. */

import { element, say } from "./dom.js";

const PAUSE = 700;
const TYPING = 1500;

class OpenNumber {
  constructor({ criterion, onChange }) {
    Object.assign(this, { onChange, low: criterion.low ?? 0, high: criterion.high ?? Infinity });
    this.value = this.saved = undefined;
    this.typed = "";
    this.box = element("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", role: "spinbutton", class: "score-box", "data-keys": "through",
      "aria-label": criterion.question, "aria-valuemin": this.low, "aria-valuemax": Number.isFinite(this.high) ? this.high : undefined,
      oninput: () => this.fromBox(), onblur: () => this.flush(), onkeydown: (event) => this.fromKey(event), onfocus: () => this.box.select(),
    });
    const step = (by, sign, words) => element("button", { type: "button", class: "step", "aria-label": words, "aria-keyshortcuts": sign === "−" ? "-" : sign, onclick: () => this.step(by) }, sign);
    this.element = element("div", { class: "open-number" }, step(-1, "−", say("one_fewer")), this.box, step(1, "+", say("one_more")),
      criterion.unit ? element("span", { class: "soft", dir: "auto" }, criterion.unit) : null);
    this.show();
  }

  get takesDigits() {
    return true;
  }

  /** The first press of either button is the lowest number: what is counted begins there. */
  step(by) {
    this.put(this.value === undefined ? this.low + Math.max(0, by) : Math.min(this.high, Math.max(this.low, this.value + by)));
  }

  fromBox() {
    const text = this.box.value.trim().replace(",", ".");
    const number = Number(text);
    const isGood = text !== "" && Number.isFinite(number) && this.low <= number && number <= this.high;
    this.box.setAttribute("aria-invalid", String(text !== "" && !isGood));
    if (isGood) this.put(number, false);
    else clearTimeout(this.timer);
  }

  fromKey(event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by) this.step(by);
    else if (!/^[\d.,]$|^(Backspace|Delete|Tab|ArrowLeft|ArrowRight)$/.test(event.key)) return;
    event.stopPropagation();
    if (by) event.preventDefault();
  }

  put(number, isShownInBox = true) {
    this.value = number;
    this.show(isShownInBox);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    if (this.value === this.saved) return;
    this.saved = this.value;
    this.onChange(this.value);
  }

  show(isShownInBox = true) {
    const text = this.value === undefined ? "" : String(this.value);
    if (isShownInBox) this.box.value = text;
    if (isShownInBox) this.box.removeAttribute("aria-invalid");
    this.box.setAttribute("aria-valuetext", text || say("not_answered"));
  }

  set(value) {
    clearTimeout(this.timer);
    this.value = this.saved = typeof value === "number" ? value : undefined;
    this.typed = "";
    this.show();
  }

  focus() {
    this.box.focus({ preventScroll: true });
  }

  /** Digits from anywhere on the page follow each other for a moment; plus and minus count. */
  key(event) {
    if (event.ctrlKey || event.metaKey) return false;
    const by = { "+": 1, "-": -1 }[event.key];
    if (by) this.step(by);
    else if (/^[0-9]$/.test(event.key)) {
      const now = performance.now();
      this.typed = now - (this.typedAt ?? -TYPING) < TYPING ? this.typed + event.key : event.key;
      this.typedAt = now;
      const number = Number(this.typed);
      if (this.low <= number && number <= this.high) this.put(number);
    } else return false;
    return "changed";
  }
}

export function openNumber(options) {
  return new OpenNumber(options);
}
