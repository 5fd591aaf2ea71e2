/** The bar at the selection: how grave, then which kind; it never lies on the text or the score in hand. */

import { element, say } from "./dom.js";
import { lettersFor, nameAndWhy } from "./marks.js";

const GAP = 8;

export class Bar {
  constructor({ criterion, onSeverity, onCategory, onOmission, onDelete, onSplit, onNew, onCancel, onDone }) {
    Object.assign(this, { criterion, onSeverity, onCategory });
    const names = criterion.values.map((value, place) => criterion.labels[place] || String(value));
    this.letters = lettersFor(names, criterion.omissions ? ["m"] : []);
    this.severities = criterion.severities.map((severity, place) => this.button(String(place + 1), nameAndWhy(severity).name,
      () => onSeverity(severity.key), element("i", { class: `sw ${severity.ground}`, "aria-hidden": "true" })));
    this.categories = criterion.values.map((value, place) => this.button(this.letters[place], names[place], () => onCategory(value)));
    this.done = this.button("↵", say("mark_it"), onDone);
    this.missing = criterion.omissions ? this.button("m", say("missing"), onOmission) : null;
    this.remove = this.button("⌫", say("delete"), onDelete);
    this.split = this.button("/", say("split"), onSplit);
    this.fresh = this.button("+", say("new_mark"), onNew);
    this.hint = element("span", { class: "bar-hint", "aria-live": "polite" });
    this.sevRow = element("div", { class: "sevs" }, ...this.severities);
    this.catRow = element("div", { class: "cats" }, ...this.categories);
    this.element = element("div", { class: "mark-bar", role: "group", "aria-label": say("mark_bar"), hidden: true },
      this.sevRow, this.catRow, element("div", { class: "bar-foot" }, this.hint, this.missing, this.fresh, this.split, this.remove, this.done,
        this.button("esc", say("cancel"), onCancel)));
    this.place = this.place.bind(this);
  }

  button(key, label, onclick, sign = null) {
    return element("button", { type: "button", onclick, "aria-keyshortcuts": key },
      key ? element("kbd", { "aria-hidden": "true" }, key) : null, sign, element("span", { dir: "auto" }, label));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** `pending` is the mark in hand; `isFull` says that no further one may be made. */
  show(pending, { isEdit, isFull, quote, anchor }) {
    const { criterion } = this;
    const needs = !isFull || isEdit;
    this.sevRow.hidden = !criterion.severities.length || !needs;
    this.catRow.hidden = !criterion.values.length || pending.omission || !needs;
    this.done.hidden = !needs || Boolean(criterion.severities.length || (criterion.values.length && !pending.omission));
    this.remove.hidden = this.fresh.hidden = !isEdit;
    this.split.hidden = !isEdit || pending.end - pending.start < 2;
    if (this.missing) this.missing.hidden = isEdit || pending.omission || isFull;
    this.severities.forEach((button, place) => press(button, criterion.severities[place].key === pending.severity));
    this.categories.forEach((button, place) => press(button, criterion.values[place] === pending.category));
    this.say(pending, { isEdit, isFull, quote });
    this.anchor = anchor;
    const wasOpen = this.isOpen;
    this.element.hidden = false;
    this.place();
    if (wasOpen) return;
    addEventListener("scroll", this.place, { passive: true, capture: true });
    addEventListener("resize", this.place);
  }

  say(pending, { isEdit, isFull, quote }) {
    const { severities, values, maxSpans } = this.criterion;
    let key = "bar_edges";
    if (isFull && !isEdit) key = "bar_full";
    else if (pending.omission && !pending.severity && severities.length) key = "bar_missing";
    else if (pending.severity && values.length && pending.category === undefined && !pending.omission) key = "bar_kind";
    this.hint.replaceChildren(element("q", { dir: "auto" }, quote), " ", say(key, { most: maxSpans }));
  }

  hide() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    removeEventListener("scroll", this.place, { capture: true });
    removeEventListener("resize", this.place);
  }

  /** Above the whole segment where there is room, else under it, else under its texts. On a phone it is a sheet. */
  place() {
    const { row, texts, selection } = this.anchor();
    const own = this.element.getBoundingClientRect();
    const ceiling = document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;
    const floor = document.querySelector(".dock")?.getBoundingClientRect().top ?? innerHeight;
    let top = row.top - own.height - GAP;
    if (top < ceiling) top = row.bottom + GAP;
    if (top + own.height > floor) top = texts.bottom + GAP;
    const middle = selection ? (selection.left + selection.right) / 2 : row.left + row.width / 2;
    const left = Math.max(GAP, Math.min(middle - own.width / 2, document.documentElement.clientWidth - own.width - GAP));
    this.element.style.insetBlockStart = `${Math.round(top)}px`;
    this.element.style.left = `${Math.round(left)}px`;
  }

  /** What a key says of the mark: true if it was one of the bar's. */
  key(event) {
    const severity = !this.sevRow.hidden && /^[1-9]$/.test(event.key) && this.criterion.severities[Number(event.key) - 1];
    if (severity) {
      this.onSeverity(severity.key);
      return true;
    }
    const category = this.catRow.hidden ? -1 : this.letters.indexOf(event.key);
    if (category < 0) return false;
    this.onCategory(this.criterion.values[category]);
    return true;
  }
}

function press(button, isOn) {
  button.setAttribute("aria-pressed", String(isOn));
}
