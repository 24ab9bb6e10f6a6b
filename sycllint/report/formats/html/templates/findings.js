// The view of findings: filters, order, rows.

const FILTER = { q: "", severities: new Set(SEVERITIES.slice(1)), rule: "", file: "", sort: "severity", down: false };
const OPEN_BY_ITSELF = 25; // findings whose source is shown from the start

const ORDERS = {
  severity: (one, other) => other.weight - one.weight || byPlace(one, other),
  rule: (one, other) => compare(one.code, other.code) || byPlace(one, other),
  file: (one, other) => byPlace(one, other),
};
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const byPlace = (one, other) => compare(one.path, other.path) || one.place.line - other.place.line || one.index - other.index;

function haystack(each) {
  each.words ??= `${each.message} ${each.code} ${each.name} ${each.path} ${each.targets}`.toLowerCase();
  return each.words;
}

function chosenFindings() {
  const words = FILTER.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = FINDINGS.filter((each) =>
    FILTER.severities.has(each.severity) && (!FILTER.rule || each.code === FILTER.rule) && (!FILTER.file || each.path === FILTER.file) &&
    words.every((word) => haystack(each).includes(word)));
  found.sort(ORDERS[FILTER.sort]);
  return FILTER.down ? found.reverse() : found;
}

const HEADINGS = {
  severity: (each) => [each.severity, () => el("h3", {}, `${each.severity[0].toUpperCase()}${each.severity.slice(1)}s`)],
  rule: (each) => [each.code, () => el("h3", {}, `${each.code} ${each.name}`)],
  file: (each) => [each.path, () => el("h3", { class: "path" }, el("bdi", {}, each.path))],
};

let headed = new Map();

const FINDING_ROWS = new Rows(byId("finding-rows"), {
  row: findingRow,
  heading: (each) => {
    const [key, node] = HEADINGS[FILTER.sort](each);
    return { key, node: () => { const made = node(); made.append(el("span", { class: "count" }, plural(headed.get(key), "finding"))); return made; } };
  },
  nothing: () => FINDINGS.length
    ? el("div", { class: "nothing" }, el("b", {}, "Nothing matches these filters"), `All ${plural(FINDINGS.length, "finding")} are hidden by them.`,
      el("div", {}, el("button", { type: "button", class: "link", onclick: () => byId("finding-reset").click() }, "Clear filters")))
    : el("div", { class: "nothing" }, el("b", {}, "No findings"), "Every enabled rule passed on the files that were checked."),
});

function findingRow(each) {
  const meta = [el("code", {}, each.code), ` ${each.name}`, each.targets ? ` · ${each.targets}` : "", each.evidence === "proved" ? "" : ` · ${each.evidence}`];
  const head = [
    el("span", { class: `badge ${each.severity}` }, each.severity),
    el("span", { class: "what" }, el("span", { class: "message" }, ...phrased(each.message)), el("span", { class: "meta" }, ...meta)),
    where(each.path, each.place.line),
  ];
  const node = opening("finding", head, () => findingBody(each), byId("finding-source").checked);
  node.id = `finding-${each.index}`;
  return node;
}

function findingBody(each) {
  const launch = LAUNCHES.find((one) => one.path === each.path && [each.place, ...each.related].some((place) => place.line === one.place.line));
  return [
    ...excerpts(each.place, each.related),
    each.help ? el("p", { class: "advice" }, el("span", {}, ...phrased(each.help))) : null,
    each.fix ? el("p", { class: "advice fix" }, el("span", {}, each.fix.safe ? "`--fix`: ".replaceAll("`", "") : "--fix --unsafe-fixes: ", ...phrased(each.fix.description))) : null,
    el("p", { class: "actions" },
      each.code in DATA.pages ? el("button", { type: "button", class: "link", onclick: () => showRule(each.code) }, `About ${each.code}`) : null,
      launch ? el("a", { class: "link", href: `#launches?at=${launch.index}` }, "This launch") : null),
  ];
}

