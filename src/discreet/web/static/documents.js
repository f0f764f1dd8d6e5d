"use strict";
// A review by keys: single letters press buttons or go to fields, outside of fields where they mean themselves.
(() => {
  const send = () => { const button = document.querySelector("[data-send]"); if (button) { button.click(); } };
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("input, textarea, select");
    if (field) {
      if (event.key === "Escape") { field.blur(); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.matches("textarea")) { event.preventDefault(); send(); }
      if (event.key === "Enter" && field.matches(".decide input")) { event.preventDefault(); field.blur(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) { return; }
    const key = CSS.escape(event.key.toLowerCase());
    const pressed = document.querySelector('[data-press="' + key + '"]:not(:disabled)');
    const wanted = document.querySelector('[data-focus="' + key + '"]');
    if (!pressed && !wanted) { return; }
    event.preventDefault();
    if (pressed) { if (!event.repeat) { pressed.click(); } } else { wanted.focus(); }
  });
})();
