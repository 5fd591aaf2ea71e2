/** Where one is: a tick for each document, a bar where there are too many, and the time that is left. */

import { element, say } from "./dom.js";

const MOST_TICKS = 40;
const ENOUGH = 3;

export class Progress {
  /** `pages` are the numbers of the texts that count, in order; `expected(screen)` is its time in seconds. */
  constructor({ box, count, left, screens, expected }) {
    Object.assign(this, { box, count, left, expected });
    this.screens = screens.filter(({ practice }) => !practice);
    this.practice = screens.filter(({ practice }) => practice);
    this.pages = [...new Set(this.screens.map(({ context }) => context))];
    this.done = new Set();
    this.spent = { seconds: 0, expected: 0 };
    const ticks = this.pages.length <= MOST_TICKS ? this.pages.length : 1;
    this.ticks = Array.from({ length: ticks }, () => element("i", {}));
    box.replaceChildren(...this.ticks);
  }

  /** Honest seconds that a screen took count once it is done; they say how fast this rater is. */
  finished(screen, seconds) {
    this.spent.seconds += seconds;
    if (!this.done.has(screen.id)) this.spent.expected += this.expected(screen);
  }

  show(screen) {
    const own = screen.practice ? this.practice : this.screens;
    const places = screen.practice ? own.map(({ context }) => context) : this.pages;
    const number = places.indexOf(screen.context) + 1;
    const words = say("count", { number, total: places.length });
    this.count.textContent = words;
    this.box.setAttribute("aria-label", words);
    this.drawTicks(screen);
    const minutes = this.minutesLeft();
    this.left.textContent = minutes ? say("time_left", { minutes }) : "";
  }

  drawTicks(screen) {
    if (this.ticks.length < this.pages.length) {
      this.ticks[0].style.setProperty("--v", `${(100 * this.done.size) / this.screens.length}%`);
      return;
    }
    const total = new Map();
    const done = new Map();
    for (const { context, id } of this.screens) {
      total.set(context, (total.get(context) ?? 0) + 1);
      if (this.done.has(id)) done.set(context, (done.get(context) ?? 0) + 1);
    }
    this.pages.forEach((page, place) => {
      this.ticks[place].style.setProperty("--v", `${(100 * (done.get(page) ?? 0)) / total.get(page)}%`);
      this.ticks[place].classList.toggle("here", page === screen.context);
    });
  }

  /** As the study expects at first, then by the pace of this rater. */
  minutesLeft() {
    const open = this.screens.filter(({ id }) => !this.done.has(id));
    const expected = open.reduce((sum, screen) => sum + this.expected(screen), 0);
    const { seconds, expected: usual } = this.spent;
    const pace = usual > ENOUGH * this.expected(this.screens[0] ?? {}) ? Math.min(4, Math.max(0.25, seconds / usual)) : 1;
    return Math.ceil((expected * pace) / 60);
  }
}
