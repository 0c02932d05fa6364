// Dark for the reading room; light, or as the system, where the user says so. Kept in the browser.
() => {
  const key = "mri-vqa-look", system = matchMedia("(prefers-color-scheme: light)");
  const choice = () => {
    try {
      return localStorage.getItem(key) ?? "dark";
    } catch {
      return "dark";
    }
  };
  const show = (look) => {
    const light = look === "light" || (look === "system" && system.matches);
    document.documentElement.dataset.look = light ? "light" : "dark";
    document.body.classList.toggle("dark", !light);
  };
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "look") return;
    try {
      localStorage.setItem(key, target.value);
    } catch {
      // not kept: for this page only
    }
    show(target.value);
  });
  system.addEventListener("change", () => show(choice()));
  const select = document.getElementById("look");
  if (select) select.value = choice();
  show(choice());
}
