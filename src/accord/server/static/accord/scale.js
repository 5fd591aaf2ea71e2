/** Answers one chooses from: a labelled scale, or the better of the texts shown. */

import { element, say } from "./dom.js";

/** The key that chooses an option: its own digit where all have one, else its place. */
export function keysOf(options) {
  const digits = options.every(({ value }) => Number.isInteger(value) && value >= 0 && value <= 9);
  return options.map(({ value }, place) => (digits ? String(value) : place < 9 ? String(place + 1) : ""));
}

export class Choice {
  constructor({ name, options, onChange, onSettled, label }) {
    Object.assign(this, { onChange, onSettled, options });
    this.keys = keysOf(options);
    const bare = options.every(({ label, value }) => label === String(value) && label.length < 4);
    const shape = bare ? "bare" : options.length > 4 || options.length % 2 || options.some(({ label }) => label.length > 16) ? "stacked" : "labelled";
    this.inputs = options.map(({ value }, place) => element("input", {
      type: "radio", name, value: String(place), onchange: () => this.choose(value),
      "aria-keyshortcuts": this.keys[place] || undefined,
    }));
    this.element = element("div", { class: `choices ${shape}`, role: "radiogroup", "aria-label": label },
      ...options.map((option, place) => this.row(option, place)));
    this.element.addEventListener("pointerdown", () => { this.isPointed = true; });
    this.element.addEventListener("keydown", () => { this.isPointed = false; });
  }

  /** What is pointed at is said; arrows only pass from one to the next. */
  choose(value) {
    this.onChange(value);
    if (this.isPointed) this.onSettled();
  }

  row({ label, value }, place) {
    const bare = label === String(value) && this.keys[place] === label;
    return element("label", { class: "choice" }, this.inputs[place],
      this.keys[place] ? element("kbd", { "aria-hidden": "true" }, this.keys[place]) : null,
      element("span", { dir: "auto", class: bare ? "unseen" : "choice-label" }, label));
  }

  set(value) {
    this.inputs.forEach((input, place) => {
      input.checked = value !== undefined && value !== null && this.options[place].value === value;
    });
  }

  get isLeftByTab() {
    return true;
  }

  focus() {
    (this.inputs.find((input) => input.checked) ?? this.inputs[0]).focus({ preventScroll: true });
  }

  key(event) {
    const place = this.keys.indexOf(event.key);
    if (place < 0) return false;
    this.inputs[place].checked = true;
    // Where the focus is here already it goes along: a ring left on another option looks like a second choice.
    if (this.element.contains(document.activeElement)) this.focus();
    this.onChange(this.options[place].value);
    return "answered";
  }
}

export function scale({ criterion, ...more }) {
  const options = criterion.values.map((value, place) => ({ value, label: criterion.labels[place] || String(value) }));
  return new Choice({ options, label: criterion.question, ...more });
}

export function pairwise({ criterion, letters, ...more }) {
  const options = letters.map((letter, place) => ({ value: place, label: say("prefer", { text: letter }) }));
  if (criterion.ties) options.splice(1, 0, { value: "tie", label: say("tie") });
  return new Choice({ options, label: criterion.question, ...more });
}
