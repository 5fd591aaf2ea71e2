/** A text in which places can be marked by mouse, touch or keyboard; offsets count code points, half-open. */

import { element, say } from "./dom.js";
import { fromUnits, graphemeEnds, hasSpaces, slice, words } from "./codepoints.js";

export class Markable {
  constructor({ text, side, language, className, label }) {
    Object.assign(this, { text, side, language, label });
    this.points = Array.from(text);
    this.marks = [];
    this.pending = null;
    this.anchor = null;
    this.onSelect = () => {};
    this.onOpen = () => {};
    this.onTap = () => false;
    this.element = element("div", {
      class: `${className} markable`, dir: "auto", lang: language || undefined,
      onclick: (event) => this.fromClick(event), onkeydown: (event) => this.fromKey(event), onpointerdown: (event) => this.dragBegins(event),
    });
    this.draw();
  }

  /** Words and characters are found when somebody first works on the text: a document may have hundreds. */
  get words() {
    this.knownWords ??= words(this.text, this.language || undefined).filter((piece) => piece.isWord);
    return this.knownWords;
  }

  get ends() {
    this.knownEnds ??= graphemeEnds(this.text, this.language || undefined);
    return this.knownEnds;
  }

  get size() {
    return this.points.length;
  }

  /** Only the text in hand is a stop for Tab. */
  setLive(isLive) {
    const attributes = { tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", "aria-label": say("markable", { label: this.label }) };
    for (const [name, value] of Object.entries(attributes)) {
      if (isLive) this.element.setAttribute(name, value);
      else this.element.removeAttribute(name);
    }
  }

  quote({ start, end }) {
    return slice(this.points, start, end);
  }

  show(marks, pending) {
    if (!pending && !this.pending && marks.length === 0 && this.marks.length === 0) return;
    this.marks = marks;
    this.pending = pending;
    if (!pending) this.anchor = null;
    this.draw();
  }

  /** Cut at every edge of a mark, so that overlapping marks each keep their own line. */
  draw() {
    const gaps = this.marks.filter((mark) => mark.start === mark.end);
    if (this.pending && this.pending.start === this.pending.end) gaps.push({ ...this.pending, isPending: true });
    const cuts = new Set([0, this.size]);
    for (const { start, end } of this.pending ? [...this.marks, this.pending] : this.marks) cuts.add(start).add(end);
    const edges = [...cuts].sort((a, b) => a - b);
    const pieces = edges.flatMap((start, place) => [
      ...gaps.filter((gap) => gap.start === start).map((gap) => this.gap(gap)),
      ...(place + 1 < edges.length ? [this.piece(start, edges[place + 1])] : []),
    ]);
    this.element.replaceChildren(...pieces);
  }

  /** Its word is drawn by the style sheet, so that the text of the page stays the text that is judged. */
  gap({ start, ground, isPending, isSuggested }) {
    return element("span", {
      class: `gap m ${isPending ? "selected pending" : ground}${isSuggested ? " suggested" : ""}`, "data-start": start, "data-label": say("omission"), role: "img", "aria-label": say("omission"),
    });
  }

  piece(start, end) {
    const over = this.marks.filter((mark) => mark.start <= start && end <= mark.end && mark.start < mark.end);
    const gravest = over.reduce((worst, mark) => (GROUNDS.indexOf(mark.ground) > GROUNDS.indexOf(worst) ? mark.ground : worst), GROUNDS[0]);
    const isPending = this.pending && this.pending.start <= start && end <= this.pending.end;
    const names = [over.length && "m", over.length && gravest, over.length > 1 && "overlapping", over.some(({ isSuggested }) => isSuggested) && "suggested", isPending && "m selected pending"];
    const said = over.filter((mark) => mark.end === end).map(({ short }) => short).filter(Boolean).join(" ");
    return element(over.length ? "mark" : "span", { class: names.filter(Boolean).join(" ") || undefined, "data-start": start, "data-short": said || undefined },
      slice(this.points, start, end));
  }

  /** Where a place of the page lies in the text. */
  offset(node, units) {
    const holder = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!this.element.contains(holder)) return null;
    if (holder === this.element) {
      const child = holder.childNodes[units] ?? holder.lastChild;
      return units >= holder.childNodes.length ? this.size : Number(child?.dataset?.start ?? this.size);
    }
    const start = Number(holder.dataset.start ?? this.size);
    return start + (node.nodeType === Node.TEXT_NODE ? fromUnits(node.data, units) : 0);
  }

