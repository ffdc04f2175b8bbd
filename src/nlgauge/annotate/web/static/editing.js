// Counts the keys that are pressed while a text is edited.
"use strict";
for (const field of document.querySelectorAll("textarea[data-keys]")) {
  const count = document.getElementById(field.dataset.keys);
  field.addEventListener("beforeinput", () => { count.value = Number(count.value || 0) + 1; });
}
