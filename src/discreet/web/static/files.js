"use strict";
// Adds files that are dropped or chosen: their bytes as they are, with how much has gone.
(() => {
  const drop = document.querySelector("form.drop");
  const input = drop.querySelector("input[type=file]");
  const bar = drop.querySelector("progress");
  const wrong = drop.querySelector(".wrong");
  // One after another, so that a refusal names its file and the others still come.
  const send = (files, refused, see) => {
    wrong.hidden = !refused.length;
    wrong.textContent = refused.join(" ");
    if (!files.length) {
      bar.hidden = true;
      input.value = "";
      if (!refused.length) { location.href = see.length === 1 || see.every((each) => each === see[0]) ? see[0] : "/files"; }
      return;
    }
    const file = files[0], rest = files.slice(1);
    bar.hidden = false;
    const request = new XMLHttpRequest();
    request.open("POST", drop.action);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
    request.setRequestHeader("X-File-Kind", drop.elements.kind.checked ? "document" : "table");
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => { bar.value = event.loaded / event.total; };
    request.onerror = () => send([], [...refused, file.name + ": the file could not be sent. Is the desk still open?"], see);
    request.onload = () => {
      let told = {};
      try { told = JSON.parse(request.responseText); } catch { /* said below */ }
      if (request.status === 201) { send(rest, refused, [...see, told.see]); return; }
      const why = told.error ? told.error.message : request.responseText || "The file was refused.";
      send(rest, [...refused, file.name + ": " + why], see);
    };
    request.send(file);
  };
  const all = (list) => { if (list.length) { send([...list], [], []); } };
  input.addEventListener("change", () => all(input.files));
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    all(event.dataTransfer.files);
  });
})();
