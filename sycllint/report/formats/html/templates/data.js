"use strict";
// What the page holds, and the objects that the rest of the script works with.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SEVERITIES = ["", "note", "warning", "error"];
const EVIDENCE = ["proved", "derived", "heuristic"];

const text = (number) => (number < 0 ? "" : DATA.texts[number]);
const percent = (thousandths) => (thousandths >= 1000 ? "100%" : `${(thousandths / 10).toFixed(1)}%`);
const plural = (count, word, words = `${word}s`) => `${count.toLocaleString("en")} ${count === 1 ? word : words}`;

const placeOf = ([file, line, column, endLine, endColumn]) => ({ file, line, column, endLine, endColumn });

const FINDINGS = DATA.findings.map(([severity, rule, message, help, targets, evidence, fix, place, related], index) => ({
  index,
  severity: SEVERITIES[severity],
  weight: severity,
  code: text(DATA.rules[rule][0]),
  name: text(DATA.rules[rule][1]),
  message: text(message),
  help: text(help),
  targets: text(targets),
  evidence: EVIDENCE[evidence],
  fix: fix === -1 ? null : { description: text(fix[0]), safe: fix[1] === 1 },
  place: placeOf(place),
  path: DATA.files[place[0]],
  related: related.map(([label, ...at]) => ({ message: text(label), ...placeOf(at) })),
}));

const DEVICES = DATA.devices.map(([name, title]) => ({ name: text(name), title: text(title) }));

const LAUNCHES = DATA.launches.map((each, index) => ({
  ...each,
  index,
  kernel: text(each.kernel),
  kind: text(each.kind),
  function: text(each.function),
  sizes: text(each.sizes),
  place: placeOf(each.place),
  path: DATA.files[each.place[0]],
  on: each.on.map((verdict) => {
    const [answers, refusals, curve, sweep] = verdict || [[], [], -1, -1];
    return { answers: answers.map((number) => DATA.answers[number]), refusals: refusals.map(text), curve, sweep };
  }),
}));

// The least share of a core over the sub-group sizes, in thousandths; 0 where it cannot run, null where unknown.
function least(verdict) {
  if (verdict.answers.length) return Math.min(...verdict.answers.map((each) => each.ratio));
  return verdict.refusals.length ? 0 : null;
}
