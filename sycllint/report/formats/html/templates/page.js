// The page as a whole: views and their addresses, theme, keys, dialogs, printing.

const VIEWS = ["overview", "findings", "launches", "devices"];
const THEMES = ["auto", "light", "dark"];
const MOST_PRINTED = 2000;
let view = "";

function showView() {
  const [asked, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const before = view;
  view = VIEWS.includes(asked) ? asked : "overview";
  const words = new URLSearchParams(query);
  for (const name of VIEWS) byId(`view-${name}`).hidden = name !== view;
  for (const each of document.querySelectorAll("[data-view]")) {
    if (each.dataset.view === view) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  if (view === "findings") { findingsFrom(words); showFindings(); }
  if (view === "launches") { launchesFrom(words); showLaunches(); goToLaunch(); }
  if (before !== view && opened < 0) window.scrollTo(0, 0);
}

// A filter changed: the address follows without a step in the history.
function filtersChanged() {
  const query = view === "findings" ? findingAddress() : launchAddress();
  history.replaceState(null, "", `#${view}${query ? `?${query}` : ""}`);
  if (view === "findings") showFindings();
  else showLaunches();
}

function showTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  byId("theme").querySelector("span").textContent = name[0].toUpperCase() + name.slice(1);
  byId("theme").setAttribute("aria-label", `Colour theme: ${name === "auto" ? "automatic" : name}`);
}

// Where a browser keeps nothing for a local file, the theme lasts as long as the page.
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    return null;
  }
  return value;
}

function showRule(code) {
  const [summary, page] = DATA.pages[code];
  byId("rule-title").textContent = `${code} ${FINDINGS.find((each) => each.code === code).name}`;
  byId("rule-text").replaceChildren(...page.split(/```\w*\n([\s\S]*?)```/).flatMap((part, number) =>
    number % 2
      ? [el("pre", {}, ...part.replace(/\n$/, "").split("\n").flatMap((line) => [...codeOf(line, []), "\n"]))]
      : part.split(/\n{2,}/).filter((each) => each.trim()).map((each) => el("p", {}, ...phrased(each.trim().replace(/\n/g, " "))))));
  if (!byId("rule-text").childNodes.length) byId("rule-text").append(el("p", {}, summary));
  byId("rule-page").showModal();
}

function moveRow(step) {
  const heads = [...document.querySelectorAll(`#view-${view} .head`)];
  const at = heads.indexOf(document.activeElement);
  const next = heads[at < 0 ? 0 : at + step];
  if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
}

function search() {
  return byId(view === "launches" ? "launch-search" : "finding-search");
}

const KEYS = {
  "/": () => { if (!["findings", "launches"].includes(view)) location.hash = "findings"; setTimeout(() => search().focus()); },
  "?": () => byId("keys-page").showModal(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
};
VIEWS.forEach((name, number) => { KEYS[number + 1] = () => { location.hash = name; }; });

function pressed(event) {
  const typing = event.target.matches("input[type=search], select, textarea");
  if (event.key === "Escape" && event.target.matches("input[type=search]")) {
    if (!event.target.value) event.target.blur();
    event.target.value = "";
    event.target.dispatchEvent(new Event("input"));
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const does = KEYS[event.key];
  if (does) { event.preventDefault(); does(); }
}

prepareFindings(filtersChanged);
prepareLaunches(filtersChanged);
showTheme(THEMES.includes(kept("sycllint-theme")) ? kept("sycllint-theme") : "auto");
byId("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % THEMES.length];
  kept("sycllint-theme", next);
  showTheme(next);
});
byId("help").addEventListener("click", () => byId("keys-page").showModal());
for (const each of document.querySelectorAll("[data-close]")) each.addEventListener("click", () => each.closest("dialog").close());
for (const each of document.querySelectorAll("dialog")) each.addEventListener("click", (event) => { if (event.target === each) each.close(); });
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", showView);
window.addEventListener("beforeprint", () => {
  const rows = view === "findings" ? FINDING_ROWS : view === "launches" ? LAUNCH_ROWS : null;
  if (rows && rows.drawn < rows.items.length) rows.draw(MOST_PRINTED - rows.drawn);
});
showView();
document.documentElement.dataset.ready = "";
