"use strict";
// Shows what a mark stands for while the pointer is on it: the words that screen readers get too.
(() => {
  const tip = document.getElementById("tip");
  const hide = () => { tip.hidden = true; };
  const show = (event) => {
    const mark = event.target.closest ? event.target.closest(".role-mark [aria-label]") : null;
    if (!mark) { hide(); return; }
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
    const below = event.clientY + 18;
    const top = below + box.height > window.innerHeight ? event.clientY - box.height - 12 : below;
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = top + "px";
  };
  for (const figure of document.querySelectorAll("figure")) {
    figure.addEventListener("pointermove", show);
    figure.addEventListener("pointerdown", show);
    figure.addEventListener("pointerleave", hide);
  }
  // What a link leads to is unfolded.
  const unfold = () => {
    const end = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    for (let at = end; at; at = at.parentElement) { if (at.tagName === "DETAILS") { at.open = true; } }
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  document.addEventListener("scroll", hide, { passive: true });
})();
