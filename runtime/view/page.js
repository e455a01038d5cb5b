// The page of a graph: draws what is in view, closes and opens boxes, finds, and shows
// the source. Places from left to right come with the data; heights are added up here, as
// `stack` in drawing.py does, since they change when a box is closed.
"use strict";

const LINE = 22, CELL = 18, HEAD = 24, PAD = 10, BETWEEN = 10;
const CHARACTER = 7.4;  // the width of one
const DETAIL = 0.32;  // zoom from which texts are drawn
const MANY = 2500;    // boxes in view beyond which only their outlines are drawn
const KINDS = ["input", "op", "constant", "effect", "group", "return", "reference"];

const data = JSON.parse(document.getElementById("graph").textContent);
const svg = document.getElementById("picture");
const world = document.getElementById("world");
const all = [];
const view = { x: 0, y: 0, k: 1 };
let hot = null, hotLine = null, hits = [], hit = -1, waiting = false;

// The data: arrays as html.py writes them, made objects.

function read([title, width, rooms, boxes, lines, x], holder) {
  const sheet = { title, width, rooms, x, y: HEAD, holder, rows: rooms.map(() => []) };
  sheet.boxes = boxes.map((found) => {
    const [kind, title, cells, left, wide, high, row, at, full, [margin, heat], inner] = found;
    const box = { kind: KINDS[kind], title, cells, x: left, width: wide, high, row, at,
      full, margin, heat, sheet, closed: false, y: 0, lines: [], id: all.length,
      open: { x: left, width: wide, cells } };
    all.push(box);
    sheet.rows[row].push(box);
    box.sheets = inner.map((one) => read(one, box));
    return box;
  });
  sheet.lines = lines.map(([from, to, xs, label, dashed]) => {
    const line = { from: sheet.boxes[from], to: sheet.boxes[to], xs, label, dashed };
    line.from.lines.push(line);
    line.to.lines.push(line);
    return line;
  });
  return sheet;
}

function stack(sheet) {
  let y = (sheet.title ? CELL : 0) + PAD;
  sheet.tops = [];
  sheet.heights = [];
  sheet.rows.forEach((row, at) => {
    let height = 0;
    for (const box of row) {
      box.y = y;
      box.height = measured(box);
      height = Math.max(height, box.height);
    }
    sheet.tops.push(y);
    sheet.heights.push(height);
    y += height + sheet.rooms[at];
  });
  sheet.height = y + PAD;
  return sheet.height;
}

function measured(box) {
  if (!box.sheets.length) return box.high;
  const foot = box.cells.length ? CELL : 0;
  narrow(box);
  if (box.closed) return HEAD + foot;
  return HEAD + Math.max(...box.sheets.map(stack)) + BETWEEN + foot;
}

// A closed box is as wide as its texts, below what leads to it.
function narrow(box) {
  const { x, width, cells } = box.open;
  let part = 1;
  if (box.closed) {
    const texts = cells.map(([cell, , wide]) => (CHARACTER * cell.length + 12) / wide);
    const title = CHARACTER * (box.title.length + (box.margin || "").length) + 48;
    part = Math.min(1, Math.max(title / width, ...texts));
  }
  const arrivals = box.lines.filter((line) => line.to === box).map((line) => line.xs.at(-1));
  if (!arrivals.length) arrivals.push(x + width / 2);
  box.reach = [Math.min(...arrivals), Math.max(...arrivals)];
  const middle = (box.reach[0] + box.reach[1]) / 2;
  box.width = width * part;
  box.x = Math.max(x, Math.min(x + width - box.width, middle - box.width / 2));
  box.cells = cells.map(([cell, left, wide]) => [cell, left * part, wide * part]);
}

// Where lines leave and arrive: by the cell, and as near to their way as there is room.
const leaves = (box, x) => box.x + (x - box.open.x) * box.width / box.open.width;

function arrives(box, x) {
  if (!box.closed) return x;
  const [low, high] = box.reach, left = box.x + 8, right = box.x + box.width - 8;
  if (high - low > right - left) return left + (x - low) * (right - left) / (high - low);
  return x + Math.max(0, left - low) + Math.min(0, right - high);
}

function ends(line) {
  return [leaves(line.from, line.xs[0]), ...line.xs.slice(1, -1),
    arrives(line.to, line.xs.at(-1))];
}

