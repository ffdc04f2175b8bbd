// Digits choose an option: of the question that has the focus, otherwise of the first without answer.
"use strict";
(() => {
  const choices = [...document.querySelectorAll("fieldset[data-choice]")];
  if (!choices.length) return;
  const radios = (choice) => [...choice.querySelectorAll("input[type=radio]")];
  const writes = (place) =>
    place.matches("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select, [role=textbox]");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
    if (writes(event.target)) return;
    const here = event.target.closest("fieldset[data-choice]");
    const choice = here ?? choices.find((c) => !radios(c).some((r) => r.checked)) ?? choices[0];
    const options = radios(choice);
    const chosen = options.find((r) => r.value === event.key && choice.dataset.choice === "scale")
      ?? (choice.dataset.choice === "list" ? options[Number(event.key) - 1] : undefined);
    if (!chosen) return;
    event.preventDefault();
    chosen.checked = true;
    const open = choices[choices.indexOf(choice) + 1];
    const next = open && !radios(open).some((r) => r.checked) ? radios(open)[0] : chosen;
    next.focus();
  });
})();
