/** Ranks of several texts: drag a text to its place, or press its letter and then its rank; texts may share one where ties are allowed. */

import { element, say } from "./dom.js";

class Ranking {
  constructor({ criterion, onChange, onSettled, letters }) {
    Object.assign(this, { onChange, onSettled, letters, ties: criterion.ties });
    this.ranks = letters.map(() => null);
    this.held = null;
    this.chips = letters.map((letter, place) => this.chip(letter, place));
    this.rows = letters.map((_, place) => this.row(place + 1));
    this.pool = this.slot(null, say("not_ranked"));
    this.element = element("div", { class: "ranking" }, element("p", { class: "hint" }, say("rank_hint")), this.pool, element("ol", {}, ...this.rows));
    this.show();
  }

  chip(letter, place) {
    return element("button", {
      type: "button", class: "rank-chip", "aria-keyshortcuts": "abcdefghij"[place],
      onpointerdown: (event) => this.grab(event), onpointerup: (event) => this.release(event, place),
      onclick: () => { if (!this.wasDragged) this.hold(this.held === place ? null : place); }, onkeydown: (event) => this.nudge(event, place),
    }, letter);
  }

  /** Mouse and finger alike: where the text is let go, there it stands. */
  grab(event) {
    event.currentTarget.setPointerCapture(event.pointerId);
    this.from = { x: event.clientX, y: event.clientY };
    this.wasDragged = false;
  }

  release({ clientX, clientY }, place) {
    this.wasDragged = Math.hypot(clientX - this.from.x, clientY - this.from.y) > 6;
    const slot = this.wasDragged && document.elementFromPoint(clientX, clientY)?.closest(".rank-slot");
    if (slot) this.put(place, slot.dataset.rank ? Number(slot.dataset.rank) : null);
  }

  /** A place to drop on; a held text goes there by a tap. */
  slot(rank, words) {
    return element("div", {
      class: rank === null ? "rank-slot pool" : "rank-slot", "data-rank": rank ?? "",
      onclick: (event) => { if (this.held !== null && !event.target.closest(".rank-chip")) this.put(this.held, rank); },
    }, element("span", { class: "soft" }, words));
  }

  row(rank) {
    const words = rank === 1 ? say("rank_best") : String(rank);
    return element("li", {}, this.slot(rank, words));
  }

  hold(place) {
    this.held = place;
    this.show();
  }

  /** Arrows move the text in hand up and down the ranks. */
  nudge(event, place) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.put(place, Math.min(this.letters.length, Math.max(1, (this.ranks[place] ?? (by > 0 ? 0 : this.letters.length + 1)) + by)));
    this.chips[place].focus({ preventScroll: true });
  }

  /** Where ties are not allowed, whoever stood there changes places with the new one. */
  put(place, rank) {
    const other = this.ties || rank === null ? -1 : this.ranks.indexOf(rank);
    if (other >= 0 && other !== place) this.ranks[other] = this.ranks[place];
    this.ranks[place] = rank;
    if (rank !== null) this.placeLast();
    this.held = null;
    this.show();
    const isWhole = this.ranks.every((one) => one !== null);
    this.onChange(isWhole ? [...this.ranks] : null);
    if (isWhole) this.onSettled();
  }

  /** Without ties the last text has only one place left. */
  placeLast() {
    if (this.ties || this.ranks.filter((one) => one === null).length !== 1) return;
    this.ranks[this.ranks.indexOf(null)] = this.letters.findIndex((_, at) => !this.ranks.includes(at + 1)) + 1;
  }

  show() {
    const slots = new Map([[null, this.pool], ...this.rows.map((row, place) => [place + 1, row.firstElementChild])]);
    this.chips.forEach((chip, place) => {
      const slot = slots.get(this.ranks[place]);
      if (chip.parentElement !== slot) slot.append(chip);
      chip.setAttribute("aria-pressed", String(this.held === place));
      const rank = this.ranks[place];
      chip.setAttribute("aria-label", rank === null ? `${this.letters[place]}, ${say("not_ranked")}` : `${this.letters[place]}, ${rank}`);
    });
    this.pool.hidden = this.ranks.every((rank) => rank !== null);
  }

  set(value) {
    this.ranks = this.letters.map((_, place) => value?.[place] ?? null);
    this.held = null;
    this.show();
  }

  focus() {
    this.chips[0].focus({ preventScroll: true });
  }

  /** A letter takes a text, a digit puts it; without a letter the first text that has no rank yet. */
  key(event) {
    const letter = "abcdefghij".indexOf(event.key);
    if (letter >= 0 && letter < this.letters.length) {
      this.hold(letter);
      return "changed";
    }
    if (event.key === "Escape" && this.held !== null) {
      this.hold(null);
      return "changed";
    }
    const rank = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    const place = this.held ?? this.ranks.indexOf(null);
    if (!rank || rank > this.letters.length || place < 0) return false;
    this.put(place, rank);
    return this.ranks.includes(null) ? "changed" : "answered";
  }
}

export function ranking(options) {
  return new Ranking(options);
}
