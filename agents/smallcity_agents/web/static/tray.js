// The tray of tiles: what can be built, what it costs, and why the rest cannot.

import { capital, el, get, icon, svg, toast } from "./dom.js";
import { _, ngettext } from "./i18n.js";

const GROUPS = [
  [_("Homes"), (piece) => piece.family === 0],
  [_("Shops"), (piece) => piece.family === 1],
  [_("Factories"), (piece) => piece.family === 2],
  [_("Parks"), (piece) => piece.family === 3],
  [_("Power plants"), (piece) => piece.plant],
  [_("Buildings"), () => true],
];
const MATERIALS = ["wood", "stone", "metal"];
const CELL = 40;

export class Tray {
  constructor(play) {
    this.play = play;
  }

  show(turn) {
    const { play } = this;
    const shown = new Set();
    const groups = GROUPS.map(([name, belongs]) => {
      const slots = turn.tray.filter(
        (slot) => !shown.has(slot.action) && belongs(play.pieces.kinds[slot.kind]),
      );
      slots.forEach((slot) => shown.add(slot.action));
      if (!slots.length) return null;
      const possible = slots.filter((slot) => !slot.reason);
      if (!possible.length) return null;
      return el("div", { class: "group" }, el("h3", {}, name), el("div", { class: "slots" }, possible.map((slot) => this.slot(slot))));
    });
    play.question.append(
      el("div", { class: "tray", role: "group", "aria-label": _("Tiles") }, groups),
      this.refused(turn.tray.filter((slot) => slot.reason)),
    );
  }

  refused(slots) {
    // what cannot be built now, by reason
    const reasons = Map.groupBy(slots, (slot) => slot.reason);
    if (!slots.length) return "";
    const row = ([reason, those]) =>
      el("li", {}, el("b", {}, capital(reason)), el("br"), those.map((slot) => this.name(slot)).join(", "));
    return el(
      "details",
      { class: "refused" },
      el("summary", {}, ngettext("{n} tile cannot be built now", "{n} tiles cannot be built now", slots.length)),
      el("ul", {}, [...reasons].map(row)),
    );
  }

  name(slot) {
    const { title } = this.play.pieces.kinds[slot.kind];
    return slot.upgrade ? _("upgrade to {tile}", { tile: title }) : title;
  }

  slot(slot) {
    const piece = this.play.pieces.kinds[slot.kind];
    const effect = slot.effect || _("free");
    const words = _("{tile}: {effect}. {about}", { tile: capital(this.name(slot)), effect, about: piece.about });
    const button = el(
      "button",
      {
        type: "button",
        class: `slot${slot.upgrade ? " upgrade" : ""}`,
        "data-action": slot.action,
        onclick: () => this.take(slot, button),
      },
      picture(piece),
      el("span", { class: "sr" }, piece.level || slot.upgrade ? this.name(slot) : ""),
      el(
        "span",
        { class: "level" },
        slot.upgrade ? `▲ ${piece.level}` : piece.level ? _("level {n}", { n: piece.level }) : piece.title,
      ),
      el("small", {}, slot.upgrade ? slot.effect.split(" (")[0] : cost(slot)),
    );
    for (const event of ["pointerenter", "focus"])
      button.addEventListener(event, () => {
        this.play.about.textContent = words;
      });
    return button;
  }

  async take(slot, button) {
    const { play } = this;
    try {
      const places = await get(`/api/places/${play.token}/${slot.action}`);
      play.page.querySelectorAll(".slot.taken").forEach((node) => node.classList.remove("taken"));
      button.classList.add("taken");
      if (!places[0].cells.length) return play.answer(slot.action);
      play.placing.start(places, play.pieces.kinds[slot.kind]);
      const { board } = play.placing;
      play.choose(board.seat);
      const first = places.find((place) => place.cells.includes(board.cursor))
        ? board.cursor
        : places[0].cells[0];
      play.placing.aim(first);
      if (document.activeElement === button && button.matches(":focus-visible")) {
        board.cursor = first;
        board.node.focus();
      }
    } catch (error) {
      toast(capital(error.message));
    }
    return null;
  }
}

function cost(slot) {
  // money in words, materials as pictures
  const goods = slot.materials.flatMap((n, m) => Array.from({ length: n }, () => icon(MATERIALS[m], 13)));
  return [slot.money ? _("${n}", { n: slot.money }) : "", " ", ...goods];
}

export function picture(piece) {
  if (!piece.cells.length) return icon(piece.symbol, 30);
  const rows = piece.cells.map(([row]) => row);
  const cols = piece.cells.map(([, col]) => col);
  const [left, wide, high] = [
    Math.min(...cols),
    Math.max(...cols) - Math.min(...cols) + 1,
    Math.max(...rows) + 1,
  ];
  const size = Math.max(wide, high) * CELL;
  const box = `${left * CELL - (size - wide * CELL) / 2} ${-(size - high * CELL) / 2} ${size} ${size}`;
  return svg(
    "svg",
    { viewBox: box, width: 36, height: 36, "aria-hidden": "true" },
    svg("use", { href: `#${piece.symbol}` }),
  );
}
