/** Honest time: only while the page is looked at, and a pause counts for a minute at most. */

const LONGEST_PAUSE = 60_000;
const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "input", "scroll"];

export class Stopwatch {
  constructor(now = () => performance.now()) {
    this.now = now;
    this.total = 0;
    this.last = now();
    this.running = !document.hidden;
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, () => this.touch(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.resume()));
    addEventListener("blur", () => this.pause());
    addEventListener("focus", () => this.resume());
  }

  /** A break that the rater asked for: nothing counts until they go on. */
  stop() {
    this.pause();
    this.isStopped = true;
  }

  go() {
    this.isStopped = false;
    this.resume();
  }

  touch() {
    if (this.isStopped) return;
    const now = this.now();
    if (this.running) this.total += Math.min(now - this.last, LONGEST_PAUSE);
    this.running = true;
    this.last = now;
  }

  pause() {
    this.touch();
    this.running = false;
  }

  resume() {
    if (this.isStopped) return;
    this.last = this.now();
    this.running = true;
  }

  reset() {
    this.touch();
    this.total = 0;
  }

  /** Seconds since the last lap. */
  lap() {
    this.touch();
    const seconds = Math.round(this.total / 10) / 100;
    this.total = 0;
    return seconds;
  }
}
