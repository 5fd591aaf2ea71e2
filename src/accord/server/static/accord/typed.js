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

  get isLeftByTab() {
    return true;
  }

  isOnScale(number) {
    return this.low <= number && number <= this.high;
  }

  /** Why what stands in the box is no answer; "" where it is one, or where the box is empty. */
  get problem() {
    if (this.box.getAttribute("aria-invalid") !== "true") return "";
    return this.high === Infinity ? say("from_on", { low: this.low }) : say("from_to", { low: this.low, high: this.high });
  }

  fromBox() {
    const text = this.box.value.trim().replace(",", ".");
    const number = Number(text);
    const isGood = text !== "" && Number.isFinite(number) && this.isOnScale(number);
    this.box.setAttribute("aria-invalid", String(text !== "" && !isGood));
    this.put(isGood ? number : undefined, false); // what is not in the box is not the answer
    if (isGood) this.settleIfWhole(text);
  }

  /** In the box digits are typed as ever; arrows change the number; letters are keys of the page. */
  fromKey(event) {
    if (event.repeat && /^\d$/.test(event.key)) event.preventDefault(); // a key that is held down is one digit
    const step = STEPS[event.key];
    const end = { Home: this.low, End: this.high }[event.key];
    const isEnd = Number.isFinite(end);
    if (step !== undefined) this.step(step);
    else if (isEnd) this.put(end);
    else if (!/^[\d.,-]$|^(Backspace|Delete|ArrowLeft|ArrowRight)$/.test(event.key)) return;
    event.stopPropagation();
    if (step !== undefined || isEnd) event.preventDefault();
  }

  step(by) {
    this.put(this.value === undefined ? this.firstStep(by) : Math.min(this.high, Math.max(this.low, this.value + by)));
  }

  /**
   * A digit from anywhere on the page goes on the number being typed, however slowly, as long as that is on the scale.
   * After a long pause it may have been meant as a new number: then the rater says when it is right.
   */
  type(digit) {
    const now = performance.now();
    const isSlow = this.typed !== "" && now - this.typedAt > TYPING;
    const longer = this.typed + digit;
    const typed = Number(longer) <= this.high ? longer : digit;
    if (this.isOnScale(Number(typed))) this.put(Number(typed));
    Object.assign(this, { typed, typedAt: now });
    if (this.isOnScale(Number(typed)) && !isSlow) this.settleIfWhole(typed);
  }

  /** The last digit that was typed is taken back. */
  rub() {
    const typed = this.typed.slice(0, -1);
    this.put(typed !== "" && this.isOnScale(Number(typed)) ? Number(typed) : undefined);
    this.typed = typed;
  }

  /** 87 of 100 cannot go on; 8 and 10 can. */
  settleIfWhole(text) {
    if (this.isWhole && /^[1-9]\d*$/.test(text) && Number(`${text}0`) > this.high) this.onSettled();
  }

  put(number, isShownInBox = true) {
    this.value = number;
    this.typed = ""; // only digits from anywhere go on what is there
    this.show(isShownInBox);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    if (this.value === this.saved) return;
    this.saved = this.value;
    this.onChange(this.value ?? null);
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
    if (event.ctrlKey || event.metaKey) return false;
    if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Backspace" && this.typed !== "") this.rub();
    else return false;
    return "changed";
  }
}
