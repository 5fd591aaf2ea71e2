/** Error spans: mark a place, say what it is and how grave; overlaps, omissions and undo included. */

import { element, say } from "./dom.js";

class Spans {
  constructor({ criterion, onChange, markables }) {
    Object.assign(this, { criterion, onChange, markables });
    this.value = undefined;
    this.past = [];
    this.pending = null;
    for (const markable of Object.values(markables)) markable.onSelect = (place) => this.select(place);
    this.list = element("ol", { class: "marks" });
    this.bar = element("div", { class: "mark-bar", role: "group", "aria-label": say("mark_bar") });
    this.none = element("button", { type: "button", class: "choice", "aria-keyshortcuts": "0", onclick: () => this.change([]) },
      element("kbd", { "aria-hidden": "true" }, "0"), element("span", { dir: "auto" }, criterion.noneLabel || say("no_errors")));
    this.missing = element("button", { type: "button", class: "choice", "aria-keyshortcuts": "m", onclick: () => this.omit() },
      element("kbd", { "aria-hidden": "true" }, "m"), element("span", {}, say("missing")));
    this.undo = element("button", { type: "button", class: "choice", "aria-keyshortcuts": "u", onclick: () => this.back() },
      element("kbd", { "aria-hidden": "true" }, "u"), element("span", {}, say("undo")));
    this.tools = element("div", { class: "choices" }, this.none, criterion.omissions ? this.missing : null, this.undo);
    this.element = element("div", { class: "spans" }, this.bar, this.list, this.tools);
    this.show();
  }

  get severities() {
    return this.criterion.severities;
  }

  select(place) {
    this.pending = { ...place };
    this.show();
  }

  omit() {
    const target = this.markables.target;
    const place = this.pending ?? { side: "target", start: target.size, end: target.size };
    this.pending = { ...place, omission: true };
    this.advance();
  }

  /** What still has to be said of the pending mark: its category, then its severity. */
  get question() {
    if (!this.pending) return null;
    const { values, labels } = this.criterion;
    if (values.length && !this.pending.category && !this.pending.omission) {
      return values.map((value, place) => ({ key: "category", value, label: labels[place] || String(value) }));
    }
    if (this.severities.length && !this.pending.severity) {
      return this.severities.map((severity) => ({ key: "severity", value: severity.key, label: severity.label || severity.key }));
    }
    return [{ key: "done", value: true, label: say("mark_it") }];
  }

  choose({ key, value }) {
    if (key !== "done") this.pending[key] = value;
    if (key === "done") this.finish();
    else this.advance();
  }

  advance() {
    const question = this.question;
    if (question.length === 1 && question[0].key === "done") this.finish();
    else this.show();
  }

  finish() {
    const mark = this.pending;
    this.pending = null;
    const full = this.criterion.maxSpans && (this.value?.length ?? 0) >= this.criterion.maxSpans;
    if (full) this.show();
    else this.change([...(this.value ?? []), mark]);
  }

  remove(place) {
    const left = this.value.filter((_, other) => other !== place);
    this.change(left.length ? left : null);
  }

  back() {
    if (this.pending) {
      this.pending = null;
      this.show();
    } else if (this.past.length) {
      this.change(this.past.pop() ?? null, false);
    }
  }

  change(value, remember = true) {
    if (remember) this.past.push(this.value);
    this.pending = null;
    this.value = value ?? undefined;
    this.show();
    this.onChange(value);
  }

  set(value) {
    this.value = Array.isArray(value) ? value : undefined;
    this.pending = null;
    this.show();
  }

  show() {
    const marks = (this.value ?? []).map((mark) => ({ ...mark, rank: this.severities.findIndex(({ key }) => key === mark.severity) }));
    for (const [side, markable] of Object.entries(this.markables)) {
      markable.show(marks.filter((mark) => mark.side === side), this.pending?.side === side ? this.pending : null);
      if (!this.pending) markable.anchor = null;
    }
    this.list.replaceChildren(...marks.map((mark, place) => this.row(mark, place)));
    this.list.hidden = marks.length === 0;
    this.none.setAttribute("aria-pressed", String(Array.isArray(this.value) && this.value.length === 0));
    this.undo.disabled = !this.pending && this.past.length === 0;
    this.drawBar();
  }

  /** Whoever works the bar by Tab and Enter stays in it, and comes back to the text when the mark is made. */
  drawBar() {
    const hadFocus = this.bar.contains(document.activeElement);
    this.fillBar();
    if (hadFocus) (this.bar.querySelector("button") ?? Object.values(this.markables).at(-1).element).focus({ preventScroll: true });
  }

  fillBar() {
    const question = this.question;
    if (!question) {
      this.bar.replaceChildren(element("p", { class: "hint" }, say("mark_hint")));
      return;
    }
    const quote = this.quote(this.pending);
    this.bar.replaceChildren(element("p", { class: "hint", "aria-live": "polite" }, element("q", { dir: "auto" }, quote)),
      element("div", { class: "choices" }, ...question.map((option, place) => element("button", {
        type: "button", class: "choice", onclick: () => this.choose(option),
      }, place < 9 ? element("kbd", { "aria-hidden": "true" }, String(place + 1)) : null, element("span", { dir: "auto" }, option.label)))));
  }

  quote(mark) {
    return mark.start === mark.end ? say("omission") : this.markables[mark.side].quote(mark);
  }

  row(mark, place) {
    const { values, labels } = this.criterion;
    const category = mark.omission ? say("omission") : labels[values.indexOf(mark.category)] || mark.category;
    const severity = this.severities[mark.rank];
    const words = [category, severity?.label || severity?.key].filter(Boolean).join(" · ");
    const quote = this.quote(mark);
    return element("li", { class: `grave-${mark.rank}` }, element("q", { dir: "auto" }, quote), element("span", {}, words),
      element("button", { type: "button", class: "less", "aria-label": say("remove", { name: quote }), onclick: () => this.remove(place) }, "×"));
  }

  focus() {
    Object.values(this.markables).at(-1).element.focus({ preventScroll: true });
  }

  key(event) {
    const question = this.question;
    if (event.key === "0" && !this.pending) {
      this.change([]);
      return "answered";
    }
    if (question && /^[1-9]$/.test(event.key) && question[Number(event.key) - 1]) this.choose(question[Number(event.key) - 1]);
    else if (event.key === "Enter" && question?.[0].key === "done") this.choose(question[0]);
    else if (event.key === "Escape" && this.pending) this.back();
    else if (event.key === "m" && this.criterion.omissions) this.omit();
    else if (event.key === "u" || (event.key === "z" && (event.ctrlKey || event.metaKey))) this.back();
    else return false;
    return "changed";
  }
}

export function spans(options) {
  return new Spans(options);
}
