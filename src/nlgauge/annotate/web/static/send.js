// Sends an answer; what is not saved stays in the page, is told, and is sent again.
"use strict";
(() => {
  const form = document.querySelector("form[data-send]");
  if (!form) return;
  const told = document.getElementById("told");
  const button = form.querySelector("button[type=submit]");
  const label = button.textContent;
  const first = 1000, longest = 15000; // milliseconds until it is sent again
  let sending = false, wait = first, timer = null;

  // Time that the page was looked at.
  let seen = 0, since = document.hidden ? null : performance.now();
  const pause = () => { if (since !== null) { seen += performance.now() - since; since = null; } };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) pause(); else since ??= performance.now();
  });
  const seconds = () => ((seen + (since === null ? 0 : performance.now() - since)) / 1000).toFixed(3);

  const tell = (text, kind) => {
    told.textContent = text;
    told.dataset.kind = kind;
    told.hidden = !text;
  };
  const clear = () => {
    for (const error of form.querySelectorAll(".error")) { error.hidden = true; error.textContent = ""; }
    for (const part of form.querySelectorAll("[aria-invalid]")) part.removeAttribute("aria-invalid");
  };
  const show = (errors) => {
    let place = null;
    for (const [name, text] of Object.entries(errors)) {
      const part = form.querySelector(`[data-widget="${CSS.escape(name)}"]`);
      if (!part) continue;
      const error = part.querySelector(".error");
      error.textContent = text;
      error.hidden = false;
      part.setAttribute("aria-invalid", "true");
      place ??= part;
    }
    place?.querySelector("input:not([type=hidden]), select, textarea, [tabindex]")?.focus();
    tell("Not saved yet: please look at what is marked.", "wrong");
  };
  const ready = () => { sending = false; button.disabled = false; button.textContent = label; };

  const again = (reason) => {
    tell(`${reason} Your answer is still here and will be sent again.`, "lost");
    button.disabled = false;
    button.textContent = "Send again now";
    clearTimeout(timer);
    timer = setTimeout(send, wait);
    wait = Math.min(2 * wait, longest);
  };

  async function send() {
    clearTimeout(timer);
    if (sending) return;
    sending = true;
    button.disabled = true;
    button.textContent = "Saving …";
    form.elements.seconds.value = seconds();
    let answer, said;
    try {
      answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin",
        headers: { Accept: "application/json" }, redirect: "error",
      });
      said = await answer.json();
    } catch {
      sending = false;
      again("Not saved: the server cannot be reached.");
      return;
    }
    if (answer.ok) {
      tell("", "");
      form.dataset.saved = "";
      location.assign(said.next);
    } else if (answer.status === 422) {
      ready();
      show(said.errors);
    } else if (answer.status >= 500 || answer.status === 429) {
      sending = false;
      again(`Not saved: ${said.message}`);
    } else {
      ready();
      tell(`Not saved: ${said.message}`, "wrong");
    }
  }

  form.noValidate = true; // the server says what is missing, in words and in the right place
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clear();
    wait = first;
    send();
  });
  addEventListener("online", () => { if (told.dataset.kind === "lost") send(); });
  addEventListener("beforeunload", (event) => {
    if (told.dataset.kind === "lost" && !("saved" in form.dataset)) event.preventDefault();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
