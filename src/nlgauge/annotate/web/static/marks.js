// Lets annotators mark passages: with the mouse, by touch, or with the keys alone.
// Offsets are UTF-16 code units, as everywhere in a browser; the server turns them into characters.
"use strict";
for (const widget of document.querySelectorAll("[data-marks]")) {
  const field = widget.querySelector("input[type=hidden]");
  const texts = [...widget.querySelectorAll("[data-text]")];
  const whole = new Map(texts.map((box) => [box, box.textContent]));
  const label = widget.querySelector("[data-label]");
  const add = widget.querySelector("button[data-add]");
  const list = widget.querySelector("ul");
  const chosen = widget.querySelector("[data-chosen]");
  const known = widget.querySelector("datalist");
  let marks = JSON.parse(field.value || "[]");
  let picked = null; // {box, start, end}: the passage that would be marked
  const caret = new Map(texts.map((box) => [box, 0])); // where the keys go on

  const severity = () => widget.querySelector("input[data-severity]:checked");
  const offset = (box, node, at) => {
    const range = document.createRange();
    range.selectNodeContents(box);
    range.setEnd(node, at);
    return range.toString().length;
  };
  const place = (box, at) => {
    const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    let node;
    while ((node = walk.nextNode())) {
      if (at <= node.length) return [node, at];
      at -= node.length;
    }
    return [box, box.childNodes.length];
  };
  const pieces = (text, granularity) => {
    const found = [];
    for (const piece of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
      // Between words, only blanks are passed over: punctuation and emoji can be wrong, too.
      if (granularity === "grapheme" || piece.segment.trim()) found.push([piece.index, piece.index + piece.segment.length]);
    }
    return found;
  };

  const pick = (box, start, end) => {
    picked = start < end ? { box, start, end } : null;
    caret.set(box, end);
    chosen.textContent = picked ? whole.get(box).slice(start, end) : "";
    widget.classList.toggle("picking", picked !== null);
    add.disabled = picked === null;
  };
  const select = (box, start, end) => {
    const selection = getSelection();
    selection.setBaseAndExtent(...place(box, start), ...place(box, end));
    pick(box, start, end);
  };
  document.addEventListener("selectionchange", () => {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const box = texts.find((each) => each.contains(range.startContainer) && each.contains(range.endContainer));
    if (!box) return;
    pick(box, offset(box, range.startContainer, range.startOffset), offset(box, range.endContainer, range.endOffset));
  });

  // Arrows go from word to word; with Shift they change the end by a character, with Ctrl by a word.
  const move = (box, forward, extend, byWord) => {
    const text = whole.get(box);
    const words = pieces(text, "word");
    const all = words.length ? words : pieces(text, "grapheme");
    const here = picked?.box === box ? picked : null;
    if (!here || !extend) {
      const next = forward ? all.find(([start]) => start >= caret.get(box))
        : all.findLast(([, end]) => end <= (here ? here.start : caret.get(box)));
      if (next) select(box, ...next);
      return;
    }
    const ends = (byWord ? all : pieces(text, "grapheme")).map(([, end]) => end);
    const next = forward ? ends.find((end) => end > here.end) : ends.findLast((end) => end < here.end);
    if (next !== undefined && next > here.start) select(box, here.start, next);
  };
  for (const box of texts) {
    box.addEventListener("keydown", (event) => {
      const arrow = { ArrowRight: true, ArrowLeft: false, ArrowDown: true, ArrowUp: false }[event.key];
      if (arrow === undefined) {
        if (event.key === "Enter" && picked) { event.preventDefault(); (label ?? widget.querySelector("input[data-severity]") ?? add).focus(); }
        return;
      }
      event.preventDefault();
      const sideways = event.key === "ArrowRight" || event.key === "ArrowLeft";
      const turned = sideways && getComputedStyle(box).direction === "rtl";
      move(box, arrow !== turned, event.shiftKey, event.ctrlKey || event.altKey);
    });
  }

  const draw = () => {
    for (const box of texts) {
      const own = marks.filter((mark) => mark.text === box.dataset.text);
      const text = whole.get(box);
      const cuts = [...new Set([0, text.length, ...own.flatMap((mark) => [mark.start, mark.end])])].sort((a, b) => a - b);
      const parts = cuts.slice(1).map((end, k) => {
        const inside = own.filter((mark) => mark.start <= cuts[k] && end <= mark.end);
        const part = text.slice(cuts[k], end);
        if (!inside.length) return document.createTextNode(part);
        const shown = document.createElement("mark");
        const most = Math.max(...inside.map((mark) => Number(mark.level ?? 0)));
        shown.className = `level${most}`;
        shown.textContent = part;
        return shown;
      });
      box.replaceChildren(...parts);
    }
    list.replaceChildren(...marks.map((mark, k) => {
      const line = document.createElement("li");
      const quote = document.createElement("q");
      quote.dir = "auto";
      quote.textContent = whole.get(texts.find((box) => box.dataset.text === mark.text)).slice(mark.start, mark.end);
      const what = document.createElement("span");
      what.textContent = [mark.severityText, mark.labelText].filter(Boolean).join(" · ");
      const drop = document.createElement("button");
      drop.type = "button";
      drop.className = "quiet";
      drop.textContent = "remove";
      drop.setAttribute("aria-label", `remove the mark ${quote.textContent}`);
      drop.addEventListener("click", () => { marks.splice(k, 1); keep(); (list.querySelector("button") ?? texts[0]).focus(); });
      line.append(quote, what, drop);
      return line;
    }));
    if (known) {
      known.replaceChildren(...[...new Set(marks.map((mark) => mark.label))].map((name) => {
        const option = document.createElement("option");
        option.value = name;
        return option;
      }));
    }
  };
  const keep = () => { field.value = JSON.stringify(marks); draw(); };

  add.addEventListener("click", () => {
    const error = widget.querySelector(".error");
    const level = severity();
    const missing = !picked ? "Select a passage first."
      : label && !label.value.trim() ? `Give the mark a ${label.dataset.label}.`
      : widget.querySelector("input[data-severity]") && !level ? "Choose a severity." : "";
    error.textContent = missing;
    error.hidden = !missing;
    if (missing) return;
    const named = label?.selectedOptions ? label.selectedOptions[0].textContent : label?.value;
    marks.push({
      text: picked.box.dataset.text, start: picked.start, end: picked.end,
      ...(label ? { label: label.value.trim(), labelText: named } : {}),
      ...(level ? { severity: level.value, severityText: level.parentElement.textContent.trim(), level: level.dataset.severity } : {}),
    });
    const { box, end } = picked;
    keep();
    getSelection().removeAllRanges();
    pick(box, end, end);
    if (label && !label.selectedOptions) label.value = "";
    box.focus();
  });
  pick(texts[0], 0, 0);
  draw();
}
