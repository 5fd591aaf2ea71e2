/** What every page of a rater has: guidelines one key away, keys explained, the language. */

import { isTyping } from "./dom.js";
import { forget, keepDraft } from "./keeping.js";
import "./language.js";

const guidelines = document.getElementById("guidelines");
const keys = document.getElementById("keys");

function toggle(dialog) {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => toggle(document.getElementById(button.dataset.opens)));
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  for (const button of dialog.querySelectorAll("[data-closes]")) button.addEventListener("click", () => dialog.close());
}
document.querySelectorAll("form[data-draft]").forEach(keepDraft);
/** A new password is typed once, and looked at where nobody else looks. */
const showing = document.getElementById("show-password");
if (showing) {
  showing.parentElement.hidden = false;
  showing.addEventListener("change", () => { document.getElementById("id_password1").type = showing.checked ? "text" : "password"; });
}
document.querySelector("form[data-leaves]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await forget();
  event.target.submit();
});
/** Look now and then whether the next part is open; the server sends on as soon as it is. */
const waiting = document.querySelector("[data-waits]");
if (waiting) {
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { method: "HEAD", redirect: "manual" }).catch(() => null);
    if (answer?.type === "opaqueredirect") location.reload();
  }, 1000 * Number(waiting.dataset.waits));
}
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector(".mark-bar:not([hidden])")) return; // letters are kinds of errors now
  if (event.key === "g" && guidelines) toggle(guidelines);
  else if (event.key === "?" && keys) toggle(keys);
  else return;
  event.preventDefault();
});
