/** Answers one writes: a comment, a post-edited text. */

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
  constructor({ criterion, texts, place, onChange, onSettled, language }) {
    Object.assign(this, { onChange, onSettled });
    this.original = texts.targets[place ?? 0];
    this.field = new Field({ label: criterion.question, onChange, longest: 50_000, rows: 4, language, className: "post-edit" });
    this.same = element("button", { type: "button", class: "tool", "aria-keyshortcuts": "0", onclick: () => this.keep() },
      say("good_as_is"), " ", element("kbd", { "aria-hidden": "true" }, "0"));
    this.element = element("div", {}, this.field.element, this.same);
    this.set(undefined);
  }

  get isWritten() {
    return true;
  }

  keep() {
    this.field.set(this.original);
    this.same.setAttribute("aria-pressed", "true");
    this.onChange(this.original);
    this.onSettled();
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

  key(event) {
    if (event.key !== "0" || event.ctrlKey || event.metaKey) return false;
    this.keep();
    return "changed";
  }
}

export function postEdit(options) {
  return new PostEdit(options);
}
