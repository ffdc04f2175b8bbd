// Puts a slider beside the field for a number; until it is moved, there is no answer.
"use strict";
for (const field of document.querySelectorAll("input[data-slider]")) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.className = "slider";
  for (const name of ["min", "max", "step"]) slider[name] = field[name];
  slider.setAttribute("aria-labelledby", field.dataset.slider);
  const show = () => {
    slider.classList.toggle("untouched", field.value === "");
    if (field.value !== "") slider.value = field.value;
    slider.setAttribute("aria-valuetext", field.value === "" ? "not set" : field.value);
  };
  const set = () => { field.value = slider.value; show(); };
  slider.addEventListener("input", set);
  slider.addEventListener("click", set);
  slider.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); set(); } });
  field.addEventListener("input", show);
  field.closest(".amount").querySelector(".line").prepend(slider);
  show();
}
