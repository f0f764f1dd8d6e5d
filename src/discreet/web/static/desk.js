"use strict";
// What all pages share: work that goes on, forms that keep the place, keys, and words for marks.
(() => {
  const said = document.getElementById("said");

  // Work: follow it until it is over, then show what it told.
  for (const panel of document.querySelectorAll("[data-work]")) {
    const source = new EventSource("/work/progress?work=" + encodeURIComponent(panel.dataset.work));
    const bar = panel.querySelector("progress");
    const what = panel.querySelector(".what");
    source.onmessage = (event) => {
      const now = JSON.parse(event.data);
      if (now.state !== "running") { source.close(); location.reload(); return; }
      if (now.done > 0) { bar.value = now.done; }
      what.textContent = now.what;
      document.dispatchEvent(new CustomEvent("work", { detail: now }));
    };
  }

  // Forms that keep the place on the page: sent beside it, and the page is loaded again where it stands.
  const stay = async (form) => {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" },
    });
    if (answer.ok) { location.reload(); } else { form.submit(); }
  };
  for (const form of document.querySelectorAll("form[data-stay]")) {
    form.addEventListener("submit", (event) => { event.preventDefault(); stay(form); });
  }
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (form && form.matches("form[data-stay]") && event.target.matches("select")) { stay(form); }
  });

  // A slider and its number are one value.
  for (const slider of document.querySelectorAll("input[type=range][data-for]")) {
    const field = document.getElementById(slider.dataset.for);
    slider.addEventListener("input", () => { field.value = slider.value; });
    field.addEventListener("input", () => { slider.value = field.value; });
  }

  // Undo and redo by keys, outside of fields where they mean something else.
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) { return; }
    const key = event.shiftKey && event.key.toLowerCase() === "z" ? "y" : event.key.toLowerCase();
    const button = document.querySelector('button[data-key="' + CSS.escape(key) + '"]:not(:disabled)');
    if (button) { event.preventDefault(); button.click(); }
  });

  // What a mark of a chart stands for: the words that screen readers get too.
  const tip = document.getElementById("tip");
  const tell = (mark, x, y) => {
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18) + "px";
  };
  document.addEventListener("pointermove", (event) => {
    const mark = event.target.closest && event.target.closest("figure .role-mark [aria-label]");
    if (mark) { tell(mark, event.clientX, event.clientY); } else { tip.hidden = true; }
  });
  document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

  // On a narrow page the steps of the work are rolled to where one stands.
  const steps = document.querySelector(".way ol"), here = document.querySelector(".way [aria-current]");
  if (here) { steps.scrollLeft = here.offsetLeft - steps.offsetLeft - (steps.clientWidth - here.offsetWidth) / 2; }

  document.documentElement.classList.add("scripted");
  window.desk = { say: (text) => { said.textContent = text; } };
})();
