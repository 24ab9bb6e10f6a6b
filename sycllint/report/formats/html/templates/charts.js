// Charts: bars, steps and waves as SVG, each with a line of text that follows pointer and arrow keys.

const CHART = { width: 540, height: 176, left: 36, right: 10, top: 18, bottom: 24 };
const PLOT = { width: CHART.width - CHART.left - CHART.right, height: CHART.height - CHART.top - CHART.bottom };
const MOST_WAVES = 16;

const yOf = (share) => CHART.top + PLOT.height * (1 - Math.min(share, 1000) / 1000);
const label = (x, y, content, { anchor = "middle", strong = false } = {}) =>
  svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: strong ? "strong" : null }, content);

function meter(share, kind = "filled") {
  return svg("svg", { class: "mini", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rest", width: 100, height: 10 }), svg("rect", { class: kind, width: Math.min(share / 10, 100), height: 10 }));
}

// One bar for each of many devices.
function spark(shares, title) {
  const wide = 150 / shares.length;
  return svg("svg", { class: "spark", viewBox: "0 0 150 28", preserveAspectRatio: "none", role: "img", "aria-label": title },
    svg("title", {}, title),
    shares.map((share, number) => [
      svg("rect", { class: "rest", x: number * wide, y: 0, width: wide * 0.8, height: 28 }),
      share === null ? null : svg("rect", { class: share ? "filled" : "refused", x: number * wide, y: share ? 28 - (28 * share) / 1000 : 26, width: wide * 0.8, height: share ? (28 * share) / 1000 : 2 }),
    ]).flat());
}

function frame(name) {
  const lines = [0, 250, 500, 750, 1000].map((share) => [
    svg("line", { class: share ? "grid" : "grid base", x1: CHART.left, x2: CHART.width - CHART.right, y1: yOf(share), y2: yOf(share) }),
    label(CHART.left - 6, yOf(share) + 3.5, `${share / 10}%`, { anchor: "end" }),
  ]);
  return svg("svg", { class: "chart", viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": name }, lines.flat());
}

// A figure whose points can be read with pointer or arrow keys: `at` gives the point at a share of the width.
function figure(title, under, chart, points, { say, show, home }) {
  const readout = el("output", { "aria-live": "polite" }, home < 0 ? "" : say(points[home]));
  let current = Math.max(home, 0);
  const read = (number, mark) => {
    current = Math.max(0, Math.min(number, points.length - 1));
    readout.textContent = say(points[current]);
    show(mark ? current : -1);
  };
  const leave = () => { if (home >= 0) read(home, false); else { readout.textContent = ""; show(-1); } };
  chart.setAttribute("tabindex", "0");
  chart.addEventListener("pointermove", (event) => {
    const box = chart.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * CHART.width;
    let nearest = 0;
    points.forEach((each, number) => { if (Math.abs(each.x - x) < Math.abs(points[nearest].x - x)) nearest = number; });
    read(nearest, true);
  });
  chart.addEventListener("pointerleave", leave);
  chart.addEventListener("blur", leave);
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    read(current + step, true);
  });
  return el("figure", {}, el("figcaption", {}, title, under ? el("small", {}, under) : null), chart, readout);
}

// Shares at each work-group size: a bar each, that of the launch marked.
function sizeChart(title, under, curve, here) {
  const [values, groups, shares] = DATA.curves[curve];
  const wide = PLOT.width / values.length;
  const points = values.map((value, number) => ({ value, groups: groups[number], share: shares[number], x: CHART.left + (number + 0.5) * wide }));
  const chart = frame(title);
  const bars = points.map((each) => svg("rect", {
    class: each.value === here ? "bar here" : "bar", x: (each.x - wide * 0.42).toFixed(2), width: Math.max(wide * 0.84, 0.8).toFixed(2),
    y: yOf(each.share).toFixed(2), height: (yOf(0) - yOf(each.share)).toFixed(2) }));
  chart.append(...bars);
  const home = values.indexOf(here);
  edgeLabels(chart, points, home, String);
  if (home >= 0) label2(chart, points[home], percent(points[home].share));
  return figure(title, under, chart, points, {
    home,
    say: (point) => `${plural(point.value, "work-item")}: ${share(point)}`,
    show: (number) => bars.forEach((bar, at) => bar.classList.toggle("on", at === number)),
  });
}

const share = (point) => (point.groups ? `${percent(point.share)}, ${plural(point.groups, "group")} per core` : "cannot run");

function label2(chart, point, content) {
  const x = Math.max(CHART.left + 14, Math.min(point.x, CHART.width - CHART.right - 14));
  chart.append(label(x, Math.max(yOf(point.share) - 5, 11), content, { strong: true }));
}

function edgeLabels(chart, points, home, written) {
  const y = CHART.height - 8;
  const [first, last] = [points[0], points[points.length - 1]];
  const taken = home < 0 ? [] : [points[home].x];
  const free = (x) => taken.every((each) => Math.abs(each - x) > 46);
  if (home >= 0) chart.append(label(Math.min(points[home].x, CHART.width - 24), y, written(points[home].value), { strong: true }));
  if (free(first.x)) chart.append(label(Math.max(first.x, CHART.left + 4), y, written(first.value)));
  if (last !== first && free(last.x)) chart.append(label(last.x, y, written(last.value), { anchor: "end" }));
}

const bytes = (number) => (number === 0 ? "0" : number % 1024 ? `${number} B` : `${number / 1024} KiB`);

// A staircase over the points, which hold until the next one.
function stepChart(title, under, points, last, { home, say, written }) {
  const chart = frame(title);
  const corners = points.map((each, number) => {
    const until = number + 1 < points.length ? points[number + 1].x : last;
    return `L${each.x.toFixed(1)} ${yOf(each.share).toFixed(1)}L${until.toFixed(1)} ${yOf(each.share).toFixed(1)}`;
  }).join("");
  const line = `M${corners.slice(1)}`;
  const cursor = svg("line", { class: "cursor", y1: CHART.top, y2: yOf(0), visibility: "hidden" });
  chart.append(svg("path", { class: "area", d: `${line}L${last.toFixed(1)} ${yOf(0)}L${points[0].x.toFixed(1)} ${yOf(0)}Z` }), svg("path", { class: "edge", d: line }), cursor);
  if (home >= 0) {
    chart.append(svg("circle", { class: "dot-here", cx: points[home].x, cy: yOf(points[home].share), r: 4.5 }));
    label2(chart, { ...points[home], x: points[home].x + 4 }, percent(points[home].share));
  }
  edgeLabels(chart, points, home, written);
  return figure(title, under, chart, points, {
    home, say,
    show: (number) => {
      cursor.setAttribute("visibility", number < 0 ? "hidden" : "visible");
      if (number >= 0) for (const end of ["x1", "x2"]) cursor.setAttribute(end, points[number].x);
    },
  });
}

function memoryChart(title, under, curve, here) {
  const [values, groups, shares] = DATA.curves[curve];
  const most = values[values.length - 1] || 1;
  const at = (value) => CHART.left + (PLOT.width * value) / most;
  const points = values.map((value, number) => ({ value, groups: groups[number], share: shares[number], x: at(value) }));
  let home = points.findIndex((each) => each.value === here.memory);
  if (home < 0) {
    const after = points.findIndex((each) => each.value > here.memory);
    home = after < 0 ? points.length : after;
    points.splice(home, 0, { value: here.memory, groups: here.groups, share: here.ratio, x: at(Math.min(here.memory, most)) });
  }
  return stepChart(title, under, points, CHART.width - CHART.right, {
    home, written: bytes, say: (point) => `from ${bytes(point.value)} per work-group: ${share(point)}`.replace("from 0 ", "without local memory: ").replace(": per work-group:", ":"),
  });
}

// What the legal values of one parameter give: bars for single values, a staircase for a stretch of them.
function sweepChart(title, under, sweep) {
  const [name, , values, low, high, last] = DATA.sweeps[sweep];
  const shares = (point) => (point.share === point.high ? percent(point.share) : `${percent(point.share)} to ${percent(point.high)} over sub-group sizes`);
  const points = values.map((value, number) => ({ value, share: low[number], high: high[number] }));
  const said = (point, until) => `${text(name)} = ${point.value}${until > point.value ? ` to ${until}` : ""}: ${shares(point)}`;
  if (last < 0 || points.length === 1) return sweepBars(title, under, points, said);
  const wide = PLOT.width / (last - values[0] + 1);
  for (const each of points) each.x = CHART.left + (each.value - values[0]) * wide;
  return stepChart(title, under, points, CHART.width - CHART.right, {
    home: -1, written: (value) => String(value === values[values.length - 1] ? last : value),
    say: (point) => said(point, (values[values.indexOf(point.value) + 1] ?? last + 1) - 1),
  });
}

function sweepBars(title, under, points, said) {
  const wide = PLOT.width / points.length;
  const bar = (each, kind, from, to) => svg("rect", {
    class: kind, x: (each.x - wide * 0.42).toFixed(2), width: Math.max(wide * 0.84, 0.8).toFixed(2), y: yOf(to).toFixed(2), height: (yOf(from) - yOf(to)).toFixed(2) });
  points.forEach((each, number) => { each.x = CHART.left + (number + 0.5) * wide; });
  const chart = frame(title);
  const bars = points.map((each) => bar(each, "bar here", 0, each.share));
  chart.append(...points.map((each) => bar(each, "bar", each.share, each.high)), ...bars);
  edgeLabels(chart, points, -1, String);
  return figure(title, under, chart, points, {
    home: -1, say: (point) => said(point, point.value), show: (number) => bars.forEach((each, at) => each.classList.toggle("on", at === number)),
  });
}

// Rounds of dispatch: each fills the device as far as it can, the last one is what is left. Many are cut in the middle.
function wavesChart(title, under, waves) {
  const [full, fullShare, last, lastShare, perWave] = waves;
  const all = [...Array(Math.min(full, MOST_WAVES + 1)).keys()].map((number) => ({ number: number + 1, share: fullShare, groups: perWave }));
  const cut = full > MOST_WAVES;
  if (cut) all.splice(MOST_WAVES - 3, all.length, { gap: full - MOST_WAVES + 1 }, ...[1, 0].map((back) => ({ number: full - back, share: fullShare, groups: perWave })));
  if (last) all.push({ number: full + 1, share: lastShare, groups: last, part: true });
  const chart = frame(title);
  const wide = Math.min(PLOT.width / all.length, 72);
  const points = [];
  all.forEach((each, number) => {
    const x = CHART.left + (number + 0.5) * wide;
    if (each.gap) {
      chart.append(label(x, yOf(500), "⋯", { strong: true }));
      return;
    }
    const bar = { x: x - wide * 0.42, width: wide * 0.84 };
    chart.append(svg("rect", { class: "empty-wave", ...bar, y: yOf(1000), height: PLOT.height }),
      svg("rect", { class: each.part ? "wave part" : "wave", ...bar, y: yOf(each.share), height: yOf(0) - yOf(each.share) }));
    if (wide > 22 || number === 0 || number === all.length - 1) chart.append(label(x, CHART.height - 8, String(each.number)));
    points.push({ ...each, x });
  });
  return figure(title, under, chart, points, {
    home: -1, show: () => {},
    say: (point) => `wave ${point.number}: ${plural(point.groups, "work-group")}, ${percent(point.share)} of the device`,
  });
}
