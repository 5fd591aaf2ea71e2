/** Entries kept in the browser: one key an entry, so that two tabs never overwrite each other. */

export class Shelf {
  constructor(kind, owner) {
    this.kind = `accord:${kind}:`;
    this.prefix = `${this.kind}${owner}:`;
    this.memory = new Map();
  }

  /** False where the browser forbids storage: the entry is then only in memory. */
  put(name, entry) {
    const text = JSON.stringify(entry);
    try {
      localStorage.setItem(this.prefix + name, text);
      return true;
    } catch {
      this.memory.set(name, text);
      return false;
    }
  }

  drop(name) {
    this.memory.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      /* storage is forbidden: it was only in memory */
    }
  }

  get(name) {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + name) ?? this.memory.get(name) ?? "null");
    } catch {
      return JSON.parse(this.memory.get(name) ?? "null");
    }
  }

  names() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(this.prefix)).map((key) => key.slice(this.prefix.length));
    } catch {
      return [];
    }
  }

  /** In the order in which they were made. */
  all() {
    const texts = [...this.memory.values(), ...this.names().map((name) => localStorage.getItem(this.prefix + name))];
    return texts.filter(Boolean).map((text) => JSON.parse(text))
      .sort((a, b) => a.made.localeCompare(b.made) || a.revision - b.revision);
  }

  /** Another rater sits here now: what was kept of the one before goes. */
  clearOthers() {
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(this.kind) && !key.startsWith(this.prefix)) localStorage.removeItem(key);
      }
    } catch {
      /* storage is forbidden */
    }
  }
}
