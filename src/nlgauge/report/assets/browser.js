"use strict";
// The segments with all systems' texts and scores: filtered, sorted, some at a time, with the
// differences to the reference worked out for what is shown.

const PAGE = 20; // segments that are shown at once, or fewer where
const OUTPUTS = 80; // so many outputs are to be seen
const REFERENCES = 3; // that are shown at once
const LONG = 500; // characters of a source or reference
const MOST_CELLS = 4e6; // of an alignment; longer texts are shown without marks
const CJK = "\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff";
const WORD = new RegExp(`[${CJK}]|(?:(?![${CJK}])[\\p{L}\\p{M}\\p{N}])+(?:['’.,-](?:(?![${CJK}])[\\p{L}\\p{M}\\p{N}])+)*|\\S`, "gu");

// Words with the blanks before them.
const words = (text) => {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    found.push({ text: match[0], gap: text.slice(end, match.index) });
    end = match.index + match[0].length;
  }
  return found;
};

// The fewest edits from reference to hypothesis: [operation, word of hyp, word of ref]. Of equally
// many, those that keep the most words: changing a word costs a little more.
const EDIT = 4096;
const editScript = (hyp, ref) => {
  const [n, m] = [hyp.length, ref.length];
  const width = m + 1;
  const cost = new Uint32Array((n + 1) * width);
  for (let i = 0; i <= n; i++) cost[i * width] = i * EDIT;
  for (let j = 0; j <= m; j++) cost[j] = j * EDIT;
  for (let i = 1; i <= n; i++) {
    for (let j = 1; j <= m; j++) {
      const change = cost[(i - 1) * width + j - 1] + (hyp[i - 1].text === ref[j - 1].text ? 0 : EDIT + 1);
      const insert = cost[(i - 1) * width + j] + EDIT;
      const remove = cost[i * width + j - 1] + EDIT;
      cost[i * width + j] = Math.min(change, insert, remove);
    }
  }
  const script = [];
  for (let i = n, j = m; i > 0 || j > 0;) {
    const here = cost[i * width + j];
    const same = i > 0 && j > 0 && hyp[i - 1].text === ref[j - 1].text;
    if (i > 0 && j > 0 && here === cost[(i - 1) * width + j - 1] + (same ? 0 : EDIT + 1)) {
      script.push([same ? "match" : "substitute", --i, --j]);
    } else if (i > 0 && here === cost[(i - 1) * width + j] + EDIT) script.push(["insert", --i, -1]);
    else script.push(["delete", -1, --j]);
  }
  return { script: script.reverse(), cost: cost[n * width + m] };
};

// The hypothesis with marks: words changed, added, and (struck out) missing.
const showEdits = (target, text, references) => {
  const hyp = words(text);
  let best = null;
  for (const reference of references) {
    const ref = words(reference);
    if (hyp.length * ref.length > MOST_CELLS) continue;
    const { script, cost } = editScript(hyp, ref);
    if (best === null || cost < best.cost) best = { script, cost, ref };
  }
  if (best === null) return target.append(text);
  best.script.forEach(([operation, i, j], step) => {
    // Words that were missing may stand where the text had no blank.
    if (step > 0 && best.script[step - 1][0] === "delete" && i >= 0 && !hyp[i].gap) target.append(best.ref[j]?.gap || "");
    if (operation === "match") target.append(hyp[i].gap + hyp[i].text);
    else if (operation === "delete") target.append(best.ref[j].gap, make("del", { title: "missing" }, best.ref[j].text));
    else if (operation === "insert") target.append(hyp[i].gap, make("ins", { title: "added" }, hyp[i].text));
    else target.append(hyp[i].gap, make("mark", { title: `instead of: ${best.ref[j].text}` }, hyp[i].text));
  });
};

// A metric's own comparison, worked out beforehand: words of both sides, and a letter for each
// edit or the runs of matches.
const showTrace = (target, [hypWords, refWords, found]) => {
  const split = (given) => (typeof given === "string" ? given.split(" ") : given);
  const [hyp, ref] = [split(hypWords), split(refWords)];
  const blank = hyp.every((word) => [...word].length <= 1) ? "" : " ";
  if (typeof found === "string") {
    let [i, j] = [0, 0];
    for (const letter of found) {
      if (letter === "D") target.append(make("del", { title: "missing" }, ref[j++]));
      else if (letter === "I") target.append(make("ins", { title: "added" }, hyp[i++]));
      else if (letter === "S") target.append(make("mark", { title: `instead of: ${ref[j++]}` }, hyp[i++]));
      else target.append(hyp[i++]), j++;
      target.append(blank);
    }
    return;
  }
  let next = 0;
  const skipTo = (end) => {
    if (end > next) target.append(make("span", { class: "none" }, hyp.slice(next, end).join(blank)), blank);
  };
  for (const [i, j, length] of found) {
    skipTo(i);
    const title = `in the reference: ${ref.slice(j, j + length).join(blank)}`;
    target.append(make("span", { class: "run", title }, hyp.slice(i, i + length).join(blank)), blank);
    next = i + length;
  }
  skipTo(hyp.length);
};

