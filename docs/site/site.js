// What can be scrolled can be reached by the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll(".table-wrapper, .cell_output, .highlight pre")) box.tabIndex = 0;
});
