/** The dashboard asks for its changing parts every few seconds and puts in those that changed. */

import "../accord/language.js";
import { tellHeads } from "./cards.js";

const words = document.getElementById("script-words").dataset;
const state = document.getElementById("live-state");
const PAUSE = Number(state?.dataset.pause) || 5000;
const PATIENCE = 60000;
let wait = PAUSE;

/** On a narrow screen the tab of the open page may lie beyond the edge: the menu is moved until it is in the middle. */
function showTab() {
  const menu = document.querySelector(".menu");
  const tab = menu?.querySelector("[aria-current]");
  if (!tab) return;
  const middle = (box) => box.left + box.width / 2;
  menu.scrollLeft += middle(tab.getBoundingClientRect()) - middle(menu.getBoundingClientRect());
}

showTab();

async function update() {
  try {
    const answer = await fetch(state.dataset.liveFrom, { headers: { Accept: "application/json" }, redirect: "error" });
    if (!answer.ok) throw new Error(String(answer.status));
    const { parts, computing } = await answer.json();
    for (const [name, html] of Object.entries(parts)) replace(name, html);
    state.textContent = computing ? words.computing : "";
    wait = PAUSE;
  } catch {
    state.textContent = words.silent;
    wait = Math.min(wait * 2, PATIENCE);
  }
  setTimeout(update, wait);
}

/** What the reader is in the middle of is left alone: a focused element or a selection inside the part. */
function replace(name, html) {
  const part = document.querySelector(`[data-live="${name}"]`);
  if (!part || part.dataset.last === html || part.contains(document.activeElement)) return;
  const selection = getSelection();
  if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return;
  const scrolled = [...part.querySelectorAll(".scroller")].map((box) => box.scrollLeft);
  part.innerHTML = html;
  part.dataset.last = html;
  tellHeads(part);
  part.querySelectorAll(".scroller").forEach((box, place) => { box.scrollLeft = scrolled[place] ?? 0; });
}

if (state) {
  document.addEventListener("visibilitychange", () => { if (!document.hidden) wait = PAUSE; });
  setTimeout(update, 500);
}
