/** A table of lines is cards on a phone: each cell is told the head of its column, which the style writes beside it. */

const FEW = 5;
const opened = new Set(); // tables whose rows somebody asked for stay open when their part is drawn anew

/** More than a few cards are folded on a phone, or a page would be as long as its tables; on a desk nothing is. */
function fold(table) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const name = table.closest("[aria-label]")?.getAttribute("aria-label") ?? table.caption?.textContent ?? "";
  const words = document.getElementById("script-words")?.dataset.rows;
  if (!words || rows.length <= FEW + 1 || opened.has(name) || table.matches(".folded")) return;
  rows.slice(FEW).forEach((row) => row.classList.add("later"));
  table.classList.add("folded");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "unfold";
  button.textContent = words.replace("{n}", String(rows.length));
  button.addEventListener("click", () => {
    opened.add(name);
    table.classList.remove("folded");
    button.remove();
    rows[FEW].querySelector("a, button")?.focus();
  });
  table.after(button);
}

export function tellHeads(part) {
  for (const table of part.querySelectorAll("table.lines")) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent.trim());
    for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
      let place = 0;
      for (const cell of row.cells) {
        const head = cell.tagName === "TD" && cell.colSpan === 1 && heads[place];
        if (head) cell.dataset.head ??= head;
        place += cell.colSpan;
      }
    }
  }
  for (const table of part.querySelectorAll("table.lines, table.cards")) fold(table);
}

tellHeads(document);
