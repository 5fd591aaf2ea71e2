/** Error spans: select, say how grave and which kind; edit, move, split, delete; omissions, overlaps and a limit that is told. */

import { Bar } from "./bar.js";
import { element, isByFinger, say } from "./dom.js";
import { bare, drawable, groundOf, saidOf, split } from "./marks.js";

const ARROWS = ["ArrowLeft", "ArrowRight"];

class Spans {
  /** `prefilled`: marks that stand there beforehand; they are an answer once the rater says or changes something. */
  constructor({ criterion, onChange, onSettled, markables, anchor, prefilled = [] }) {
    Object.assign(this, { criterion, onChange, onSettled, markables, anchor, prefilled });
    this.value = undefined;
    this.pending = null;
    for (const markable of Object.values(markables)) {
      markable.onSelect = (place) => this.select(place);
      markable.onOpen = (at, place) => this.open(at, place);
    }
    this.bar = new Bar({
      criterion, onSeverity: (key) => this.choose("severity", key), onCategory: (value) => this.choose("category", value), onDone: () => this.finish(),
      onOmission: () => this.omit(), onDelete: () => this.remove(this.pending.of), onSplit: () => this.split(), onNew: () => this.startAnew(), onCancel: () => this.close(),
    });
    this.build();
    this.show();
  }

  build() {
    const { criterion } = this;
    this.list = element("ol", { class: "marks" });
    this.none = this.tool("0", criterion.noneLabel || say("no_errors"), () => this.standBy());
    this.right = this.tool("0", say("marks_stand"), () => this.standBy());
    this.missing = this.tool("m", say("missing"), () => this.omit());
    this.limit = element("span", { class: "limit soft" });
    this.tools = element("div", { class: "mark-tools" }, this.list, this.none, this.right, criterion.omissions ? this.missing : null, this.limit);
    this.hint = element("p", { class: "hint" });
    this.element = element("div", { class: "spans" }, this.hint, this.tools, this.bar.element);
  }

  tool(key, label, onclick) {
    return element("button", { type: "button", class: "tool", "aria-keyshortcuts": key, onclick },
      element("span", { dir: "auto" }, label), element("kbd", { "aria-hidden": "true" }, key));
  }

  get marks() {
    return this.value ?? this.prefilled;
  }

  /** Whether what is shown still waits for the rater's word. */
  get isSuggested() {
    return this.value === undefined && this.prefilled.length > 0;
  }

  /** What is marked, as it stands, is the answer. */
  get standing() {
    return this.marks.map(bare);
  }

  stand() {
    this.change(this.standing);
  }

  standBy() {
    this.stand();
    this.onSettled();
  }

  get isFull() {
    return Boolean(this.criterion.maxSpans) && this.marks.length >= this.criterion.maxSpans;
  }

  /** Keys belong to the bar while it is open. */
  get isHolding() {
    return Boolean(this.pending);
  }

  /** New words to mark; while a mark is open they are its new place. */
  select({ side, start, end, at, isMove }) {
    const isGap = this.pending?.omission && this.pending.start === this.pending.end;
    if (isGap && !isMove) this.pending = { ...this.pending, side, start: this.gapAt(side, start, end, at), end: this.gapAt(side, start, end, at) };
    else if (this.pending) this.pending = { ...this.pending, side, start, end };
    else this.pending = { side, start, end };
    if (this.pending.of !== undefined) this.replace();
    else this.show();
    this.markables[side].element.focus({ preventScroll: true });
  }

  /** Something is missing where one points: before the word, or after it where its second half was touched. */
  gapAt(side, start, end, at) {
    return at !== undefined && at - start >= (end - start) / 2 ? end : start;
  }

  omit() {
    if (this.isFull) return this.tellFull();
    const { target } = this.markables;
    this.pending = { ...(this.pending ?? { side: "target", start: target.size, end: target.size }), omission: true };
    delete this.pending.category;
    if (!this.criterion.severities.length && this.pending.start < this.pending.end) this.finish();
    else this.show();
    if (this.pending) this.markables[this.pending.side].element.focus({ preventScroll: true });
    return undefined;
  }

  tellFull() {
    this.limit.classList.add("wanted");
    this.limit.setAttribute("role", "alert");
  }

  /** An existing mark comes back into hand. */
  open(of, at) {
    this.pending = { ...this.marks[of], of, touched: at };
    this.show();
    this.markables[this.pending.side].element.focus({ preventScroll: true });
  }

  startAnew() {
    const { side, start, end } = this.pending;
    this.pending = { side, start, end };
    this.show();
  }

  choose(what, value) {
    this.pending = { ...this.pending, [what]: value };
    const { severities, values } = this.criterion;
    const isWhole = (!severities.length || this.pending.severity) && (!values.length || this.pending.category !== undefined || this.pending.omission);
    if (this.pending.of !== undefined) this.replace(what === "category" || !values.length);
    else if (isWhole) this.finish();
    else this.show();
  }

  finish() {
    if (this.pending.of !== undefined) this.close();
    else if (!this.isFull) this.change([...this.standing, bare(this.pending)]);
  }

