// The view of launches: rows, and a card for each with what every device makes of it.

const CHOICE = { q: "", band: "", device: 0, sort: "file", down: false };
const FEW_DEVICES = 3;

const BANDS = {
  refused: (share) => share === 0, low: (share) => share > 0 && share < 500, part: (share) => share >= 500 && share < 1000,
  full: (share) => share >= 1000, unknown: (share) => share === null,
};
const shareOf = (each) => (DEVICES.length ? least(each.on[CHOICE.device]) : null);

function chosenLaunches() {
  const words = CHOICE.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = LAUNCHES.filter((each) => {
    each.words ??= `${each.kernel} ${each.function} ${each.path} ${each.kind}`.toLowerCase();
    return (!CHOICE.band || BANDS[CHOICE.band](shareOf(each))) && words.every((word) => each.words.includes(word));
  });
  if (CHOICE.sort === "occupancy") found.sort((one, other) => (shareOf(one) ?? 2000) - (shareOf(other) ?? 2000) || one.index - other.index);
  return CHOICE.down ? found.reverse() : found;
}

let opened = -1;

const LAUNCH_ROWS = new Rows(byId("launch-rows"), {
  row: launchRow,
  heading: (each) => CHOICE.sort === "file"
    ? { key: each.path, node: () => el("h3", { class: "path" }, el("bdi", {}, each.path)) }
    : { key: "", node: null },
  nothing: () => LAUNCHES.length
    ? el("div", { class: "nothing" }, el("b", {}, "Nothing matches these filters"), `All ${plural(LAUNCHES.length, "launch", "launches")} are hidden by them.`,
      el("div", {}, el("button", { type: "button", class: "link", onclick: () => byId("launch-reset").click() }, "Clear filters")))
    : el("div", { class: "nothing" }, el("b", {}, "No kernel launches"), "None was found in the files that were checked."),
});

function launchRow(each) {
  const name = each.kernel ? el("span", { class: "kernel" }, each.kernel) : el("span", { class: "kernel unnamed" }, "unnamed kernel");
  const head = [
    el("span", {}, name, el("span", { class: "meta" }, each.kind, each.function ? ` in ${each.function}` : "")),
    el("span", {}, el("span", { class: "sizes" }, each.sizes), where(each.path, each.place.line)),
    sharesOf(each),
  ];
  const node = opening("launch", head, () => [launchCard(each)], each.index === opened);
  node.id = `launch-${each.index}`;
  return node;
}

function sharesOf(each) {
  const shares = each.on.map(least);
  const written = (share) => (share === null ? "?" : share === 0 ? "cannot run" : percent(share).replace(/\.\d/, ""));
  if (DEVICES.length > FEW_DEVICES) {
    return spark(shares, DEVICES.map((device, number) => `${device.name} ${written(shares[number])}`).join(", "));
  }
  return el("span", { class: "shares" }, DEVICES.map((device, number) => el("span", { class: "share" },
    el("span", {}, device.name, shares[number] === 0 ? el("b", { class: "refused", title: "cannot run" }, "✕", el("span", { class: "hidden" }, "cannot run")) : el("b", {}, written(shares[number]))),
    meter(shares[number] ?? 0))));
}

function launchCard(each) {
  const facts = el("dl", {}, each.facts.flatMap(([name, value]) => [el("dt", {}, text(name)), el("dd", {}, text(value))]));
  const charts = el("div", { class: "charts", hidden: true });
  const choices = each.on.flatMap((verdict, device) => verdict.answers.map((answer) => ({ device, answer })));
  const draw = (choice) => {
    charts.hidden = false;
    charts.replaceChildren(...answerCharts(each, choice));
  };
  const group = el("div", { class: "options", role: "radiogroup", "aria-label": "Device and sub-group size of the charts" });
  const buttons = choices.map((choice, number) => option(choice, () => { select(number); }));
  const select = (number) => {
    buttons.forEach((button, at) => { button.setAttribute("aria-checked", String(at === number)); button.tabIndex = at === number ? 0 : -1; });
    draw(choices[number]);
  };
  group.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    select(next);
    buttons[next].focus();
  });
  group.append(...buttons);
  const side = el("div", {}, el("h3", {}, "Occupancy of a core"), choices.length ? group : null, ...absences(each));
  if (choices.length) select(0);
  else openCharts(each, charts);
  return el("div", { class: "card" }, facts, side, charts, ...unknownOf(each), el("div", { class: "details" }, ...excerpts(each.place), ...findingsOf(each)));
}

