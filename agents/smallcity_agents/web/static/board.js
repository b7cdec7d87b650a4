// A borough: its picture from the server, and over it spaces that can be pointed at, lit, walked and read aloud.

import { SIDE, space, svg } from "./dom.js";
import { _ } from "./i18n.js";

const CELL = 40;
const x = (n) => (n % SIDE) * CELL;
const y = (n) => Math.floor(n / SIDE) * CELL;

export class Board {
  constructor(seat, pieces, handlers) {
    this.seat = seat;
    this.pieces = pieces;
    this.handlers = handlers; // pick(space), hover(space or null), drag(from, to), about(kind or null)
    this.cursor = 0;
    this.lit = new Set();
    this.picture = svg("g", { class: "picture" });
    this.under = svg("g", { class: "under" });
    this.over = svg("g", { class: "over" });
    this.cells = Array.from({ length: SIDE * SIDE }, (_, n) => this.cell(n));
    this.node = svg(
      "svg",
      {
        class: "board",
        viewBox: "-20 -38 442 442",
        preserveAspectRatio: "xMidYMin",
        role: "grid",
        tabindex: "0",
      },
      this.picture,
      this.under,
      svg("g", { class: "cells" }, this.rows()),
      this.over,
    );
    this.listen();
  }

  cell(n) {
    return svg("rect", {
      class: "cell",
      id: `s${this.seat}-${n}`,
      "data-space": n,
      role: "gridcell",
      x: x(n),
      y: y(n),
      width: CELL,
      height: CELL,
      rx: 5,
    });
  }

  rows() {
    return Array.from({ length: SIDE }, (_, row) =>
      svg("g", { role: "row" }, this.cells.slice(row * SIDE, (row + 1) * SIDE)),
    );
  }

