// What fits the page to its reader: a switch between light and dark, hints where something is wider than the screen,
// and which section is being read.

for (const button of document.querySelectorAll("[data-switch]")) {
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    setTheme(dark ? "light" : "dark");
    remember(root.dataset.theme);
  });
}

// What can be scrolled says so, and can be reached with the keyboard. A table that is too wide has
// its intervals below the numbers, which may be enough.
const hint = (area) => {
  const table = area.querySelector(":scope > table");
  if (table) {
    table.classList.remove("stacked");
    table.classList.toggle("stacked", area.scrollWidth - area.clientWidth > 1);
  }
  const more = area.scrollWidth - area.clientWidth > 1;
  const left = area.parentElement.classList.contains("from-right");
  const rest = left ? area.scrollLeft > 1 : area.scrollWidth - area.clientWidth - area.scrollLeft > 1;
  if (more) area.tabIndex = 0;
  else area.removeAttribute("tabindex");
  area.parentElement.classList.toggle("more", more);
  area.parentElement.classList.toggle("rest", rest);
};
const watch = new ResizeObserver((entries) => { for (const { target } of entries) hint(target); });
for (const area of document.querySelectorAll(".scroll")) {
  if (area.parentElement.classList.contains("from-right")) area.scrollLeft = area.scrollWidth;
  watch.observe(area);
  area.addEventListener("scroll", () => hint(area), { passive: true });
}

const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
const seen = new Map();
const follow = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) seen.set(target.id, isIntersecting);
  const first = [...links.keys()].find((id) => seen.get(id));
  for (const [id, link] of links) {
    if (id === first) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}, { rootMargin: "-15% 0px -60% 0px" });
for (const section of document.querySelectorAll("main > section")) follow.observe(section);

// Of a long table on a page that has more to say, the first rows are shown.
const ROWS = 20;
const MOST_ROWS = 30;
for (const body of document.querySelectorAll("#in-short ~ section tbody")) {
  if (body.rows.length <= MOST_ROWS) continue;
  const table = body.closest(".table");
  const button = make("button", { type: "button", class: "fold" });
  const fold = (on) => {
    table.classList.toggle("folded", on);
    button.textContent = on ? `show all ${body.rows.length} rows` : `show ${ROWS} rows`;
    button.setAttribute("aria-expanded", String(!on));
  };
  button.addEventListener("click", () => fold(!table.classList.contains("folded")));
  fold(true);
  table.querySelector(".hinted").after(button);
}

// Paper shows what a screen folds away, but for the controls of the segments.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not(.filters):not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});
