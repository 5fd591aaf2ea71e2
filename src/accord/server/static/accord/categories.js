/** Error categories: several, and repeated where the study says so; "no errors" is an answer of its own. */

import { element, say } from "./dom.js";

class Categories {
  constructor({ criterion, onChange, onSettled }) {
    Object.assign(this, { criterion, onChange, onSettled });
    this.value = undefined;
    this.none = element("button", { type: "button", class: "choice", "aria-keyshortcuts": "0", onclick: () => this.say([]) },
      element("kbd", { "aria-hidden": "true" }, "0"), element("span", { dir: "auto" }, criterion.noneLabel || say("no_errors")));
    this.rows = criterion.values.map((value, place) => this.row(value, place));
    this.element = element("div", { class: "categories", role: "group", "aria-label": criterion.question },
      ...this.rows.map((row) => row.element), this.none);
    this.show();
  }

  row(value, place) {
    const label = this.criterion.labels[place] || String(value);
    const key = place < 9 ? String(place + 1) : "";
    const count = element("output", { class: "count" });
    const add = element("button", {
      type: "button", class: "choice", "aria-keyshortcuts": key || undefined, onclick: () => this.add(value),
    }, key ? element("kbd", { "aria-hidden": "true" }, key) : null, element("span", { dir: "auto" }, label), count);
    const less = element("button", {
      type: "button", class: "less", "aria-label": say("one_less", { name: label }), onclick: () => this.less(value),
    }, "−");
    return { value, add, less, count, element: element("div", { class: "category" }, add, less) };
  }

  count(value) {
    return (this.value ?? []).filter((part) => part === value).length;
  }

  add(value) {
    const now = this.value ?? [];
    if (this.criterion.repeated) this.change([...now, value]);
    else if (now.includes(value)) this.less(value);
    else if (this.criterion.several) this.change([...now, value]);
    else this.say([value]);
  }

  /** All that can be said; where several may be named, another may follow. */
  say(value) {
    this.change(value);
    this.onSettled();
  }

  less(value) {
    const left = [...(this.value ?? [])];
    left.splice(left.lastIndexOf(value), 1);
    this.change(left.length ? left : null);
  }

  change(value) {
    this.value = value ?? undefined;
    this.show();
    this.onChange(value);
  }

  show() {
    for (const { value, add, less, count } of this.rows) {
      const times = this.count(value);
      add.setAttribute("aria-pressed", String(times > 0));
      count.textContent = times > 1 ? `× ${times}` : "";
      less.hidden = times === 0;
    }
    this.none.setAttribute("aria-pressed", String(Array.isArray(this.value) && this.value.length === 0));
  }

  set(value) {
    this.value = Array.isArray(value) ? value : undefined;
    this.show();
  }

  focus() {
    (this.rows[0]?.add ?? this.none).focus({ preventScroll: true });
  }

  key(event) {
    if (event.key === "0") {
      this.change([]);
      return "answered";
    }
    if (/^[1-9]$/.test(event.key) && this.rows[Number(event.key) - 1]) this.add(this.rows[Number(event.key) - 1].value);
    else return false;
    return this.criterion.several || this.criterion.repeated ? "changed" : "answered";
  }
}

export function categories(options) {
  return new Categories(options);
}