function option({ device, answer }, chosen) {
  return el("button", { type: "button", role: "radio", class: "option", "aria-checked": "false", onclick: chosen },
    el("span", {}, el("code", {}, DEVICES[device].name), el("small", {}, `sub-group ${answer.sub}`)),
    meter(answer.ratio),
    el("b", {}, percent(answer.ratio)),
    el("span", { class: "why" }, `${plural(answer.groups, "group")} per core${answer.ratio < 1000 ? `, ${text(answer.limiter)}` : ""}`));
}

// Why a device has no bar.
function absences(each) {
  const byReason = new Map();
  const add = (why, name) => byReason.set(why, [...(byReason.get(why) ?? []), name]);
  const quiet = new Set();
  each.on.forEach((verdict, number) => {
    verdict.refusals.forEach((why) => add(why, DEVICES[number].name));
    if (verdict.answers.length || verdict.refusals.length) return;
    const why = openEnded(each, verdict);
    quiet.add(why);
    add(why, DEVICES[number].name);
  });
  return [...byReason].map(([why, names]) => el("p", { class: quiet.has(why) ? "refusal quiet-line" : "refusal" }, `${names.join(", ")}: ${why}`));
}

function openEnded(each, verdict) {
  if (each.kind === "single_task") return "a single task is one work-item";
  if (verdict.curve >= 0) return "the runtime chooses the work-group size";
  if (verdict.sweep >= 0) return `depends on ${text(DATA.sweeps[verdict.sweep][0])}`;
  return "not known";
}

function answerCharts(each, { device, answer }) {
  const on = `${each.sizes} on ${DEVICES[device].name}, sub-group ${answer.sub}`;
  const made = [];
  if (answer.bySize >= 0) made.push(sizeChart("By work-group size", on, answer.bySize, answer.size));
  if (answer.byMemory >= 0) made.push(memoryChart("By local memory", on, answer.byMemory, answer));
  if (answer.rounds) made.push(wavesChart("Rounds of dispatch", text(answer.rounds[5]), answer.rounds));
  made.push(numbers(answer));
  return made;
}

