// A record is pasted, chosen or dropped.

const form = document.querySelector("[data-drop]");
const text = form.elements.record;

async function take(file) {
  if (!file) return;
  text.value = await file.text();
  form.requestSubmit();
}

form.querySelector("[data-file]").addEventListener("change", (event) => take(event.target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
