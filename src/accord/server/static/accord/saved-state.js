/** Tells, in words and for screen readers, whether the work is saved. */

import { element, say } from "./dom.js";

export function savedState(box) {
  const text = element("span", {});
  box.replaceChildren(element("span", { class: "dot", "aria-hidden": "true" }), text);
  const onState = (state, waiting) => {
    box.dataset.state = state;
    const phrase = say(state === "offline" && !waiting ? "state_offline_all_saved" : `state_${state}`, { waiting });
    if (text.textContent !== phrase) text.textContent = phrase;
    for (const why of ["login", "paused", "closed", "part"]) {
      const notice = document.getElementById(`${why}-notice`);
      if (notice) notice.hidden = state !== why;
    }
  };
  const onUnsafe = () => {
    addEventListener("beforeunload", (event) => box.dataset.state !== "saved" && event.preventDefault());
  };
  onState("saved", 0);
  return { onState, onUnsafe };
}
