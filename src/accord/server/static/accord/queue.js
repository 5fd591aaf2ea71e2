/** Judgements on their way to the server: kept in the browser until the server has acknowledged them. */

import { Shelf } from "./shelf.js";

const PAUSES = [1000, 2000, 4000, 8000, 15000];
const BATCH = 20;
const BATCH_SIZE = 200_000;

export function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The question an entry answers: of several entries with the same name the highest revision counts. */
export function nameOf({ kind, task, criterion, place, about, scenario, question }) {
  if (kind === "remark") return `remark|${task}|${about}`;
  return kind === "answer" ? `answer|${scenario}|${question}` : `${task}|${criterion}|${place ?? ""}`;
}

/** The word with which the server turns somebody away. */
async function whyOf(answer) {
  const said = await answer.json().catch(() => ({}));
  return said.error;
}

/**
 * States told to `onState`: "saved", "saving", "offline", "login" (come in again; nothing is lost), "paused" (by the
 * organiser; all is kept and sent when it goes on), "closed" (the study; kept and sent if it opens again), "part" (a
 * phase of it is; the same, and the rest is sent) and "refused" (the server will never take this one; its log says why).
 * `onReplaced`: somebody else has the place.
 * `onRead`: a new version of the guidelines waits to be read.
 */
export class Queue {
  constructor({ owner, address, onState, onUnsafe = () => {}, onRefused = () => {}, onReplaced = () => {}, onRead = () => {} }) {
    Object.assign(this, { address, onState, onUnsafe, onRefused, onReplaced, onRead });
    this.shelf = new Shelf("queue", owner);
    // What the server has and a page kept for offline use has not: without it a reload would show old answers.
    this.known = new Shelf("known", owner);
    this.known.clearOthers();
    this.failures = 0;
    this.sending = false;
    this.shut = new Map(); // what was turned away in this round, as something is closed: uuid and what it is
    this.timer = 0;
    addEventListener("online", () => this.send());
    addEventListener("offline", () => this.tell());
    addEventListener("pagehide", () => this.lastTry());
    document.addEventListener("visibilitychange", () => document.hidden && this.lastTry());
    this.state = "saved";
    this.refused = false;
  }

  get waiting() {
    return this.shelf.all();
  }

  /** Stopped by the organiser: so it stays told, without a flicker at every try, until the server takes something. */
  get isHeld() {
    return ["paused", "closed", "part"].includes(this.state);
  }

  /** The oldest entries that were not turned away just now, as many as one request may carry. */
  get batch() {
    let size = 0;
    const open = this.waiting.filter(({ uuid: id }) => !this.shut.has(id));
    return open.slice(0, BATCH).filter((entry, place) => {
      size += JSON.stringify(entry).length;
      return place === 0 || size <= BATCH_SIZE;
    });
  }

  add(entry) {
    const full = { uuid: uuid(), made: new Date().toISOString(), revision: 1, ...entry };
    if (!this.shelf.put(full.uuid, full)) this.onUnsafe();
    this.refused = false;
    this.tell(this.isHeld ? this.state : "saving");
    this.send();
    return full;
  }

  tell(state = this.state) {
    this.state = state;
    const shown = ["saving", "saved"].includes(state) && !navigator.onLine ? "offline" : state;
    this.onState(shown, this.waiting.length);
  }

  async send() {
    if (this.sending) return;
    clearTimeout(this.timer);
    this.sending = true;
    this.shut.clear();
    try {
      let entries = this.batch;
      while (entries.length) {
        this.tell(this.isHeld && this.failures ? this.state : "saving");
        if (!(await this.post(entries))) return;
        if (!this.shut.size) this.failures = 0;
        entries = this.batch;
      }
      if (this.shut.size) {
        this.later("part");
        return;
      }
      this.tell(this.refused ? "refused" : "saved");
    } finally {
      this.sending = false;
    }
  }

  /** Wait until everything is acknowledged, as long as the line holds; true if it is. */
  async settle(patience = 20000) {
    const end = Date.now() + patience;
    while (this.waiting.length && Date.now() < end && navigator.onLine) {
      await this.send();
      if (this.isHeld) return this.state === "part"; // what is left waits for its part to open
      if (this.waiting.length) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return this.waiting.length === 0;
  }

  async post(entries) {
    let answer;
    try {
      answer = await fetch(this.address, this.request(entries));
    } catch {
      return this.later("offline");
    }
    if (answer.status === 401 || answer.status === 403) {
      const why = await whyOf(answer);
      if (why === "replaced") this.onReplaced();
      return this.later(why === "paused" ? "paused" : "login");
    }
    if (!answer.ok) return this.later("offline");
    const { results, read } = await answer.json();
    for (const result of results) this.settled(result, entries.find(({ uuid: id }) => id === result.uuid));
    if (read) this.onRead();
    return [...this.shut.values()].includes("closed") ? this.later("closed") : true;
  }

  settled(result, entry) {
    if (["closed", "part"].includes(result.why)) {
      this.shut.set(result.uuid, result.why);
      return;
    }
    if (result.status !== "saved") {
      this.refused = true;
      this.onRefused(result.message);
    } else if (entry.kind !== "question") this.remember(entry);
    this.shelf.drop(result.uuid);
  }

  remember(entry) {
    const name = nameOf(entry);
    const before = this.known.get(name);
    if (!before || before.revision <= entry.revision) this.known.put(name, entry);
  }

  /** Give back what the page may not know yet, oldest first, and forget what it knows: `revisionOf(entry)` says so. */
  catchUp(revisionOf) {
    const later = this.known.all().filter((entry) => {
      const isNew = entry.revision > revisionOf(entry);
      if (!isNew) this.known.drop(nameOf(entry));
      return isNew;
    });
    return [...later, ...this.waiting];
  }

  request(entries, keepalive = false) {
    return {
      method: "POST",
      credentials: "same-origin",
      keepalive,
      headers: { "Content-Type": "application/json", "X-CSRFToken": cookie("accord_csrf") },
      body: JSON.stringify({ entries }),
    };
  }

  later(state) {
    const pause = PAUSES[Math.min(this.failures, PAUSES.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.send(), pause);
    this.tell(state);
    return false;
  }

  /** The page goes away: the entries stay on the shelf, and one request may outlive the page. */
  lastTry() {
    const entries = this.batch;
    if (entries.length) fetch(this.address, this.request(entries, true)).catch(() => {});
  }
}
