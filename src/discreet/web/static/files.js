"use strict";
// Adds a file that is dropped or chosen: its bytes as they are, with how much has gone.
(() => {
  const drop = document.querySelector("form.drop");
  const input = drop.querySelector("input[type=file]");
  const bar = drop.querySelector("progress");
  const wrong = drop.querySelector(".wrong");
  const send = (file) => {
    wrong.hidden = true;
    bar.hidden = false;
    const request = new XMLHttpRequest();
    request.open("POST", drop.action);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => { bar.value = event.loaded / event.total; };
    const failed = (text) => { bar.hidden = true; wrong.textContent = text; wrong.hidden = false; input.value = ""; };
    request.onerror = () => failed("The file could not be sent. Is the desk still open?");
    request.onload = () => {
      let told = {};
      try { told = JSON.parse(request.responseText); } catch { /* said below */ }
      if (request.status === 201) { location.href = told.see; return; }
      failed(told.error ? told.error.message : request.responseText || "The file was refused.");
    };
    request.send(file);
  };
  input.addEventListener("change", () => { if (input.files.length) { send(input.files[0]); } });
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) { send(event.dataTransfer.files[0]); }
  });
})();
