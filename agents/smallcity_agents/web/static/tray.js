// The tray of tiles: what can be built, what it costs, and why the rest cannot.

import { capital, el, get, icon, svg, toast } from "./dom.js";

const GROUPS = [
  ["Homes", (piece) => piece.family === 0],
  ["Shops", (piece) => piece.family === 1],
  ["Factories", (piece) => piece.family === 2],
  ["Parks", (piece) => piece.family === 3],
  ["Buildings", () => true],
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
      const usual = slots.filter((slot) => !(slot.upgrade && slot.reason.startsWith("there is no smaller")));
      return el(
        "div",
        { class: "group" },
        el("h3", {}, name),
        el(
          "div",
          { class: "slots" },
          usual.map((slot) => this.slot(slot)),
        ),
      );
    });
    play.question.append(el("div", { class: "tray", role: "group", "aria-label": "Tiles" }, groups));
  }

  slot(slot) {
    const piece = this.play.pieces.kinds[slot.kind];
    const price = [
      slot.money && !slot.upgrade ? `$${slot.money}` : "",
      ...slot.materials.map((n, m) => (n ? `${n} ${MATERIALS[m]}` : "")),
    ]
      .filter(Boolean)
      .join(" ");
    const name = slot.upgrade ? `upgrade to ${piece.title}` : piece.title;
    const words = slot.reason
      ? `${capital(name)}: not now, ${slot.reason}.`
      : `${capital(name)}: ${slot.effect || "free"}. ${piece.about}`;
    const button = el(
      "button",
      {
        type: "button",
        class: `slot${slot.reason ? " refused" : ""}${slot.upgrade ? " upgrade" : ""}`,
        "data-action": slot.action,
        "aria-disabled": slot.reason ? "true" : null,
        "aria-label": `${name}${price ? `, ${price}` : ""}${slot.reason ? `, not now: ${slot.reason}` : ""}`,
        onclick: () =>
          slot.reason ? toast(`${capital(name)}: not now, ${slot.reason}.`) : this.take(slot, button),
      },
      picture(piece),
      el(
        "span",
        { class: "level" },
        slot.upgrade ? `▲ ${piece.level}` : piece.level ? `level ${piece.level}` : piece.title,
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
  return [slot.money ? `$${slot.money} ` : "", ...goods];
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
