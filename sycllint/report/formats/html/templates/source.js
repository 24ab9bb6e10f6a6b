// Source lines around the places of a finding, with marks, labels and the colours of C++.

const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])+'|^\s*#\s*\w+(?:\s*<[^>]*>)?)|\b(\d[\w.']*)\b|\b(alignas|auto|bool|break|case|catch|char|class|const|constexpr|continue|decltype|default|delete|do|double|else|enum|explicit|extern|false|float|for|friend|if|inline|int|long|mutable|namespace|new|nullptr|operator|private|protected|public|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while|size_t)\b/g;
const KINDS = ["tc", "ts", "tn", "tk"];

// The class of each character; a character is a code point, as columns count.
function coloured(line, characters) {
  const kinds = new Array(characters.length).fill("");
  const at = [];
  characters.forEach((each, number) => { for (let unit = 0; unit < each.length; unit += 1) at.push(number); });
  for (const found of line.matchAll(TOKEN)) {
    const kind = KINDS[found.slice(1).findIndex((each) => each !== undefined)];
    for (let unit = found.index; unit < found.index + found[0].length; unit += 1) kinds[at[unit]] = kind;
  }
  return kinds;
}

function codeOf(line, marks) {
  const characters = Array.from(line);
  const kinds = coloured(line, characters);
  const marked = new Array(characters.length).fill("");
  for (const { start, end, kind } of marks) {
    for (let number = start; number < Math.min(end, characters.length); number += 1) marked[number] = marked[number] || kind;
  }
  const pieces = (start, end) => runs(start, end, kinds).map(([from, to]) => {
    const piece = characters.slice(from, to).join("");
    return kinds[from] ? el("span", { class: kinds[from] }, piece) : piece;
  });
  return runs(0, characters.length, marked).flatMap(([from, to]) => (marked[from] ? [el("mark", { class: marked[from] }, ...pieces(from, to))] : pieces(from, to)));
}

// The stretches of equal values between two places.
function runs(start, end, values) {
  const found = [];
  for (let from = start, to; from < end; from = to) {
    for (to = from + 1; to < end && values[to] === values[from];) to += 1;
    found.push([from, to]);
  }
  return found;
}

function marksOn(number, places) {
  return places.filter((each) => each.line <= number && number <= each.endLine && number <= each.line + DATA.tallest).map((each) => ({
    start: number === each.line ? each.column - 1 : 0,
    end: number === each.endLine ? Math.max(each.endColumn - 1, number === each.line ? each.column : 0) : Infinity,
    kind: each.kind,
  }));
}

// The numbers of the lines to show, those that the page holds.
function shownLines(places, lines) {
  const numbers = new Set();
  for (const each of places) {
    const last = Math.min(each.endLine, each.line + DATA.tallest) + DATA.around;
    for (let number = each.line - DATA.around; number <= last; number += 1) if (String(number) in lines) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

function indentOf(line, column) {
  let cells = 0;
  for (const character of Array.from(line).slice(0, column - 1)) cells += character === "\t" ? 4 - (cells % 4) : 1;
  return " ".repeat(cells);
}

function excerpt(file, places) {
  const lines = DATA.lines[file];
  const rows = [];
  let before = null;
  for (const number of shownLines(places, lines)) {
    if (before !== null && number > before + 1) rows.push(el("div", { class: "skip-line" }, "⋯"));
    const marks = marksOn(number, places);
    rows.push(el("div", { class: marks.length ? "line hit" : "line" },
      el("span", { class: "no" }, String(number)), el("span", { class: "text" }, ...codeOf(lines[number], marks))));
    for (const each of places.filter((one) => one.label && one.line === number)) {
      rows.push(el("div", { class: "label" }, el("span", { class: "text" }, `${indentOf(lines[number], each.column)}↑ ${each.label}`)));
    }
    before = number;
  }
  return el("div", { class: "source" }, el("header", {}, el("bdi", {}, DATA.files[file])), el("pre", { tabindex: "0", "aria-label": `Source of ${DATA.files[file]}` }, ...rows));
}

// The excerpts for one place and those that explain it, that of its own file first.
function excerpts(place, related = []) {
  const byFile = new Map([[place.file, [{ ...place, kind: "main" }]]]);
  for (const each of related) {
    if (!byFile.has(each.file)) byFile.set(each.file, []);
    byFile.get(each.file).push({ ...each, kind: "also", label: each.message });
  }
  return [...byFile].map(([file, places]) => excerpt(file, places));
}