// A text with the errors that were marked in it, in pieces with the severity of each.
const showMarks = (target, { pieces, missing }) => {
  for (const [text, severity] of pieces) {
    target.append(severity ? make("span", { class: `error ${severity}`, title: severity }, text) : text);
  }
  for (const error of missing) target.append(" ", make("span", { class: "error none" }, `[${error}]`));
};

const openBrowser = (root, data) => {
  const control = (name) => root.querySelector(`[name=${name}]`);
  const value = (name) => control(name).value;
  const number = (name, otherwise) => (value(name) === "" ? otherwise : Number(value(name)));
  const count = data.references.length;
  const everySystem = data.systems.map((_, i) => i);
  const lengths = data.references.map((refs, i) => {
    const text = refs.length ? refs[0] : (data.hypotheses.find((h) => h[i] !== null) || [])[i] || "";
    return words(text).length;
  });
  let order = [];
  let page = 0;

  const size = Math.max(4, Math.min(PAGE, Math.floor(OUTPUTS / data.systems.length)));
  const shown = () => everySystem.filter((s) => control(`system${s}`).checked);
  const scoreOf = (system, i) => {
    const metric = Number(value("metric"));
    if (system !== "any") return data.scores[Number(system)][metric][i];
    const known = shown().map((s) => data.scores[s][metric][i]).filter((x) => x !== null);
    return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
  };
  const keyOf = {
    position: (i) => i,
    length: (i) => lengths[i],
    score: (i) => scoreOf(value("system"), i),
    difference: (i) => {
      const [a, b] = [scoreOf(value("system"), i), scoreOf(value("against"), i)];
      return a === null || b === null ? null : a - b;
    },
  };

  const matches = () => {
    const text = value("search").trim().toLowerCase();
    const [short, long] = [number("shortest", 0), number("longest", Infinity)];
    const [low, high] = [number("lowest", -Infinity), number("highest", Infinity)];
    const scored = data.metrics.length > 0 && (value("lowest") !== "" || value("highest") !== "");
    const systems = shown();
    const has = (s) => s !== null && s !== undefined && s.toLowerCase().includes(text);
    return (i) => {
      if (lengths[i] < short || lengths[i] > long) return false;
      if (scored) {
        const score = scoreOf(value("system"), i);
        if (score === null || score < low || score > high) return false;
      }
      return !text || has(data.ids[i]) || data.references[i].some(has) ||
        (data.sources !== null && has(data.sources[i])) ||
        systems.some((s) => has(data.hypotheses[s][i]));
    };
  };

  const row = (who, ...content) => make("div", { class: "row" }, make("div", { class: "who" }, ...[who].flat()), make("div", {}, ...content));

  // A long text is cut to a few lines until it is clicked.
  const plain = (text) => {
    const long = text.length > LONG;
    const said = make("div", { class: long ? "said cut" : "said", dir: "auto" }, text);
    if (!long) return said;
    const button = make("button", { type: "button", class: "whole" });
    const cut = (on) => {
      said.classList.toggle("cut", on);
      button.textContent = on ? "whole text" : "less";
      button.setAttribute("aria-expanded", String(!on));
    };
    for (const target of [said, button]) target.addEventListener("click", () => cut(!said.classList.contains("cut")));
    cut(true);
    return make("div", {}, said, button);
  };

  const systemRow = (s, i, best) => {
    const text = data.hypotheses[s][i];
    const said = make("div", { class: "said", dir: "auto" });
    const way = value("highlight");
    const trace = data.traces[way]?.[s]?.[i];
    if (trace?.pieces) showMarks(said, trace);
    else if (trace) showTrace(said, trace);
    else if (way === "none" || !data.references[i].length) said.append(text);
    else showEdits(said, text, data.references[i]);
    const marks = make("div", { class: "marks" });
    data.metrics.forEach((metric, m) => {
      const score = data.scores[s][m][i];
      if (score === null) return;
      const shownScore = score.toFixed(metric.digits);
      marks.append(make("span", {}, `${metric.name} `, best[m] === score ? make("b", {}, shownScore) : shownScore));
    });
    return row([make("i", { class: `dot b-series${s % 8}` }), data.systems[s]], said, marks);
  };

  const linkTo = (i) => `#segment=${encodeURIComponent(data.ids[i])}`;

  const card = (i) => {
    const systems = shown().filter((s) => data.hypotheses[s][i] !== null);
    const best = data.metrics.map((metric, m) => {
      const known = systems.map((s) => data.scores[s][m][i]).filter((x) => x !== null);
      if (known.length < 2) return null;
      return metric.higher ? Math.max(...known) : Math.min(...known);
    });
    const link = make("a", { href: linkTo(i), title: "a link to this segment", dir: "auto" }, data.ids[i]);
    const article = make("article", { class: "segment" }, make("h3", {}, link, ` · ${lengths[i]} words`));
    if (location.hash === linkTo(i)) article.classList.add("linked");
    if (data.sources !== null) article.append(row("source", plain(data.sources[i])));
    const many = data.references[i].length > 1;
    const references = data.references[i].map((text, k) => row(many ? `reference ${k + 1}` : "reference", plain(text)));
    article.append(...references.slice(0, REFERENCES));
    if (references.length > REFERENCES) {
      const summary = make("summary", {}, `${references.length - REFERENCES} more references`);
      article.append(make("details", { class: "row more" }, summary, ...references.slice(REFERENCES)));
    }
    article.append(...systems.map((s) => systemRow(s, i, best)));
    return article;
  };

  const render = () => {
    const pages = Math.max(1, Math.ceil(order.length / size));
    page = Math.min(Math.max(0, page), pages - 1);
    const here = order.slice(page * size, (page + 1) * size);
    root.querySelector(".list").replaceChildren(...here.map(card));
    const first = page * size;
    for (const pager of root.querySelectorAll(".pager")) {
      pager.querySelector("output").textContent = order.length
        ? `${first + 1}–${first + here.length} of ${order.length}${order.length < count ? ` (${count} in all)` : ""}`
        : `none of ${count} segments`;
      pager.querySelector("[data-turn='-1']").disabled = page === 0;
      pager.querySelector("[data-turn='1']").disabled = page === pages - 1;
    }
  };

  const update = () => {
    const keep = matches();
    order = [];
    for (let i = 0; i < count; i++) if (keep(i)) order.push(i);
    const key = keyOf[value("sort")];
    const sign = value("direction") === "down" ? -1 : 1;
    const keys = new Map(order.map((i) => [i, key(i)]));
    order.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return sign * (x - y) || a - b;
    });
    page = 0;
    render();
  };

  // Turns to the segment that the page's address names; filters that hide it are cleared.
  const goToLinked = () => {
    const i = data.ids.findIndex((_, k) => location.hash === linkTo(k));
    if (i < 0) return;
    if (!order.includes(i)) {
      root.querySelector("form").reset();
      update();
    }
    page = Math.floor(order.indexOf(i) / size);
    render();
    root.querySelector(".linked").scrollIntoView({ block: "center" });
  };

  // All segments that are left by the filters, a row for each output.
  const save = () => {
    const names = ["id", ...(data.sources === null ? [] : ["source"]), "reference", "system", "output"];
    const rows = [[...names, ...data.metrics.map((metric) => metric.name)]];
    for (const i of order) {
      for (const s of shown()) {
        if (data.hypotheses[s][i] === null) continue;
        const given = [data.ids[i], ...(data.sources === null ? [] : [data.sources[i]]), data.references[i].join(" | ")];
        rows.push([...given, data.systems[s], data.hypotheses[s][i], ...data.scores[s].map((scores) => scores[i])]);
      }
    }
    saveCsv(rows, "segments");
  };

  let waiting;
  root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  root.querySelector("form").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-all]")) {
      const boxes = everySystem.map((s) => control(`system${s}`));
      const on = boxes.some((box) => !box.checked);
      for (const box of boxes) box.checked = on;
      update();
    }
    if (event.target.closest("[data-segments-csv]")) save();
    const button = event.target.closest("[data-turn]");
    if (!button) return;
    page += Number(button.dataset.turn);
    render();
    root.scrollIntoView();
  });
  update();
  addEventListener("hashchange", goToLinked);
  goToLinked();
};

for (const root of document.querySelectorAll(".browser")) openBrowser(root, read(root.dataset.segments));