  /** A drag may end outside of the text, where no click is heard. */
  dragBegins(event) {
    this.wasDragged = false;
    if (event.pointerType === "touch") {
      this.touchBegins(event);
      return;
    }
    addEventListener("pointerup", (event) => setTimeout(() => this.fromDrag(event.altKey), 0), { once: true });
  }

  /** A finger that goes along the line selects; one that goes up or down scrolls the page. The text is drawn anew when it is lifted. */
  touchBegins({ clientX: x, clientY: y, pointerId }) {
    const from = this.placeUnder(x, y);
    if (from === null) return;
    const ended = new AbortController();
    let taken = null;
    const follow = (event) => {
      const [along, across] = [Math.abs(event.clientX - x), Math.abs(event.clientY - y)];
      if (!this.wasDragged && (along < SLOP || along < across)) return;
      this.wasDragged = true;
      const to = this.placeUnder(event.clientX, event.clientY);
      if (to !== null) taken = this.snapped(Math.min(from, to), this.ends.find((edge) => edge > Math.max(from, to)) ?? this.size, false);
      this.shine(taken);
    };
    const end = (isLifted) => {
      ended.abort();
      this.shine(null);
      if (!taken) return; // a tap: the click that follows says whether it begins or ends a place
      this.anchor = null;
      if (isLifted) setTimeout(() => this.select(...taken), 0);
    };
    this.element.setPointerCapture(pointerId);
    this.element.addEventListener("pointermove", follow, { signal: ended.signal });
    this.element.addEventListener("pointerup", () => end(true), { signal: ended.signal });
    this.element.addEventListener("pointercancel", () => end(false), { signal: ended.signal });
  }

  /** What the finger has taken so far, without a change of the text under it. */
  shine(taken) {
    if (!self.Highlight) return;
    CSS.highlights.delete("taken");
    if (!taken) return;
    const range = document.createRange();
    range.setStart(...this.node(taken[0], true));
    range.setEnd(...this.node(taken[1], false));
    CSS.highlights.set("taken", new Highlight(range));
  }

