/** Beside the work: what the severities mean, and the keys of this page. */

import { element, say } from "./dom.js";
import { nameAndWhy } from "./marks.js";

/** How grave an error is, in the order of its keys, as the study explains it. */
function severities(criterion) {
  const rows = criterion.severities.flatMap((severity) => {
    const { name, why } = nameAndWhy(severity);
    return [element("dt", {}, element("i", { class: `sw ${severity.ground}`, "aria-hidden": "true" })), element("dd", { dir: "auto" }, element("b", {}, name), why)];
  });
  return element("section", { class: "rail-part" }, element("h2", {}, say("how_grave")), element("dl", {}, ...rows));
}

function key(...signs) {
  return element("dt", {}, ...signs.map((sign) => element("kbd", {}, sign)));
}

/** A key for each severity, or for the mark where there is but one kind. */
function numbers({ severities: known }) {
  return Array.from({ length: Math.max(1, known.length) }, (_, place) => String(place + 1));
}

function keys(criteria) {
  const kinds = new Set(criteria.map(({ kind }) => kind));
  const marked = criteria.find(({ kind }) => kind === "spans");
  const rows = [];
  if (marked) rows.push([key(...numbers(marked), ...(marked.values.length ? ["a"] : [])), say(marked.values.length ? "key_mark" : "key_severity")]);
  if (marked) rows.push([key("←", "→"), say("key_words")]);
  if (marked) rows.push([key("0"), say("no_errors")]);
  if (kinds.has("slider")) rows.push([key("8", "7"), say("key_score")]);
  rows.push([key("↵"), say("key_next")], [key("u"), say("undo")], [key("c"), say("comment")], [key("x"), say("cannot_judge")], [key("?"), say("key_help")]);
  return element("section", { class: "rail-part with-keys" }, element("h2", {}, say("keys")), element("dl", { class: "map" },
    ...rows.flatMap(([signs, words]) => [signs, element("dd", {}, words)])));
}

export function rail(criteria) {
  const marked = criteria.find(({ kind, severities: known }) => kind === "spans" && known.length);
  return [...(marked ? [severities(marked)] : []), keys(criteria)];
}