  listen() {
    const at = (event) => {
      const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
      return hit ? [hit.id, Number(hit.dataset.space)] : [null, null];
    };
    this.node.addEventListener("pointermove", (event) => {
      const [, n] = at(event);
      this.handlers.hover?.(this, n);
      if (this.dragged !== undefined && n !== null && n !== this.dragged) this.node.classList.add("dragging");
    });
    this.node.addEventListener("pointerleave", () => this.handlers.hover?.(this, null));
    this.node.addEventListener("pointerdown", (event) => {
      const [, n] = at(event);
      if (n !== null && this.handlers.draggable?.(this, n)) {
        this.dragged = n;
        event.preventDefault();
      }
    });
    window.addEventListener("pointerup", (event) => {
      if (this.dragged === undefined) return;
      const from = this.dragged;
      this.dragged = undefined;
      this.node.classList.remove("dragging");
      const [id] = at(event);
      const target = id?.match(/^s(\d)-(\d+)$/);
      if (target && !(Number(target[1]) === this.seat && Number(target[2]) === from)) {
        this.justDragged = true;
        this.handlers.drop?.(this, from, Number(target[1]), Number(target[2]));
      }
    });
    this.node.addEventListener("click", (event) => {
      const [, n] = at(event);
      if (this.justDragged) {
        this.justDragged = false;
        return;
      }
      if (n !== null) {
        this.moveTo(n);
        this.handlers.pick?.(this, n, event.pointerType === "touch");
      }
    });
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("focus", () => this.moveTo(this.cursor, true));
    this.node.addEventListener("blur", () => this.cells[this.cursor].classList.remove("cursor"));
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE };
    if (event.key in steps) {
      const next = this.cursor + steps[event.key];
      const wraps =
        Math.abs(steps[event.key]) === 1 && Math.floor(next / SIDE) !== Math.floor(this.cursor / SIDE);
      if (next >= 0 && next < SIDE * SIDE && !wraps) this.moveTo(next, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.handlers.pick?.(this, this.cursor, false);
    } else if (
      event.key === "Tab" ||
      event.key === "Escape" ||
      event.key.length > 1 ||
      !this.next(event.key)
    ) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  next(key) {
    // n and p go from one lit space to the next
    if (key !== "n" && key !== "p") return false;
    const lit = [...this.lit].sort((a, b) => a - b);
    if (!lit.length) return false;
    const on = lit.find((n) => n > this.cursor) ?? lit[0];
    const back = lit.findLast((n) => n < this.cursor) ?? lit.at(-1);
    this.moveTo(key === "n" ? on : back, true);
    return true;
  }

  moveTo(n, seen = false) {
    this.cells[this.cursor].classList.remove("cursor");
    this.cursor = n;
    this.node.setAttribute("aria-activedescendant", this.cells[n].id);
    if (seen) {
      this.cells[n].classList.add("cursor");
      this.handlers.hover?.(this, n);
    }
  }

  show(borough, names, you) {
    this.borough = borough;
    this.frame(borough);
    this.picture.innerHTML = borough.svg; // drawn by the server from its own tables
    this.names = names;
    this.you = you;
    this.node.setAttribute("aria-label", _("Borough of {player}", { player: names[this.seat] }));
    this.label();
  }

  frame(borough) {
    // the zone and one row and column beyond it
    const used = borough.tiles
      .flatMap(([, cells]) => cells)
      .map((n) => Math.max(n % SIDE, Math.floor(n / SIDE)) + 1);
    const shown = Math.min(SIDE, Math.max(borough.size + 1, ...used)) * CELL;
    const top = borough.powered ? 40 : 20;
    this.node.setAttribute("viewBox", `-20 ${-top} ${shown + 24} ${shown + top + 4}`);
  }

  label() {
    this.cells.forEach((cell, n) => cell.setAttribute("aria-label", this.words(n)));
  }

  words(n) {
    const tile = this.tileAt(n);
    const parts = [space(n)];
    if (tile) parts.push(this.pieces.kinds[tile[0]].title);
    for (const [at, colour, worked] of this.borough.people) {
      if (at === n)
        parts.push(
          colour === this.you ? _("your citizen") : _("citizen of {player}", { player: this.names[colour] }),
          ...(worked ? [_("who has worked")] : []),
        );
    }
    for (const [at, material] of this.borough.goods)
      if (at === n) parts.push([_("wood"), _("stone"), _("metal")][material]);
    if (this.borough.radiation.includes(n)) parts.push(_("radiation"));
    if (this.borough.graves.includes(n)) parts.push(_("grave"));
    if (this.borough.godzilla.includes(n)) parts.push(_("godzilla"));
    if (this.borough.mayor.includes(n)) parts.push(_("the Mayor"));
    if (this.lit.has(n)) parts.push(_("can be chosen"));
    return parts.join(", ");
  }

  tileAt(n) {
    return this.borough.tiles.find(([, cells]) => cells.includes(n));
  }

  light(spaces, kind = "lit") {
    this.lit = new Set(spaces);
    this.cells.forEach((cell, n) => cell.setAttribute("class", this.lit.has(n) ? `cell ${kind}` : "cell"));
    if (document.activeElement === this.node) this.cells[this.cursor].classList.add("cursor");
    this.label();
  }

  mark(spaces, name) {
    // rings around spaces: movers, the one asked about
    this.under.querySelectorAll(`.${name}`).forEach((node) => node.remove());
    for (const n of spaces)
      this.under.append(
        svg("rect", { class: name, x: x(n) + 1.5, y: y(n) + 1.5, width: CELL - 3, height: CELL - 3, rx: 7 }),
      );
  }

  ghost(cells, symbol = null) {
    this.over.querySelectorAll(".ghost").forEach((node) => node.remove());
    if (!cells?.length) return;
    for (const n of cells)
      this.over.append(
        svg("rect", { class: "ghost", x: x(n) + 1, y: y(n) + 1, width: CELL - 2, height: CELL - 2, rx: 6 }),
      );
    if (symbol)
      this.over.append(
        svg("use", { class: "ghost art", href: `#${symbol}`, x: x(cells[0]), y: y(cells[0]) }),
      );
  }

  pawn(from, to, colour) {
    // a planned move
    const g = svg(
      "g",
      { class: "planned" },
      svg("line", { x1: x(from) + 20, y1: y(from) + 20, x2: x(to) + 20, y2: y(to) + 20 }),
      svg("use", { href: `#citizen-${colour}`, transform: `translate(${x(to) + 23} ${y(to) + 23})` }),
    );
    this.over.append(g);
  }

  arrival(to, colour) {
    this.over.append(
      svg(
        "g",
        { class: "planned" },
        svg("use", { href: `#citizen-${colour}`, transform: `translate(${x(to) + 23} ${y(to) + 23})` }),
      ),
    );
  }

  clearPlans() {
    this.over.querySelectorAll(".planned").forEach((node) => node.remove());
  }

  advise(marks) {
    // where the champion would build, and who would go where
    this.mark(new Set(marks.flatMap(({ spaces }) => spaces)), "advised");
    for (const { start, spaces } of marks.filter((mark) => mark.start !== null)) {
      const [from, to] = [start, spaces.at(-1)];
      this.under.append(
        svg("line", { class: "advised", x1: x(from) + 20, y1: y(from) + 20, x2: x(to) + 20, y2: y(to) + 20 }),
      );
    }
  }

  flash(spaces) {
    // the last change
    this.over.querySelectorAll(".changed").forEach((node) => node.remove());
    for (const n of spaces)
      this.over.append(
        svg("rect", { class: "changed", x: x(n) + 1, y: y(n) + 1, width: CELL - 2, height: CELL - 2, rx: 6 }),
      );
  }

  roll(die, pace) {
    // a die tumbles over the borough and shows its number
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [, , width] = this.node.getAttribute("viewBox").split(" ").map(Number);
    const face = svg("text", { class: "die", x: width / 2 - 20, y: 70, "aria-hidden": "true" });
    this.over.append(face);
    let turns = 0;
    const tumble = () => {
      turns += 1;
      face.textContent = DIE[turns < 6 ? 1 + ((die + turns) % 6) : die];
      face.classList.toggle("settled", turns >= 6);
      if (turns < 6) setTimeout(tumble, pace / 2);
      else setTimeout(() => face.remove(), 8 * pace);
    };
    tumble();
  }

  walk(path, pace, delay = 0) {
    // a godzilla walks over these spaces, one by one
    if (path.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const beast = svg("g", { class: "beast" }, svg("use", { href: "#godzilla" }));
    this.over.append(beast);
    const frames = path.map((n) => ({ transform: `translate(${x(n) + 20}px, ${y(n) + 20}px)` }));
    const timing = { duration: pace * path.length, delay, easing: "linear", fill: "both" };
    this.node.classList.add("walking"); // the one that has arrived is not seen meanwhile
    beast.animate(frames, timing).onfinish = () => {
      beast.remove();
      this.node.classList.toggle("walking", this.over.querySelector(".beast") !== null);
    };
  }
}

export const DIE = ["-", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

export function beasts(boards, before, view, pace) {
  // dice roll and godzillas walk, once each
  if (!before || !pace) return;
  const rolled = view.roll && view.roll[0] > (before.roll?.[0] ?? -1);
  if (rolled) view.roll[1].forEach((die, seat) => die && boards[seat].roll(die, pace));
  const seen = before.walks.at(-1)?.[0] ?? -1;
  for (const [number, seat, , path] of view.walks)
    if (number > seen) boards[seat].walk(path, pace, rolled ? 6 * pace : 0);
}

export function changes(before, after) {
  // the spaces whose contents differ
  if (!before) return [];
  const seen = (b) => {
    const map = new Map();
    const put = (n, word) => map.set(n, `${map.get(n) || ""}${word};`);
    for (const [kind, cells] of b.tiles) for (const n of cells) put(n, `t${kind}.${cells[0]}`);
    for (const [n, colour] of b.people) put(n, `p${colour}`);
    for (const [n, material] of b.goods) put(n, `m${material}`);
    for (const n of b.radiation) put(n, "r");
    for (const n of b.graves) put(n, "g");
    for (const n of b.godzilla) put(n, "z");
    for (const n of b.mayor) put(n, "y");
    return map;
  };
  const [old, now] = [seen(before), seen(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((n) => old.get(n) !== now.get(n));
}
