/** The wizard: a pasted text or a chosen file is read at once, and previews follow what is written. */

const pasted = document.getElementById("pasted");
const file = document.getElementById("file");
/* What is pasted goes in as it is, tabs and all; nobody has to press a button for it. */
pasted?.addEventListener("paste", () => setTimeout(() => pasted.form.requestSubmit(), 0));
file?.addEventListener("change", () => { if (file.files.length) file.form.requestSubmit(); });

const markdown = document.getElementById("markdown");
let waiting;
markdown?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const body = new FormData();
    body.set("text", markdown.value);
    body.set("csrfmiddlewaretoken", markdown.form.elements.csrfmiddlewaretoken.value);
    const answer = await fetch(markdown.dataset.preview, { method: "POST", body }).catch(() => null);
    if (answer?.ok) document.getElementById("markdown-preview").innerHTML = (await answer.json()).html;
  }, 300);
});

/** What was typed goes with whoever clicks on another step; whoever leaves the wizard is warned. */
const form = document.getElementById("step-form");
/* Fields of rows that come and go are kept when the step is left: places on this page would no longer be those of the file. */
const comesAndGoes = (name) => /^add$|^(statements|rater_questions|remove)-/.test(name);
let isTyped = false;
let isHeldBack = false;
form?.addEventListener("input", (event) => {
  isTyped = true;
  isHeldBack ||= comesAndGoes(event.target.name);
});
form?.addEventListener("submit", () => { isTyped = false; });
addEventListener("beforeunload", (event) => { if (isTyped) event.preventDefault(); });
for (const link of document.querySelectorAll(".steps a")) {
  link.addEventListener("click", (event) => {
    if (!isTyped) return;
    event.preventDefault();
    if (!form.reportValidity()) return;
    const then = document.createElement("input");
    Object.assign(then, { type: "hidden", name: "then", value: link.pathname.split("/").pop() });
    form.append(then);
    form.requestSubmit();
  });
}

/** The questions are saved while they are written, and the rating page beside is drawn anew. */
const live = document.querySelector("form[data-live-form]");
live?.addEventListener("change", async (event) => {
  if (event.target.name === "add" || event.target.name.startsWith("remove-")) return;
  const body = new FormData(live);
  body.set("stay", "1");
  for (const name of [...body.keys()]) if (comesAndGoes(name)) body.delete(name);
  const answer = await fetch(location.href, { method: "POST", body }).catch(() => null);
  const page = document.querySelector("iframe.live");
  if (answer?.ok) isTyped = isHeldBack;
  if (answer?.ok && page) page.contentWindow.location.reload();
});

/** What a column holds: the study is counted anew at once, and the form stays as it is under the hand. */
const mapped = document.querySelector("form[data-mapped]");
mapped?.addEventListener("change", async (event) => {
  const { name, value } = event.target;
  if (!name.startsWith("role-") && name !== "one_text") return;
  if (name !== "one_text") event.target.closest("th").className = `role-${value}`;
  const body = new FormData(mapped);
  body.set("then", "texts");
  const answer = await fetch(location.href, { method: "POST", body }).catch(() => null);
  if (!answer) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelectorAll("[data-anew]");
  const now = document.querySelectorAll("[data-anew]");
  if (found.length === now.length) now.forEach((one, place) => one.replaceWith(found[place]));
});

/* Whoever is sent to a part that is folded finds it open. */
const aimed = document.getElementById(location.hash.slice(1));
if (aimed?.tagName === "DETAILS") aimed.open = true;
