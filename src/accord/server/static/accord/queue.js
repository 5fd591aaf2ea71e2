/** Judgements on their way to the server: kept in the browser until the server has acknowledged them. */

const PAUSES = [1000, 2000, 4000, 8000, 15000];
const BATCH = 20;

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

/** One key an entry, so that two tabs never overwrite each other; memory where the browser forbids storage. */
class Shelf {
  constructor(owner) {
    this.prefix = `accord:queue:${owner}:`;
    this.memory = new Map();
  }

  put(entry) {
    const text = JSON.stringify(entry);
    try {
      localStorage.setItem(this.prefix + entry.uuid, text);
      return true;
    } catch {
      this.memory.set(entry.uuid, text);
      return false;
    }
  }

  drop(id) {
    this.memory.delete(id);
    try {
      localStorage.removeItem(this.prefix + id);
    } catch {
      /* storage is forbidden: it was only in memory */
    }
  }

  all() {
    const texts = [...this.memory.values()];
    try {
      for (let place = 0; place < localStorage.length; place += 1) {
        const key = localStorage.key(place);
        if (key.startsWith(this.prefix)) texts.push(localStorage.getItem(key));
      }
    } catch {
      /* storage is forbidden */
    }
    return texts.filter(Boolean).map((text) => JSON.parse(text))
      .sort((a, b) => a.made.localeCompare(b.made) || a.revision - b.revision);
  }
}

/**
 * States told to `onState`: "saved", "saving", "offline", "login" (come in again; nothing is lost) and
 * "refused" (the server will never take this one; the reason is told and the entry is kept aside).
 */
export class Queue {
  constructor({ owner, address, onState, onSaved = () => {}, onUnsafe = () => {} }) {
    Object.assign(this, { address, onState, onSaved, onUnsafe });
    this.shelf = new Shelf(owner);
    this.failures = 0;
    this.sending = false;
    this.timer = 0;
    addEventListener("online", () => this.send());
    addEventListener("offline", () => this.tell());
    addEventListener("pagehide", () => this.lastTry());
    document.addEventListener("visibilitychange", () => document.hidden && this.lastTry());
    this.state = "saved";
    this.reason = "";
  }

  get waiting() {
    return this.shelf.all();
  }

  add(entry) {
    const full = { uuid: uuid(), made: new Date().toISOString(), revision: 1, ...entry };
    if (!this.shelf.put(full)) this.onUnsafe();
    this.reason = "";
    this.tell("saving");
    this.send();
    return full;
  }

  tell(state = this.state) {
    this.state = state;
    const shown = state === "saving" && !navigator.onLine ? "offline" : state;
    this.onState(shown, this.waiting.length, this.reason);
  }

  async send() {
    if (this.sending) return;
    clearTimeout(this.timer);
    this.sending = true;
    try {
      let entries = this.waiting.slice(0, BATCH);
      while (entries.length) {
        this.tell("saving");
        if (!(await this.post(entries))) return;
        this.failures = 0;
        entries = this.waiting.slice(0, BATCH);
      }
      this.tell(this.reason ? "refused" : "saved");
    } finally {
      this.sending = false;
    }
  }

  /** Wait until everything is acknowledged, as long as the line holds; true if it is. */
  async settle(patience = 20000) {
    const end = Date.now() + patience;
    while (this.waiting.length && Date.now() < end && navigator.onLine) {
      await this.send();
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
    if (answer.status === 401 || answer.status === 403) return this.later("login");
    if (!answer.ok) return this.later("offline");
    const { results } = await answer.json();
    for (const result of results) {
      this.shelf.drop(result.uuid);
      if (result.status === "saved") this.onSaved(result);
      else this.reason = result.message;
    }
    return true;
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
    const entries = this.waiting.slice(0, BATCH);
    if (entries.length) fetch(this.address, this.request(entries, true)).catch(() => {});
  }
}