function numbers(answer) {
  const row = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
  const facts = [
    row("threads", `${answer.threads * answer.groups} of ${answer.slots} per core`),
    row("groups by", answer.limits.map(([limiter, groups]) => `${text(limiter)} ${groups}`).join(", ")),
    answer.allocated !== answer.memory ? row("local memory", `${bytes(answer.allocated)} allocated`) : [],
    row("registers", answer.registers ? String(answer.registers) : "compiler's choice, assumed not to limit"),
    answer.waves === null ? [] : row("rounds", `${answer.waves} on ${plural(answer.cores, "core")}`),
    answer.peak === null ? [] : row("device", `peak ${percent(answer.peak)}, average ${percent(answer.average)}`),
    answer.split ? row("split across cores", text(answer.split[5])) : [],
  ];
  const best = answer.best.length
    ? el("table", { class: "best" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Best sizes"), el("th", { scope: "col", class: "number" }, "occupancy"), el("th", { scope: "col", class: "number" }, "groups"))),
      el("tbody", {}, answer.best.map(([size, groups, share]) => el("tr", {}, el("td", {}, el("code", {}, text(size))), el("td", { class: "number" }, percent(share)), el("td", { class: "number" }, String(groups))))))
    : null;
  return el("div", {}, el("h3", {}, "Numbers"), el("dl", {}, facts.flat()), best);
}

// Without one known size: what the sizes that are still open would give, device by device.
function openCharts(each, charts) {
  const made = [];
  each.on.forEach((verdict, number) => {
    const name = DEVICES[number].name;
    if (verdict.sweep >= 0 && DATA.sweeps[verdict.sweep][2].length) made.push(sweepChart(`By ${text(DATA.sweeps[verdict.sweep][0])} on ${name}`, `legal: ${text(DATA.sweeps[verdict.sweep][1])}`, verdict.sweep));
    else if (verdict.curve >= 0) made.push(sizeChart(`By work-group size on ${name}`, "the runtime chooses among these", verdict.curve, null));
  });
  charts.replaceChildren(...made);
  charts.hidden = made.length === 0;
}

function unknownOf(each) {
  if (!each.unknown.length) return [];
  const items = each.unknown.map(([number, reason, file, line]) => el("li", {}, el("b", {}, text(number)), `: ${text(reason)} `, el("small", {}, el("bdi", {}, `${DATA.files[file]}:${line}`))));
  return [el("div", { class: "details" }, el("h3", {}, "Not known"), el("ul", {}, items))];
}

function findingsOf(each) {
  const found = FINDINGS.filter((one) => one.path === each.path && [one.place, ...one.related].some((place) => place.file === each.place.file && place.line === each.place.line));
  return found.map((one) => el("p", { class: "advice" }, el("a", { href: `#findings?file=${encodeURIComponent(one.path)}&q=${encodeURIComponent(one.code)}` },
    el("span", { class: `badge ${one.severity}` }, one.severity), " ", ...phrased(one.message))));
}

function showLaunches() {
  const found = chosenLaunches();
  LAUNCH_ROWS.show(found);
  const all = LAUNCHES.length;
  byId("launch-count").textContent = found.length === all ? plural(all, "launch", "launches") : `${found.length.toLocaleString("en")} of ${plural(all, "launch", "launches")}`;
  byId("launch-reset").hidden = found.length === all;
  byId("launch-search").value = CHOICE.q;
  byId("launch-band").value = CHOICE.band;
  byId("launch-device").value = String(CHOICE.device);
  markSort("view-launches", CHOICE);
}

function launchAddress() {
  const words = new URLSearchParams();
  if (CHOICE.q) words.set("q", CHOICE.q);
  if (CHOICE.band) words.set("band", CHOICE.band);
  if (CHOICE.device) words.set("device", DEVICES[CHOICE.device].name);
  if (CHOICE.sort !== "file") words.set("sort", CHOICE.sort);
  if (CHOICE.down) words.set("order", "up");
  return String(words);
}

function launchesFrom(words) {
  const device = DEVICES.findIndex((each) => each.name === words.get("device"));
  Object.assign(CHOICE, {
    q: words.get("q") ?? "", band: words.get("band") in BANDS ? words.get("band") : "", device: Math.max(device, 0),
    sort: words.get("sort") === "occupancy" ? "occupancy" : "file", down: words.get("order") === "up",
  });
  opened = words.has("at") ? Number(words.get("at")) : -1;
}

// Draw as far as the launch that the address names, and go there.
function goToLaunch() {
  const number = LAUNCH_ROWS.items.findIndex((each) => each.index === opened);
  if (number < 0) return;
  while (LAUNCH_ROWS.drawn <= number) LAUNCH_ROWS.draw();
  const node = byId(`launch-${opened}`);
  node.scrollIntoView({ block: "start" });
  node.querySelector(".head").focus({ preventScroll: true });
}

function prepareLaunches(changed) {
  byId("launch-device").replaceChildren(...DEVICES.map((each, number) => el("option", { value: String(number) }, each.name)));
  byId("launch-search").addEventListener("input", (event) => { CHOICE.q = event.target.value; changed(); });
  byId("launch-band").addEventListener("change", (event) => { CHOICE.band = event.target.value; changed(); });
  byId("launch-device").addEventListener("change", (event) => { CHOICE.device = Number(event.target.value); changed(); });
  byId("launch-reset").addEventListener("click", () => { Object.assign(CHOICE, { q: "", band: "" }); changed(); });
  prepareSort("view-launches", CHOICE, changed);
}
