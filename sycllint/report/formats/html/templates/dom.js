// Elements are made node by node: what a source file or a message says is only ever text.

const SVG = document.querySelector("svg").namespaceURI;
const byId = (id) => document.getElementById(id);

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
  return node;
}

const el = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

const chevron = () => svg("svg", { class: "chevron", viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: "m5 2.5 4.5 4.5L5 11.5" }));

// Text with `code` in it.
function phrased(sentence) {
  return sentence.split(/(`[^`]+`)/).map((part) => (/^`[^`]+`$/.test(part) ? el("code", {}, part.slice(1, -1)) : part));
}

function where(path, line) {
  const cut = path.lastIndexOf("/") + 1;
  return el("span", { class: "where", title: `${path}:${line}` },
    el("span", { class: "dir" }, el("bdi", {}, path.slice(0, cut))),
    el("span", { class: "base" }, el("bdi", {}, `${path.slice(cut)}:${line}`)));
}

function options(select, entries, first) {
  select.replaceChildren(el("option", { value: "" }, first), ...entries.map(([value, label]) => el("option", { value }, label)));
}

// A list that is drawn piece by piece as it is scrolled to, and as a whole when it is printed.
class Rows {
  constructor(root, { row, heading, nothing }) {
    Object.assign(this, { root, row, heading, nothing, items: [], drawn: 0 });
    this.button = el("button", { type: "button", class: "more-rows", onclick: () => this.draw() });
    new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && this.draw(), { rootMargin: "900px" }).observe(this.button);
  }

  show(items) {
    this.items = items;
    this.drawn = 0;
    this.last = null;
    this.root.replaceChildren();
    if (items.length) this.draw();
    else this.root.append(this.nothing());
  }

  draw(count = Rows.PIECE) {
    const until = Math.min(this.drawn + count, this.items.length);
    const piece = document.createDocumentFragment();
    this.button.remove();
    for (; this.drawn < until; this.drawn += 1) {
      const item = this.items[this.drawn];
      const heading = this.heading(item);
      const begins = this.drawn === 0 || heading.key !== this.key;
      const next = this.items[this.drawn + 1];
      const node = this.row(item);
      if (begins && heading.node) piece.append(heading.node());
      node.classList.add("row");
      node.classList.toggle("first", begins);
      node.classList.toggle("last", !next || this.heading(next).key !== heading.key);
      this.key = heading.key;
      piece.append(node);
    }
    this.root.append(piece);
    if (this.drawn < this.items.length) {
      this.button.textContent = `Show more (${(this.items.length - this.drawn).toLocaleString("en")} left)`;
      this.root.append(this.button);
    }
  }
}
Rows.PIECE = 80;

// A row that opens: its body is made when it is first opened.
function opening(kind, head, body, open) {
  const button = el("button", { type: "button", class: "head", "aria-expanded": "false" }, ...head, chevron());
  const node = el("div", { class: kind }, button);
  let made = null;
  node.toggle = (opened) => {
    if (opened && !made) node.append((made = el("div", { class: "body" }, ...body())));
    if (made) made.hidden = !opened;
    button.setAttribute("aria-expanded", String(opened));
  };
  button.addEventListener("click", () => node.toggle(button.getAttribute("aria-expanded") !== "true"));
  if (open) node.toggle(true);
  return node;
}
