"use strict";
// Puts a command or the script into the clipboard.
(() => {
  for (const block of document.querySelectorAll("pre[data-copy]")) {
    const button = document.createElement("button");
    button.className = "plain tiny copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
      window.desk.say("Copied");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.before(button);
  }
})();