function showFindings() {
  const found = chosenFindings();
  headed = new Map();
  for (const each of found) {
    const [key] = HEADINGS[FILTER.sort](each);
    headed.set(key, (headed.get(key) ?? 0) + 1);
  }
  FINDING_ROWS.show(found);
  const all = FINDINGS.length;
  byId("finding-count").textContent = found.length === all ? plural(all, "finding") : `${found.length.toLocaleString("en")} of ${plural(all, "finding")}`;
  byId("finding-reset").hidden = found.length === all;
  byId("finding-search").value = FILTER.q;
  byId("finding-rule").value = FILTER.rule;
  byId("finding-file").value = FILTER.file;
  for (const each of document.querySelectorAll("[data-severity]")) each.setAttribute("aria-pressed", String(FILTER.severities.has(each.dataset.severity)));
  markSort("view-findings", FILTER);
}

function markSort(view, filter) {
  for (const each of document.querySelectorAll(`#${view} .sort`)) {
    const chosen = each.dataset.sort === filter.sort;
    each.setAttribute("aria-pressed", String(chosen));
    each.textContent = each.textContent.replace(/ [↑↓]$/, "") + (chosen ? (filter.down ? " ↑" : " ↓") : "");
  }
}

// The address of the page says what is shown, so that a link to it does.
function findingAddress() {
  const words = new URLSearchParams();
  if (FILTER.q) words.set("q", FILTER.q);
  if (FILTER.severities.size < 3) words.set("severity", [...FILTER.severities].join(" "));
  if (FILTER.rule) words.set("rule", FILTER.rule);
  if (FILTER.file) words.set("file", FILTER.file);
  if (FILTER.sort !== "severity") words.set("sort", FILTER.sort);
  if (FILTER.down) words.set("order", "up");
  return String(words);
}

function findingsFrom(words) {
  const severities = (words.get("severity") ?? "").split(" ").filter((each) => SEVERITIES.includes(each) && each);
  Object.assign(FILTER, {
    q: words.get("q") ?? "", severities: new Set(words.has("severity") ? severities : SEVERITIES.slice(1)), rule: words.get("rule") ?? "",
    file: words.get("file") ?? "", sort: words.get("sort") in ORDERS ? words.get("sort") : "severity", down: words.get("order") === "up",
  });
}

function prepareFindings(changed) {
  const tally = (key) => {
    const counts = new Map();
    for (const each of FINDINGS) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
    return [...counts].sort(([one], [other]) => compare(one, other));
  };
  const names = new Map(FINDINGS.map((each) => [each.code, each.name]));
  options(byId("finding-rule"), tally((each) => each.code).map(([code, count]) => [code, `${code} ${names.get(code)} (${count})`]), "All rules");
  options(byId("finding-file"), tally((each) => each.path).map(([path, count]) => [path, `${path} (${count})`]), "All files");
  byId("finding-source").checked = FINDINGS.length <= OPEN_BY_ITSELF;
  byId("finding-search").addEventListener("input", (event) => { FILTER.q = event.target.value; changed(); });
  byId("finding-rule").addEventListener("change", (event) => { FILTER.rule = event.target.value; changed(); });
  byId("finding-file").addEventListener("change", (event) => { FILTER.file = event.target.value; changed(); });
  byId("finding-source").addEventListener("change", (event) => document.querySelectorAll(".finding").forEach((each) => each.toggle(event.target.checked)));
  byId("finding-reset").addEventListener("click", () => { Object.assign(FILTER, { q: "", severities: new Set(SEVERITIES.slice(1)), rule: "", file: "" }); changed(); });
  for (const each of document.querySelectorAll("[data-severity]")) {
    each.addEventListener("click", () => {
      const chosen = FILTER.severities;
      if (!chosen.delete(each.dataset.severity)) chosen.add(each.dataset.severity);
      changed();
    });
  }
  prepareSort("view-findings", FILTER, changed);
}

function prepareSort(view, filter, changed) {
  for (const each of document.querySelectorAll(`#${view} .sort`)) {
    each.addEventListener("click", () => {
      filter.down = filter.sort === each.dataset.sort && !filter.down;
      filter.sort = each.dataset.sort;
      changed();
    });
  }
}
