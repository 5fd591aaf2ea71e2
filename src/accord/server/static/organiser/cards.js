/** A table of lines is cards on a phone: each cell is told the head of its column, which the style writes beside it. */

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
}

tellHeads(document);
