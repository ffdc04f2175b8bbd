// What fits the page to its reader: light or dark, hints where something is wider than the screen,
// and which section is being read.

const THEME = "nlgauge-theme";
const remember = (theme) => {
  try {
    localStorage.setItem(THEME, theme);
  } catch { /* a file may have no storage */ }
};
const remembered = () => {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
};

const setTheme = (theme) => { if (theme) document.documentElement.dataset.theme = theme; };
setTheme(remembered());

for (const button of document.querySelectorAll("[data-switch]")) {
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    setTheme(dark ? "light" : "dark");
    remember(root.dataset.theme);
  });
}

// What can be scrolled says so, and can be reached with the keyboard.
const hint = (area) => {
  const more = area.scrollWidth - area.clientWidth > 1;
  const rest = area.scrollWidth - area.clientWidth - area.scrollLeft > 1;
  if (more) area.tabIndex = 0;
  else area.removeAttribute("tabindex");
  area.parentElement.classList.toggle("more", more);
  area.parentElement.classList.toggle("rest", rest);
};
const watch = new ResizeObserver((entries) => { for (const { target } of entries) hint(target); });
for (const area of document.querySelectorAll(".scroll")) {
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
