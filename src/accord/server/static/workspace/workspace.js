/** Small helps of the workspace's pages: copying, and menus that close when one looks elsewhere. */

import "../accord/language.js";
import "../organiser/cards.js";

const words = document.getElementById("script-words").dataset;

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", async () => {
    const source = document.querySelector(button.dataset.copies);
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = words.copied;
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = words.selected;
    }
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}

for (const button of document.querySelectorAll("[data-downloads]")) {
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", document.querySelector(button.dataset.downloads).value], { type: "text/csv" }));
    link.download = button.dataset.name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.more[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

/** Studies are counted beside the page: what is new is put in once it is there, unless somebody is in the middle of something. */
async function lookAgain(times) {
  const main = document.getElementById("main");
  if (!main.querySelector("[data-counting]") || !times) return;
  await new Promise((done) => { setTimeout(done, 2000); });
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!found || main.querySelector("details[open]") || main.contains(document.activeElement)) return;
  main.replaceChildren(...found.childNodes);
  lookAgain(times - 1);
}
lookAgain(15);