function route(sheet, line) {
  const xs = ends(line);
  let x = xs[0];
  let text = `M${x} ${line.from.y + line.from.height}`;
  for (let at = 1; at < xs.length; at++) {
    const row = line.from.row + at - 1;
    const bottom = sheet.tops[row] + sheet.heights[row], top = sheet.tops[row + 1];
    const middle = (bottom + top) / 2, next = xs[at];
    text += `V${bottom}C${x} ${middle} ${next} ${middle} ${next} ${top}`;
    x = next;
  }
  return text;
}

// Drawing: what is in view, as one text.

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function shown() {
  const { width, height } = svg.getBoundingClientRect();
  return { left: -view.x / view.k, top: -view.y / view.k,
    right: (width - view.x) / view.k, bottom: (height - view.y) / view.k };
}

// Calls `visit(box, x, y)` for boxes in view, and `pass(sheet, x, y)` before its boxes.
function walk(sheet, x, y, area, visit, pass) {
  pass(sheet, x, y);
  let row = first(sheet, area.top - y);
  for (; row < sheet.tops.length && y + sheet.tops[row] < area.bottom; row++) {
    for (const box of sheet.rows[row]) {
      const left = x + box.x;
      if (left > area.right || left + box.width < area.left) continue;
      visit(box, left, y + box.y);
      if (box.closed) continue;
      for (const inner of box.sheets) {
        const sx = left + inner.x, sy = y + box.y + inner.y;
        if (sx > area.right || sx + inner.width < area.left) continue;
        if (sy > area.bottom || sy + inner.height < area.top) continue;
        walk(inner, sx, sy, area, visit, pass);
      }
    }
  }
}

