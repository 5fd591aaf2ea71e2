/** Tells, in words and for screen readers, whether the work is saved. */

import { element, say } from "./dom.js";

export function savedState(box) {
  const text = element("span", {});
  const more = element("span", { class: "saved-more" });
  box.replaceChildren(element("span", { class: "dot", "aria-hidden": "true" }), text, more);
  const onState = (state, waiting, reason) => {
    box.dataset.state = state;
    const phrase = say(`state_${state}`, { waiting });
    if (text.textContent !== phrase) text.textContent = phrase;
    more.textContent = state === "refused" ? reason : "";
    const notice = document.getElementById("login-notice");
    if (notice) notice.hidden = state !== "login";
  };
  const onUnsafe = () => {
    addEventListener("beforeunload", (event) => box.dataset.state !== "saved" && event.preventDefault());
  };
  onState("saved", 0, "");
  return { onState, onUnsafe };
}
