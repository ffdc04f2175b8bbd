"use strict";
// Tables that sort and can be copied, figures that can be saved. Text from the data is only ever
// set as text, never as markup.

const read = (id) => {
  const holder = document.getElementById(id);
  return holder ? JSON.parse(holder.textContent) : null;
};

const make = (tag, options = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") element.className = value;
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

// Numbers before texts, cells without a value last whatever the direction.
const compareCells = (a, b, sign) => {
  const [x, y] = [a.dataset.v, b.dataset.v];
  if (x === "" || y === "") return (x === "") - (y === "");
  if (x !== undefined && y !== undefined) return sign * (Number(x) - Number(y));
  return sign * a.textContent.localeCompare(b.textContent, undefined, { numeric: true });
};

const sortTable = (heading) => {
  const table = heading.closest("table");
  const column = heading.cellIndex;
  const numeric = heading.classList.contains("num");
  const before = heading.getAttribute("aria-sort");
  // A first click puts the largest numbers on top, and texts in their order.
  const ascending = before === "none" ? !numeric : before === "descending";
  for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  rows.sort((a, b) => compareCells(a.cells[column], b.cells[column], ascending ? 1 : -1));
  body.append(...rows);
};

const copyText = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const label = button.textContent;
  button.textContent = "copied";
  setTimeout(() => { button.textContent = label; }, 1200);
};

const download = (blob, name) => {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const tableOf = (button) => read("_tables")[Number(button.closest(".table").dataset.table)];

// Rows of cells as a file; a mark at its start tells spreadsheets that it is UTF-8.
const saveCsv = (rows, name) => {
  // What a spreadsheet would compute gets a ' before it; numbers stay as they are.
  const harmless = (cell) => (/^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell);
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const line = (row) => row.map((cell) => quoted(harmless(String(cell ?? "")))).join(",") + "\r\n";
  const text = rows.map(line).join("");
  download(new Blob(["\ufeff", text], { type: "text/csv" }), `${name}.csv`);
};

// A picture with colours of its own, as on white paper.
const standalone = (svg) => {
  const copy = svg.cloneNode(true);
  copy.removeAttribute("style");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = read("_figure-style");
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
};

const saveFigure = (button) => {
  const figure = button.closest("figure");
  const svg = figure.querySelector("svg");
  const blob = new Blob([standalone(svg)], { type: "image/svg+xml" });
  const name = figure.dataset.name;
  if (button.dataset.save === "svg") return download(blob, `${name}.svg`);
  const image = new Image();
  image.onload = () => {
    const scale = 3;
    const canvas = make("canvas", { width: image.width * scale, height: image.height * scale });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((png) => download(png, `${name}.png`));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standalone(svg));
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const heading = button.closest("thead th");
  if (heading) sortTable(heading);
  else if (button.dataset.copy) copyText(tableOf(button)[button.dataset.copy], button);
  else if ("csv" in button.dataset) {
    const rows = tableOf(button).tsv.trimEnd().split("\n").map((line) => line.split("\t"));
    saveCsv(rows, button.closest(".table").dataset.name);
  } else if (button.dataset.save) saveFigure(button);
});
