"use strict";
// The map grows while the search goes on; a mark that is clicked, or chosen by keyboard, takes its plan over.
(() => {
  const figure = document.getElementById("map");
  if (!figure) { return; }
  const form = document.getElementById("take");
  let latest = 0, asking = false;
  const reachable = () => {
    for (const mark of figure.querySelectorAll(".mark-symbol [aria-label]")) { mark.setAttribute("tabindex", "0"); mark.setAttribute("role", "button"); }
  };
  const grow = async () => {
    if (asking || Date.now() - latest < 1500) { return; }
    asking = true;
    try {
      const answer = await fetch("/search/map?table=" + encodeURIComponent(figure.dataset.table));
      if (answer.ok) {
        const told = await answer.json();
        document.getElementById("tried").textContent = told.tried === 1 ? "1 plan" : told.tried + " plans";
        if (told.map) { figure.innerHTML = told.map; figure.dataset.plans = told.plans.join(" "); reachable(); }
      }
    } finally { latest = Date.now(); asking = false; }
  };
  const take = (mark) => {
    const number = parseInt(mark.getAttribute("aria-label"), 10);
    const plan = figure.dataset.plans.split(" ")[number - 1];
    if (plan) { form.elements.plan.value = plan; form.submit(); }
  };
  if (document.querySelector("[data-work]")) { setInterval(grow, 2000); grow(); }
  figure.addEventListener("click", (event) => { const mark = event.target.closest(".mark-symbol [aria-label]"); if (mark) { take(mark); } });
  figure.addEventListener("keydown", (event) => { const mark = event.target.closest(".mark-symbol [aria-label]"); if (mark && event.key === "Enter") { take(mark); } });
  reachable();
})();
