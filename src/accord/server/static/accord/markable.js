/** A text in which places can be marked by mouse, touch or keyboard; offsets count code points, half-open. */

import { element, say } from "./dom.js";
import { fromUnits, graphemeEnds, slice, words } from "./codepoints.js";

export class Markable {
  constructor({ text, side, language, className, label, onSelect }) {
    Object.assign(this, { text, side, language, onSelect });
    this.points = Array.from(text);
    this.words = words(text, language || undefined).filter((piece) => piece.isWord);
    this.ends = graphemeEnds(text, language || undefined);
    this.marks = [];
    this.pending = null;
    this.anchor = null;
    this.element = element("div", {
      class: `${className} markable`, dir: "auto", lang: language || undefined, tabindex: "0", role: "textbox",
      "aria-readonly": "true", "aria-multiline": "true", "aria-label": say("markable", { label }),
      onclick: (event) => this.fromClick(event), onkeydown: (event) => this.fromKey(event),
      // A drag may end outside of the text, where no click is heard.
      onpointerdown: () => addEventListener("pointerup", () => setTimeout(() => this.fromDrag(), 0), { once: true }),
    });
    this.draw();
  }

  get size() {
    return this.points.length;
  }

  quote({ start, end }) {
    return slice(this.points, start, end);
  }

  show(marks, pending) {
    this.marks = marks;
    this.pending = pending;
    this.draw();
  }

  /** Cut at every edge of a mark, so that overlapping marks each keep their own line. */
  draw() {
    const cuts = new Set([0, this.size]);
    const all = this.pending ? [...this.marks, this.pending] : this.marks;
    for (const { start, end } of all) cuts.add(start).add(end);
    const edges = [...cuts].sort((a, b) => a - b);
    const pieces = edges.slice(0, -1).map((start, place) => this.piece(start, edges[place + 1]));
    const missing = this.marks.filter((mark) => mark.start === mark.end)
      .map(() => element("span", { class: "missing-here", role: "img", "aria-label": say("omission") }, "▵"));
    this.element.replaceChildren(...pieces, ...missing);
  }

  piece(start, end) {
    const over = this.marks.filter((mark) => mark.start <= start && end <= mark.end && mark.start < mark.end);
    const worst = Math.max(-1, ...over.map((mark) => mark.rank));
    const isPending = this.pending && this.pending.start <= start && end <= this.pending.end;
    const names = [over.length && "marked", over.length && `grave-${worst}`, over.length > 1 && "overlapping", isPending && "pending"];
    return element(over.length ? "mark" : "span", { class: names.filter(Boolean).join(" ") || undefined, "data-start": start },
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

  /** Take what was dragged over, if anything was. */
  fromDrag() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return false;
    const range = selection.getRangeAt(0);
    const places = [this.offset(range.startContainer, range.startOffset), this.offset(range.endContainer, range.endOffset)];
    if (places.includes(null)) return false;
    selection.removeAllRanges();
    this.anchor = null;
    this.select(Math.min(...places), Math.max(...places));
    return true;
  }

  /** A tap takes a word; a tap on another one takes all in between. */
  fromClick(event) {
    if (this.fromDrag()) return;
    const place = this.placeUnder(event.clientX, event.clientY);
    const word = place === null ? null : this.wordAt(place);
    if (!word) return;
    if (this.anchor && this.pending) {
      this.select(Math.min(this.anchor.start, word.start), Math.max(this.anchor.end, word.end));
      this.anchor = null;
    } else {
      this.anchor = word;
      this.select(word.start, word.end);
    }
  }

  placeUnder(x, y) {
    if (document.caretPositionFromPoint) {
      const found = document.caretPositionFromPoint(x, y);
      return found ? this.offset(found.offsetNode, found.offset) : null;
    }
    const range = document.caretRangeFromPoint?.(x, y);
    return range ? this.offset(range.startContainer, range.startOffset) : null;
  }

  wordAt(place) {
    return this.words.find(({ start, end }) => start <= place && place < end)
      ?? this.words.find(({ end }) => end === place) ?? this.words[this.words.length - 1];
  }

  /** Arrows go by words, with Shift they stretch; comma and full stop trim the end by one character. */
  fromKey(event) {
    const forward = getComputedStyle(this.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      this.step(event.key === forward ? 1 : -1, event.shiftKey);
    } else if ((event.key === "," || event.key === ".") && this.pending) {
      this.trim(event.key === "." ? 1 : -1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  step(by, stretch) {
    if (!this.words.length) return;
    if (!this.pending) {
      const first = this.words[by > 0 ? 0 : this.words.length - 1];
      this.select(first.start, first.end);
      return;
    }
    const { start, end } = this.pending;
    if (stretch) {
      const next = by > 0
        ? this.words.find((word) => word.end > end)
        : [...this.words].reverse().find((word) => word.end < end && word.end > start);
      if (next) this.select(start, next.end);
      return;
    }
    const next = by > 0
      ? this.words.find((word) => word.start >= end)
      : [...this.words].reverse().find((word) => word.end <= start);
    if (next) this.select(next.start, next.end);
  }

  trim(by) {
    const { start, end } = this.pending;
    const next = by > 0 ? this.ends.find((place) => place > end) : [...this.ends].reverse().find((place) => place < end);
    if (next !== undefined && next > start) this.select(start, next);
  }

  select(start, end) {
    if (start >= end) return;
    this.onSelect({ side: this.side, start, end });
  }
}