  replace(isLast = false) {
    const kept = this.pending;
    this.change(this.standing.map((mark, at) => (at === kept.of ? bare(kept) : mark)), isLast ? null : kept);
  }

  remove(at) {
    const left = this.marks.filter((_, other) => other !== at).map(bare);
    this.change(left.length || this.prefilled.length ? left : null); // who deletes all that stood there finds no errors
  }

  /** Where the mark was touched, else in the middle, between two words where there are two. */
  split() {
    const { of, touched, start, end, side } = this.pending;
    if (this.isFull) {
      this.tellFull();
      return;
    }
    const starts = this.markables[side].words.map((word) => word.start).filter((place) => start < place && place < end);
    const middle = touched > start ? touched : Math.ceil((start + end) / 2);
    const place = starts.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
    this.change(this.standing.flatMap((mark, at) => (at === of ? split(mark, place) : [mark])));
  }

  close() {
    this.pending = null;
    this.show();
  }

  change(value, pending = null) {
    this.pending = pending;
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
    for (const [side, markable] of Object.entries(this.markables)) {
      const others = drawable(this.criterion, this.marks, side, this.isSuggested).filter(({ at }) => at !== this.pending?.of); // the one in hand is shown as such
      markable.show(others, this.pending?.side === side ? this.pending : null);
    }
    const hadFocus = this.bar.element.contains(document.activeElement);
    this.list.replaceChildren(...this.marks.map((mark, at) => this.chip(mark, at)));
    this.list.hidden = this.marks.length === 0;
    this.none.hidden = this.marks.length > 0;
    this.right.hidden = !this.isSuggested;
    this.hint.textContent = say(this.isSuggested ? "prefilled_hint" : isByFinger() ? "mark_hint_touch" : "mark_hint");
    this.hint.hidden = this.value !== undefined || Boolean(this.pending);
    this.none.setAttribute("aria-pressed", String(this.value?.length === 0));
    this.showLimit();
    if (this.pending) this.openBar();
    else this.bar.hide();
    if (hadFocus && !this.pending) this.focus();
  }

  showLimit() {
    const { maxSpans } = this.criterion;
    this.limit.hidden = !maxSpans;
    this.limit.classList.toggle("wanted", this.isFull);
    this.limit.textContent = maxSpans ? say(this.isFull ? "limit_reached" : "limit", { number: this.marks.length, most: maxSpans }) : "";
  }

  openBar() {
    const { pending } = this;
    const markable = this.markables[pending.side];
    this.bar.show(pending, {
      isEdit: pending.of !== undefined, isFull: this.isFull, quote: this.quote(pending),
      anchor: () => ({ ...this.anchor(), selection: markable.element.querySelector(".pending")?.getBoundingClientRect() }),
    });
  }

  quote(mark) {
    return mark.start === mark.end ? say("omission") : this.markables[mark.side].quote(mark);
  }

  chip(mark, at) {
    const name = this.quote(mark);
    const act = (key, sign, onclick) => element("button", { type: "button", "aria-label": say(key, { name }), onclick }, sign);
    return element("li", { class: this.isSuggested ? "chip suggested" : "chip" }, element("i", { class: `sw ${groundOf(this.criterion, mark)}`, "aria-hidden": "true" }),
      element("q", { dir: "auto" }, name), element("span", {}, saidOf(this.criterion, mark)),
      act("edit_mark", "✎", () => this.open(at)), act("remove", "×", () => this.remove(at)));
  }

  /** The text that is judged. */
  get judged() {
    return Object.values(this.markables).at(-1);
  }

  focus() {
    this.judged.element.focus({ preventScroll: true });
  }

  key(event) {
    const told = this.pending ? this.keyInHand(event) : this.keyAtRest(event);
    return told === true ? "changed" : told;
  }

  keyInHand(event) {
    const isEdit = this.pending.of !== undefined;
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === "Escape") this.close();
    else if (isEdit && (event.key === "Backspace" || event.key === "Delete")) this.remove(this.pending.of);
    else if (isEdit && event.key === "/") this.split();
    else if (isEdit && event.key === "+") this.startAnew();
    else if (event.key === "m" && this.bar.missing && !this.bar.missing.hidden) this.omit();
    else if (event.key === "Enter" && !this.bar.element.contains(event.target) && (isEdit || !this.bar.done.hidden)) this.finish();
    else return this.bar.key(event) || event.key.length === 1;
    return true;
  }

  keyAtRest(event) {
    if (event.key === "0" && (this.marks.length === 0 || this.isSuggested)) {
      this.stand();
      return "nothing";
    }
    if (event.key === "m" && this.criterion.omissions) this.omit();
    else if (event.key === "e" && this.marks.length) this.open(this.marks.length - 1);
    else if (ARROWS.includes(event.key) && !event.target.closest("input")) this.judged.fromKey(event); // no text has the focus yet
    else return false;
    return true;
  }
}

export function spans(options) {
  return new Spans(options);
}
