/** Answers one writes: a post-edited text, ranks of several texts. */

import { element, say } from "./dom.js";

const PAUSE = 700;

/** A field that reports after a short pause in typing, and at once when it is left. */
export class Field {
  constructor({ label, onChange, longest, rows = 3, language = "", className = "" }) {
    this.onChange = onChange;
    this.saved = "";
    this.timer = 0;
    this.input = element("textarea", {
      rows, maxlength: longest, dir: "auto", lang: language || undefined, class: className, "aria-label": label,
      oninput: () => this.later(), onblur: () => this.flush(),
    });
    this.element = this.input;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    if (this.input.value === this.saved) return;
    this.saved = this.input.value;
    this.onChange(this.saved);
  }

  set(text) {
    if (document.activeElement === this.input && this.input.value !== this.saved) return;
    this.saved = text ?? "";
    this.input.value = this.saved;
  }

  focus() {
    this.input.focus({ preventScroll: true });
  }

  key() {
    return false;
  }
}

/** The output itself is the start; leaving it as it is must be said, so that "not yet" is not "good as it is". */
class PostEdit {
  constructor({ criterion, texts, place, onChange, language }) {
    this.original = texts.targets[place ?? 0];
    this.field = new Field({ label: criterion.question, onChange, longest: 50_000, rows: 4, language, className: "post-edit" });
    this.same = element("button", { type: "button", class: "quiet", onclick: () => this.keep(onChange) }, say("good_as_is"));
    this.element = element("div", {}, this.field.element, this.same);
    this.set(undefined);
  }

  get isWritten() {
    return true;
  }

  keep(onChange) {
    this.field.set(this.original);
    this.same.setAttribute("aria-pressed", "true");
    onChange(this.original);
  }

  flush() {
    this.field.flush();
  }

  set(value) {
    this.field.set(value ?? this.original);
    this.same.setAttribute("aria-pressed", String(value === this.original));
  }

  focus() {
    this.field.focus();
  }

  key() {
    return false;
  }
}

export function postEdit(options) {
  return new PostEdit(options);
}

class Ranking {
  constructor({ criterion, onChange, letters }) {
    this.onChange = onChange;
    this.selects = letters.map((letter) => element("select", { onchange: () => this.change(), "aria-label": letter },
      element("option", { value: "" }, "–"),
      ...letters.map((_, place) => element("option", { value: place + 1 }, String(place + 1)))));
    this.ties = criterion.ties;
    this.element = element("div", { class: "ranking" },
      ...letters.map((letter, place) => element("label", {}, element("span", {}, letter), this.selects[place])));
  }

  change() {
    const ranks = this.selects.map((select) => Number(select.value));
    const whole = ranks.every((rank) => rank > 0) && (this.ties || new Set(ranks).size === ranks.length);
    this.onChange(whole ? ranks : null);
  }

  set(value) {
    this.selects.forEach((select, place) => {
      select.value = value?.[place] ?? "";
    });
  }

  focus() {
    this.selects[0].focus({ preventScroll: true });
  }

  key() {
    return false;
  }
}

export function ranking(options) {
  return new Ranking(options);
}
