"use strict";
// Long tables by the page, words of a mark on hover or focus, links that open the evidence they point at.
const PAGE = 20;
function page(table) {
  const rows = [...table.tBodies[0].rows];
  const pages = Math.ceil(rows.length / PAGE);
  let now = 0;
  const bar = document.createElement("div");
  bar.className = "pager";
  const back = document.createElement("button");
  const on = document.createElement("button");
  const words = document.createElement("span");
  back.type = on.type = "button";
  back.textContent = "Previous";
  on.textContent = "Next";
  words.setAttribute("aria-live", "polite");
  bar.append(back, on, words);
  table.parentElement.after(bar);
  function show() {
    rows.forEach((row, place) => { row.hidden = place < now * PAGE || place >= (now + 1) * PAGE; });
    back.disabled = now === 0;
    on.disabled = now === pages - 1;
    words.textContent = `${now * PAGE + 1} to ${Math.min(rows.length, (now + 1) * PAGE)} of ${rows.length}`;
  }
  back.addEventListener("click", () => { now -= 1; show(); });
  on.addEventListener("click", () => { now += 1; show(); });
  addEventListener("beforeprint", () => rows.forEach((row) => { row.hidden = false; }));
  addEventListener("afterprint", show);
  show();
}
document.querySelectorAll("table.paged").forEach(page);

// On paper nothing can be opened: what paper needs is opened before printing and closed after it.
const NEEDED = "details.long, details.paper-open, details.evidence.kept";
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll(NEEDED)].filter((one) => !one.open);
  unfolded.forEach((one) => { one.open = true; });
});
addEventListener("afterprint", () => unfolded.forEach((one) => { one.open = false; }));

const unfold = document.getElementById("unfold");
unfold.addEventListener("click", () => {
  const open = unfold.getAttribute("aria-pressed") !== "true";
  document.querySelectorAll("details.section").forEach((one) => { one.open = open; });
  unfold.setAttribute("aria-pressed", String(open));
  unfold.textContent = open ? "Close all" : "Open all";
});
document.getElementById("print").addEventListener("click", () => print());

const tip = document.getElementById("tip");
function explain(event) {
  const mark = event.target.closest && event.target.closest(".drawing [data-words]:not(g)");
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = mark.dataset.words;
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 240)}px`;
  tip.style.top = `${event.clientY + 14}px`;
}
document.addEventListener("pointermove", explain);

function open() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", open);
open();

document.addEventListener("click", async (event) => {
  if (!event.target.classList || !event.target.classList.contains("copy")) return;
  const text = event.target.parentElement.querySelector("pre").textContent;
  try {
    await navigator.clipboard.writeText(text);
    event.target.textContent = "Copied";
  } catch {
    const range = document.createRange();
    range.selectNodeContents(event.target.parentElement.querySelector("pre"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    event.target.textContent = "Selected";
  }
});
