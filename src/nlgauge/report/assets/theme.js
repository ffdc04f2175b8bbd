"use strict";
// Light or dark as it was left, before anything is drawn: a large page would flash otherwise.

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
