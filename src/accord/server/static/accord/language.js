/** Whoever chooses another language reads the page in it at once. */

document.getElementById("language")?.addEventListener("change", (event) => event.target.form.submit());
