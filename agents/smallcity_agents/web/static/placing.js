// Placing a tile or the Mayor's street: one gesture for what, where and which way.

import { SIDE, el, space, toast } from "./dom.js";
import { _ } from "./i18n.js";

export class Placing {
  constructor(play) {
    this.play = play;
    this.stop();
  }

  stop() {
    Object.assign(this, { list: null, turns: 0, at: null, chosen: null });
  }

  get active() {
    return this.list !== null;
  }

  get board() {
    return this.play.boards[this.play.view.turn.board];
  }

  start(list, piece) {
    this.stop();
    const seen = (n) => Math.floor(n / SIDE) < this.board.borough.size; // a plant's columns are longer
    this.list = list.map((place) => ({ ...place, cells: place.cells.filter(seen) }));
    this.board.light([...new Set(this.list.flatMap((place) => place.cells))], "site");
    const how = instructions(this.play.view.turn.tray.length > 0);
    const words = [piece ? el("b", {}, piece.title) : "", " ", how];
    const turn = el("button", { type: "button", "data-do": "turn", onclick: () => this.turn() }, _("Turn"));
    const place = el(
      "button",
      { type: "button", class: "main", "data-do": "place", onclick: () => this.place() },
      _("Place here"),
    );
    this.play.question.querySelector(".placing-bar")?.remove();
    this.play.question.append(
      el("div", { class: "placing-bar" }, el("p", { class: "placing" }, words), turn, place),
    );
  }

  // the placements over the space pointed at, those that begin there first
  fitting() {
    const over = this.list.filter((place) => place.cells.includes(this.at));
    return [
      ...over.filter((place) => place.cells[0] === this.at),
      ...over.filter((place) => place.cells[0] !== this.at),
    ];
  }

  aim(at) {
    if (!this.active) return;
    if (at !== null) this.at = at;
    const fitting = this.at === null ? [] : this.fitting();
    this.chosen = fitting.length ? fitting[this.turns % fitting.length] : null;
    this.board.ghost(this.chosen?.cells ?? null);
  }

  turn() {
    this.turns += 1;
    this.aim(null);
  }

  place() {
    if (!this.chosen) return toast(_("Point at a lit space first."));
    return this.play.answer(...this.chosen.answers);
  }

  pick(board, n, touch) {
    if (board !== this.board) return;
    const again = this.chosen?.cells.includes(n);
    if (!again) this.aim(n);
    if (!this.chosen) toast(_("It does not fit at {space}.", { space: space(n) }));
    else if (!touch || again) this.place();
  }
}

function instructions(fromTray) {
  if (matchMedia("(pointer: coarse)").matches) return _("Touch a lit space, then again to place.");
  return fromTray ? _("Point, click to place; R turns it, Esc puts it back.") : _("Point, click to place; R turns it.");
}
