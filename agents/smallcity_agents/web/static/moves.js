// Phase 3: citizens by drag or click, in any order; all go in one go.

import { el, space, toast } from "./dom.js";
import { _, ngettext } from "./i18n.js";

const SEAT = 185; // the action "seat 0": abroad to that borough

export class Moves {
  constructor(play) {
    this.play = play;
    this.clear(false);
  }

  clear(again = true) {
    this.plan = new Map(); // "where-space": { mover, seat, to }
    this.selected = null;
    if (again) this.draw();
  }

  show(turn) {
    this.turn = turn;
    this.plan = new Map();
    this.selected = null;
    this.list = el("ul", { class: "plan" });
    this.doneButton = el("button", {
      type: "button",
      class: "main",
      "data-do": "done",
      onclick: () => this.done(),
    });
    this.play.question.append(
      el(
        "p",
        {},
        _("Drag citizens to where they go, or click one and then its goal. Those who do not move do not work."),
      ),
      this.list,
      this.doneButton,
    );
    this.select(turn.movers.find((mover) => mover.goals.length || Object.keys(mover.abroad).length) ?? null);
  }

  get active() {
    return this.play.view?.turn?.movers.length > 0;
  }

  key(mover) {
    return `${mover.where}-${mover.space}`;
  }

  moverAt(seat, n) {
    return this.turn?.movers.find(
      (mover) => mover.where === seat && mover.space === n && !this.plan.has(this.key(mover)),
    );
  }

  taken(seat, n) {
    return [...this.plan.values()].some((move) => move.seat === seat && move.to === n);
  }

  goals(mover, seat) {
    const home = seat === this.play.view.you;
    const sent = [...this.plan.values()].filter((move) => move.seat === seat).length;
    if (!home && sent >= (this.turn.tourists[seat] ?? 0)) return [];
    const all = home ? mover.goals : (mover.abroad[seat] ?? []);
    return all.filter((n) => !this.taken(seat, n));
  }

  select(mover) {
    this.selected = mover;
    this.draw();
  }

  draw() {
    const { play } = this;
    if (!this.active || !this.list) return;
    play.boards.forEach((board) => {
      board.light(this.selected ? this.goals(this.selected, board.seat) : []);
      board.mark(
        this.turn.movers
          .filter((mover) => mover.where === board.seat && !this.plan.has(this.key(mover)))
          .map((mover) => mover.space),
        "mover",
      );
      board.mark(
        this.selected && this.selected.where === board.seat ? [this.selected.space] : [],
        "asked-about",
      );
      board.clearPlans();
    });
    for (const { mover, seat, to } of this.plan.values()) {
      if (seat === mover.where) play.boards[seat].pawn(mover.space, to, play.view.you);
      else play.boards[seat].arrival(to, play.view.you);
    }
    this.list.replaceChildren(
      ...[...this.plan.entries()].map(([key, { mover, seat, to }]) =>
        el(
          "li",
          {},
          seat === play.view.you
            ? _("{from} goes to {to}", { from: space(mover.space), to: space(to) })
            : _("{from} goes to {to} ({player})", { from: space(mover.space), to: space(to), player: play.view.players[seat] }),
          " ",
          el(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": _("Take back the move from {space}", { space: space(mover.space) }),
              onclick: () => {
                this.plan.delete(key);
                this.select(mover);
              },
            },
            "×",
          ),
        ),
      ),
    );
    const rest = this.turn.movers.length - this.plan.size;
    this.doneButton.textContent = !this.plan.size
      ? _("Nobody moves")
      : rest
        ? ngettext("Done, {n} stays", "Done, {n} stay", rest)
        : _("Done");
  }

  draggable(seat, n) {
    const mover = this.active ? this.moverAt(seat, n) : null;
    if (mover) this.select(mover);
    return Boolean(mover);
  }

  drop(seat, from, target, to) {
    const mover = this.moverAt(seat, from);
    if (mover) this.go(mover, target, to);
  }

  pick(seat, n) {
    const mover = this.moverAt(seat, n);
    if (this.selected && this.goals(this.selected, seat).includes(n)) this.go(this.selected, seat, n);
    else if (mover) this.select(mover);
    else
      toast(
        this.selected
          ? _("The citizen at {from} cannot go to {to}.", { from: space(this.selected.space), to: space(n) })
          : _("Choose a citizen first."),
      );
  }

  go(mover, seat, to) {
    if (!this.goals(mover, seat).includes(to)) {
      toast(_("The citizen at {from} cannot go to {to}.", { from: space(mover.space), to: space(to) }));
      return;
    }
    this.plan.set(this.key(mover), { mover, seat, to });
    this.select(
      this.turn.movers.find(
        (other) => !this.plan.has(this.key(other)) && this.goals(other, this.play.view.you).length,
      ) ?? null,
    );
  }

  done() {
    if (!this.active) return;
    const moves = [...this.plan.values()].map(({ mover, seat, to }) =>
      seat === this.play.view.you
        ? [mover.where, mover.space, to]
        : [mover.where, mover.space, SEAT + seat, to],
    );
    this.play.send("move", { moves });
  }
}