function first(sheet, y) {
  let low = 0, high = sheet.tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sheet.tops[middle] + sheet.heights[middle] < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

function draw() {
  waiting = false;
  const area = shown();
  let count = 0;
  walk(root, 0, 0, area, () => { count++; }, () => {});
  const far = view.k < DETAIL || count > MANY;
  world.innerHTML = far ? outlines(area) : details(area);
  world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
}

function later() {
  if (!waiting) requestAnimationFrame(draw);
  waiting = true;
}

function lines(sheet, x, y, area, write) {
  const from = first(sheet, area.top - y);
  for (const line of sheet.lines) {
    if (line.to.row < from) continue;
    if (y + sheet.tops[line.from.row] > area.bottom) continue;
    write(line);
  }
}

function outlines(area) {
  const paths = Object.fromEntries(KINDS.map((kind) => [kind, ""]));
  let ways = "", marks = "";
  walk(root, 0, 0, area, (box, x, y) => {
    paths[box.kind] += `M${x} ${y}h${box.width}v${box.height}h${-box.width}z`;
    if (box.hit || box === hot) marks += `M${x} ${y}h${box.width}v${box.height}h${-box.width}z`;
  }, (sheet, x, y) => {
    if (sheet.lines.length < 4000) lines(sheet, x, y, area, (line) => {
      const xs = ends(line), end = line.to.y + y;
      ways += `M${x + xs[0]} ${y + line.from.y + line.from.height}` +
        `L${x + xs[xs.length - 1]} ${end}`;
    });
  });
  const drawn = ["group", ...KINDS.filter((kind) => kind !== "group")].map((kind) =>
    paths[kind] && `<path class="far" style="fill:var(--${fill(kind)})" d="${paths[kind]}"/>`);
  return drawn.join("") + `<path class="far" style="fill:none" d="${ways}"/>` +
    `<path class="hot" style="stroke-width:${3 / view.k}" d="${marks}"/>`;
}

const fill = (kind) => kind === "reference" ? "input" : kind;

function details(area) {
  const parts = [], above = [];
  const stacked = [];
  walk(root, 0, 0, area, (box, x, y) => {
    parts.push(drawn(box, x, y, area));
  }, (sheet, x, y) => {
    stacked.push(sheet);
    if (sheet.holder) parts.push(`<g class="sheet"><rect x="${x}" y="${y}" ` +
      `width="${sheet.width}" height="${sheet.height}" rx="4"/></g>`);
    if (sheet.title) parts.push(`<text class="c" x="${x + sheet.width / 2}" ` +
      `y="${y + CELL - 4}">${escaped(sheet.title)}</text>`);
    parts.push(`<g transform="translate(${x} ${y})">`);
    lines(sheet, x, y, area, (line) => {
      const warm = hot && (line.from === hot || line.to === hot);
      const kind = [line.dashed && "d", warm && "hot"].filter(Boolean).join(" ");
      parts.push(`<path class="${kind}" marker-end="url(#ag-tip)" d="${route(sheet, line)}">` +
        `<title>${escaped(line.label)}</title></path>`);
      if (warm && line.label) above.push(spec(line, x, y - 12 * above.length));
    });
    parts.push("</g>");
  });
  return parts.join("") + above.join("");
}

function spec(line, x, y) {
  const last = ends(line).pop();
  return `<text class="spec" x="${x + last + 5}" y="${y + line.to.y - 6}">` +
    `${escaped(line.label)}</text>`;
}

function drawn(box, x, y, area) {
  const round = box.kind === "input" || box.kind === "reference" ? 10 : 4;
  const names = [box.kind, box.hit && "hit", box === hits[hit] && "now",
    (box === hot || sameLine(box)) && "hot"].filter(Boolean).join(" ");
  let text = `<g class="${names}" data-box="${box.id}" transform="translate(${x} ${y})">` +
    `<title>${escaped(box.full)}</title>` +
    `<rect width="${box.width}" height="${box.height}" rx="${round}"/>`;
  if (box.heat) text += `<rect class="heat" width="${box.width}" height="${box.height}" ` +
    `rx="${round}" style="opacity:${0.5 * box.heat}"/>`;
  if (box.title) {
    const base = (box.sheets.length ? HEAD : LINE) / 2 + 4.5;
    // The title of a wide box stays in view.
    const room = box.width - CHARACTER * box.title.length - 60;
    const shift = box.sheets.length ? Math.max(0, Math.min(area.left - x, room)) : 0;
    const sign = box.sheets.length ? (box.closed ? "▸ " : "▾ ") : "";
    text += `<text x="${9 + shift}" y="${base}"${box.sheets.length ? ' class="open"' : ""}>` +
      `${sign}${escaped(box.title)}</text>`;
    if (box.margin) text += `<text class="l" x="${box.width - 7}" y="${base}">` +
      `${escaped(box.margin)}</text>`;
  }
  for (const [cell, left, wide] of box.cells) {
    text += `<text class="c" x="${left + wide / 2}" y="${box.height - 6}">` +
      `${escaped(cell)}</text>`;
  }
  return text + "</g>";
}

// Moving about.

function zoom(factor, x, y) {
  const k = Math.min(4, Math.max(0.01, view.k * factor));
  view.x = x - (x - view.x) * k / view.k;
  view.y = y - (y - view.y) * k / view.k;
  view.k = k;
  later();
}

function fit(whole) {
  const { width, height } = svg.getBoundingClientRect();
  const wide = width / root.width, high = height / root.height;
  view.k = whole ? Math.min(1.5, wide, high) : Math.min(1, Math.max(0.4, wide));
  view.x = (width - root.width * view.k) / 2;
  view.y = whole ? (height - root.height * view.k) / 2 : 0;
  later();
}

function placeOf(box) {
  let x = 0, y = 0;
  for (let one = box; one; one = one.sheet.holder) {
    x += one.x + one.sheet.x * Boolean(one.sheet.holder);
    y += one.y + one.sheet.y * Boolean(one.sheet.holder);
  }
  return [x, y];
}

function show(box) {
  for (let one = box.sheet.holder; one; one = one.sheet.holder) one.closed = false;
  stack(root);
  const { width, height } = svg.getBoundingClientRect();
  view.k = Math.max(view.k, 0.8);
  const [x, y] = placeOf(box);
  view.x = width / 2 - (x + box.width / 2) * view.k;
  view.y = height / 3 - y * view.k;
  later();
}

function turn(box, closed) {
  // What is under the pointer stays there.
  const before = placeOf(box)[1];
  box.closed = closed;
  stack(root);
  view.y += (before - placeOf(box)[1]) * view.k;
  later();
}

function turnAll(closed) {
  for (const box of all) if (box.sheets.length) box.closed = closed;
  stack(root);
  fit(false);
}

const boxAt = (event) => {
  const part = event.target.closest && event.target.closest("[data-box]");
  return part ? all[part.dataset.box] : null;
};

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const { left, top } = svg.getBoundingClientRect();
  if (event.ctrlKey || event.metaKey || !event.shiftKey && !event.deltaX) {
    zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  } else {
    view.x -= event.deltaX || event.deltaY;
    later();
  }
}, { passive: false });

