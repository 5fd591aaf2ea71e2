/** A number that is typed, in its box or by digits from anywhere on the page; empty until touched. Zero is an answer. */

import { element, say } from "./dom.js";

const STEPS = { ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const PAUSE = 700;
const TYPING = 1500;

export class TypedNumber {
  /** `isWhole`: only whole numbers are meant, so that a number no digit can follow is all that is said. */
  constructor({ criterion, onChange, onSettled = () => {}, low, high, isWhole, label }) {
    Object.assign(this, { onChange, onSettled, low, high, isWhole });
    this.value = this.saved = undefined;
    this.typed = "";
    this.box = element("input", {
      type: "text", inputmode: isWhole ? "numeric" : "decimal", autocomplete: "off", class: "score-box", "data-keys": "through",
      "aria-label": label ?? criterion.question,
      oninput: () => this.fromBox(), onblur: () => this.flush(), onkeydown: (event) => this.fromKey(event), onfocus: () => this.box.select(),
    });
  }

  get takesDigits() {
    return true;
  }

  isOnScale(number) {
    return this.low <= number && number <= this.high;
  }

  fromBox() {
    const text = this.box.value.trim().replace(",", ".");
    const number = Number(text);
    const isGood = text !== "" && Number.isFinite(number) && this.isOnScale(number);
    this.box.setAttribute("aria-invalid", String(text !== "" && !isGood));
    if (isGood) this.put(number, false);
    else clearTimeout(this.timer);
    if (isGood) this.settleIfWhole(text);
  }

  /** In the box digits are typed as ever; arrows change the number; letters are keys of the page. */
  fromKey(event) {
    const step = STEPS[event.key];
    const end = { Home: this.low, End: this.high }[event.key];
    const isEnd = Number.isFinite(end);
    if (step !== undefined) this.step(step);
    else if (isEnd) this.put(end);
    else if (!/^[\d.,-]$|^(Backspace|Delete|Tab|ArrowLeft|ArrowRight)$/.test(event.key)) return;
    event.stopPropagation();
    if (step !== undefined || isEnd) event.preventDefault();
  }

  step(by) {
    this.put(this.value === undefined ? this.firstStep(by) : Math.min(this.high, Math.max(this.low, this.value + by)));
  }

  /** A digit from anywhere on the page: with the ones before it, as long as that is on the scale. */
  type(digit) {
    const now = performance.now();
    const longer = now - (this.typedAt ?? -TYPING) < TYPING ? this.typed + digit : digit;
    this.typed = Number(longer) <= this.high ? longer : digit;
    this.typedAt = now;
    const number = Number(this.typed);
    if (!this.isOnScale(number)) return;
    this.put(number);
    this.settleIfWhole(this.typed);
  }

  /** 87 of 100 cannot go on; 8 and 10 can. */
  settleIfWhole(text) {
    if (this.isWhole && /^[1-9]\d*$/.test(text) && Number(`${text}0`) > this.high) this.onSettled();
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
    this.tell(text);
  }

  /** An empty box is a field to type in: as a number without a value, screen readers would call it 0. */
  tell(text) {
    const number = { role: "spinbutton", "aria-valuemin": this.low, "aria-valuemax": this.high, "aria-valuenow": text, "aria-valuetext": text };
    for (const [name, value] of Object.entries(number)) {
      if (text && value !== Infinity) this.box.setAttribute(name, value);
      else this.box.removeAttribute(name);
    }
    if (text) this.box.removeAttribute("aria-description");
    else this.box.setAttribute("aria-description", say("not_answered"));
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

  key(event) {
    if (!/^[0-9]$/.test(event.key) || event.ctrlKey || event.metaKey) return false;
    this.type(event.key);
    return "changed";
  }
}
