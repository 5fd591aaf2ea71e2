/** An open number: typed, or counted up and down. */

import { element, say } from "./dom.js";
import { TypedNumber } from "./typed.js";

class OpenNumber extends TypedNumber {
  constructor({ criterion, ...more }) {
    super({ criterion, low: criterion.low ?? 0, high: criterion.high ?? Infinity, isWhole: false, ...more });
    const step = (by, sign, words) => element("button", { type: "button", class: "step", "aria-label": words, "aria-keyshortcuts": sign === "−" ? "-" : sign, onclick: () => this.step(by) }, sign);
    this.element = element("div", { class: "open-number" }, step(-1, "−", say("one_fewer")), this.box, step(1, "+", say("one_more")),
      criterion.unit ? element("span", { class: "soft", dir: "auto" }, criterion.unit) : null);
    this.show();
  }

  /** What is counted begins at the lowest number. */
  firstStep(by) {
    return this.low + Math.max(0, by);
  }

  /** Plus and minus count from anywhere on the page. */
  key(event) {
    const by = { "+": 1, "-": -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey) return super.key(event);
    this.step(by);
    return "changed";
  }
}

export function openNumber(options) {
  return new OpenNumber(options);
}
