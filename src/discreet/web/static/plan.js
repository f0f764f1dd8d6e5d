"use strict";
// A step that is chosen opens its form at once; a new step's form is brought into view.
(() => {
  const choose = document.querySelector("form.choose");
  if (choose) { choose.querySelector("select").addEventListener("change", () => choose.submit()); choose.querySelector("select").selectedIndex = -1; }
  const made = document.getElementById("new");
  if (made) { made.scrollIntoView({ block: "center" }); made.querySelector("input:not([type=hidden]), select, textarea").focus({ preventScroll: true }); }
  // The button that was pressed belongs to what is sent.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("form[data-stay] button[name]");
    if (!button) { return; }
    let field = button.form.querySelector('input[type=hidden][name="' + button.name + '"]');
    if (!field) { field = document.createElement("input"); field.type = "hidden"; field.name = button.name; button.form.append(field); }
    field.value = button.value;
  }, true);
})();