  /** Take what was dragged over, if anything was; what lies outside of this text is cut off. */
  fromDrag(isExact = false) {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return false;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.element)) return false;
    const start = this.offset(range.startContainer, range.startOffset) ?? 0;
    const end = this.offset(range.endContainer, range.endOffset) ?? this.size;
    selection.removeAllRanges();
    if (start >= end) return false;
    this.anchor = null;
    this.select(...this.snapped(start, end, isExact));
    return true;
  }

  /** To whole words; in scripts without spaces, and with Alt, to characters. */
  snapped(start, end, isExact) {
    const inside = this.words.filter((word) => word.start < end && start < word.end);
    if (isExact || !hasSpaces(this.text) || !inside.length) {
      return [this.ends.findLast((edge) => edge <= start) ?? 0, this.ends.find((edge) => edge >= end) ?? this.size];
    }
    return [inside[0].start, inside.at(-1).end];
  }

  /** A tap takes a word, a tap on another one takes all in between, a tap on a mark opens it. */
  fromClick(event) {
    if (this.wasDragged || this.fromDrag(event.altKey)) return;
    if (this.onTap(event)) return;
    const place = this.placeUnder(event.clientX, event.clientY);
    const word = place === null ? null : this.wordAt(place);
    if (!word) return;
    const mark = this.marks.findLast(({ start, end }) => start <= place && place < end);
    if (this.anchor && this.pending) {
      this.select(Math.min(this.anchor.start, word.start), Math.max(this.anchor.end, word.end));
      this.anchor = null;
    } else if (mark && !this.pending) {
      this.onOpen(mark.at, place);
    } else {
      this.select(word.start, word.end, place);
      this.anchor = word;
    }
  }

  /** The character under a point. The browser names the nearest gap between two: the boxes of both say which it was. */
  placeUnder(x, y) {
    const found = document.caretPositionFromPoint?.(x, y);
    const old = found ? null : document.caretRangeFromPoint?.(x, y);
    const gap = found ? this.offset(found.offsetNode, found.offset) : old && this.offset(old.startContainer, old.startOffset);
    if (gap === null || gap === undefined) return null;
    const at = this.ends.findIndex((end) => end > gap);
    const after = at < 0 ? this.ends.length - 1 : at;
    const near = [after, after - 1, after + 1].filter((end) => end > 0 && end < this.ends.length);
    const hit = near.find((end) => this.boxes(this.ends[end - 1], this.ends[end])
      .some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom));
    return hit === undefined ? gap : this.ends[hit - 1];
  }

  /** Where the characters from one place to another stand on the page. */
  boxes(start, end) {
    const range = document.createRange();
    range.setStart(...this.node(start, true));
    range.setEnd(...this.node(end, false));
    return [...range.getClientRects()];
  }

  /** The node and UTF-16 unit of a place; at an edge the piece that begins there, or the one that ends there. */
  node(place, isStart) {
    const pieces = [...this.element.childNodes].filter((piece) => piece.firstChild);
    const piece = pieces.findLast(({ dataset }) => (isStart ? Number(dataset.start) <= place : Number(dataset.start) < place)) ?? pieces[0];
    return [piece.firstChild, slice(this.points, Number(piece.dataset.start), place).length];
  }

  wordAt(place) {
    return this.words.find(({ start, end }) => start <= place && place < end)
      ?? this.words.find(({ end }) => end === place) ?? this.words[this.words.length - 1];
  }

  /** Arrows go by words; with Shift they move the end, with Shift and Alt the start; comma and full stop trim by one character. */
  fromKey(event) {
    const forward = getComputedStyle(this.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const trims = { ",": ["end", -1], ".": ["end", 1], "<": ["start", -1], ">": ["start", 1] }[event.key];
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      if (event.ctrlKey || event.metaKey || (event.altKey && !event.shiftKey)) return;
      this.step(event.key === forward ? 1 : -1, event.shiftKey ? (event.altKey ? "start" : "end") : null);
    } else if (trims && this.pending) {
      this.trim(...trims);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  step(by, edge) {
    if (!this.words.length) return;
    if (!this.pending) {
      const first = this.words[by > 0 ? 0 : this.words.length - 1];
      this.select(first.start, first.end);
    } else if (this.pending.start === this.pending.end) {
      this.moveGap(by);
    } else if (edge) {
      this.moveEdge(edge, by);
    } else {
      const { start, end } = this.pending;
      const next = by > 0 ? this.words.find((word) => word.start >= end) : this.words.findLast((word) => word.end <= start);
      if (next) this.select(next.start, next.end);
    }
  }

  moveEdge(edge, by) {
    const { start, end } = this.pending;
    const edges = this.words.map((word) => word[edge]);
    const next = by > 0 ? edges.find((place) => place > this.pending[edge]) : edges.findLast((place) => place < this.pending[edge]);
    const place = { start, end, [edge]: next ?? this.pending[edge] };
    if (place.start < place.end) this.onSelect({ side: this.side, ...place, isMove: true });
  }

  /** Something that is missing goes from gap to gap between words. */
  moveGap(by) {
    const gaps = [0, ...this.words.map(({ end }) => end)];
    const next = by > 0 ? gaps.find((place) => place > this.pending.start) : gaps.findLast((place) => place < this.pending.start);
    if (next !== undefined) this.onSelect({ side: this.side, start: next, end: next, isMove: true });
  }

  trim(edge, by) {
    const at = this.pending[edge];
    const next = by > 0 ? this.ends.find((place) => place > at) : this.ends.findLast((place) => place < at);
    const place = { start: this.pending.start, end: this.pending.end, [edge]: next ?? at };
    if (place.start < place.end) this.onSelect({ side: this.side, ...place, isMove: true });
  }

  /** `at` is the character that was touched, where one was. */
  select(start, end, at = undefined) {
    if (start >= end) return;
    this.onSelect({ side: this.side, start, end, at });
  }
}

const SLOP = 12;
const GROUNDS = ["neutral", "minor", "major", "critical"];