let grip = null;
svg.addEventListener("pointerdown", (event) => {
  grip = { x: event.clientX, y: event.clientY, moved: false, box: boxAt(event) };
});
svg.addEventListener("pointermove", (event) => {
  if (!grip || !event.buttons) return point(boxAt(event));
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  if (!grip.moved && Math.abs(dx) + Math.abs(dy) < 4) return undefined;
  if (!grip.moved) svg.setPointerCapture(event.pointerId);
  grip.moved = true;
  svg.classList.add("moving");
  view.x += dx;
  view.y += dy;
  grip.x = event.clientX;
  grip.y = event.clientY;
  return later();
});
svg.addEventListener("pointerup", () => {
  svg.classList.remove("moving");
  if (grip && !grip.moved && grip.box && grip.box.sheets.length) {
    turn(grip.box, !grip.box.closed);
  }
  grip = null;
});
svg.addEventListener("pointerleave", () => point(null));

// The source, and what a box and its line have to do with one another.

const source = document.getElementById("source");
const rows = new Map();

function point(box) {
  if (box === hot) return;
  hot = box;
  for (const row of source.querySelectorAll("li.hot")) row.classList.remove("hot");
  const row = box && box.at && rows.get(box.at.join(":"));
  if (row) {
    row.classList.add("hot");
    row.scrollIntoView({ block: "nearest" });
  }
  later();
}

const sameLine = (box) => hotLine && box.at && box.at.join(":") === hotLine;

function list() {
  const made = new Set(all.filter((box) => box.at).map((box) => box.at.join(":")));
  data.sources.forEach(([file, start, text], number) => {
    const head = document.createElement("h2");
    head.textContent = file;
    const items = document.createElement("ol");
    text.forEach((content, at) => {
      const row = document.createElement("li"), mark = document.createElement("b");
      const place = `${data.files.indexOf(file)}:${start + at}`;
      mark.textContent = start + at;
      row.append(mark, content);
      if (made.has(place)) {
        row.className = "made";
        rows.set(place, row);
        row.onmouseenter = () => { hotLine = place; later(); };
        row.onmouseleave = () => { hotLine = null; later(); };
        row.onclick = () => show(all.find((box) => box.at && box.at.join(":") === place));
      }
      items.append(row);
    });
    source.append(head, items);
    head.dataset.number = number;
  });
  source.hidden = !data.sources.length;
}

// Finding.

const search = document.getElementById("search");

function find() {
  const wanted = search.value.trim().toLowerCase();
  for (const box of hits) box.hit = false;
  hits = wanted ? all.filter((box) =>
    `${box.full}\n${box.cells.map((cell) => cell[0]).join("\n")}`.toLowerCase()
      .includes(wanted)) : [];
  for (const box of hits) box.hit = true;
  hit = -1;
  tell();
  later();
}

function tell() {
  const found = document.getElementById("found");
  if (!search.value.trim()) found.textContent = "";
  else if (!hits.length) found.textContent = "nothing found";
  else found.textContent = hit < 0 ? `${hits.length} found` : `${hit + 1} of ${hits.length}`;
}

function next(step) {
  if (!hits.length) return;
  hit = (hit + step + hits.length) % hits.length;
  tell();
  show(hits[hit]);
}

search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") next(event.shiftKey || hit < 0 && event.shiftKey ? -1 : 1);
  if (event.key === "Escape") { search.value = ""; find(); svg.focus(); }
});

const middle = (factor) => {
  const { width, height } = svg.getBoundingClientRect();
  zoom(factor, width / 2, height / 2);
};
const BUTTONS = {
  closer: () => middle(1.3),
  farther: () => middle(1 / 1.3),
  fit: () => fit(true),
  close: () => turnAll(true),
  open: () => turnAll(false),
  beside: () => { source.hidden = !source.hidden; later(); },
};
for (const [name, act] of Object.entries(BUTTONS)) {
  document.getElementById(name).addEventListener("click", act);
}
const KEYS = { "+": "closer", "=": "closer", "-": "farther", 0: "fit" };
document.addEventListener("keydown", (event) => {
  if (event.target === search) return;
  if (event.key === "/") { event.preventDefault(); search.focus(); }
  if (KEYS[event.key]) BUTTONS[KEYS[event.key]]();
});
window.addEventListener("resize", later);

const root = read(data.sheet, null);
root.x = root.y = 0;
stack(root);
list();
fit(false);
draw();
requestAnimationFrame(() => setTimeout(() => performance.mark("shown")));
