// What has happened and why: the log by round and phase, and a summary between rounds.

import { el, icon, recall, remember, scrolling } from "./dom.js";
import { _ } from "./i18n.js";
import { seatBadge, who } from "./panels.js";

const TRACKS = ["votes", "money", "pollution"];
const NAMES = {
  votes: _("votes"), money: _("money"), pollution: _("pollution"), points: _("points"),
  wood: _("wood"), stone: _("stone"), metal: _("metal"),
};
const signed = (n) => (n > 0 ? `+${n}` : n ? `−${-n}` : "0");
const roundName = (round) => (round ? _("Round {round}", { round }) : _("Set-up"));

export function changes(gains) {
  // what a line changed, as pictures
  return Object.entries(gains).map(([track, n]) =>
    el(
      "span",
      { class: `gain ${n > 0 ? "more" : n ? "less" : "none"}`, title: NAMES[track] ?? track },
      track === "points" ? `${signed(n)} ` : [signed(n), icon(track, 15)],
    ),
  );
}

function lines(view, found) {
  return found.map(([, , seat, words, gains]) =>
    el("li", {}, seat < 0 ? "" : [seatBadge(seat), el("span", { class: "sr" }, who(view, seat))], ` ${words} `, changes(gains)),
  );
}

export class Log {
  // the newest round is open, and those that were opened
  constructor(phases) {
    this.phases = phases;
    this.node = el("div", { class: "log", role: "region", tabindex: "0", "aria-label": _("What has happened") });
    this.opened = new Set();
    this.follows = true; // until the reader scrolls up
    this.node.addEventListener("scroll", () => {
      this.follows = this.node.scrollTop + this.node.clientHeight >= this.node.scrollHeight - 30;
    });
  }

  show(view) {
    const rounds = [...new Set(view.log.map(([round]) => round))];
    this.node.replaceChildren(...rounds.map((round) => this.round(view, round, round === rounds.at(-1))));
    if (this.follows) this.node.scrollTop = this.node.scrollHeight;
  }

  round(view, round, last) {
    const told = view.log.filter(([at]) => at === round);
    const phases = [...new Set(told.map(([, phase]) => phase))];
    const toggled = () => this.opened[node.open ? "delete" : "add"](round);
    const node = el(
      "details",
      { open: last || this.opened.has(round), "data-round": round },
      el("summary", { onclick: toggled }, roundName(round)),
      phases.flatMap((phase) => [
        el("h3", {}, this.phases[phase]),
        el("ol", {}, lines(view, told.filter(([, at]) => at === phase))),
      ]),
    );
    return node;
  }
}

function totals(view, round, seat) {
  const sums = {};
  for (const [at, , who, , gains] of view.log)
    if (at === round && who === seat)
      for (const [track, n] of Object.entries(gains)) sums[track] = (sums[track] || 0) + n;
  return sums;
}

export function summary(view, close) {
  // what the last round brought everybody, and you in particular
  const round = view.round - 1;
  const own = view.log.filter(([at, , seat, , gains]) => at === round && seat === view.you && Object.keys(gains).length);
  const rows = view.boroughs.map((borough, seat) => {
    const sums = totals(view, round, seat);
    const cell = (track) => el("td", {}, `${borough[track]} `, changes(sums[track] ? { [track]: sums[track] } : {}));
    return el("tr", {}, el("th", { scope: "row" }, seatBadge(seat), ` ${who(view, seat)}`), TRACKS.map(cell));
  });
  const never = el("button", { type: "button", class: "quiet", onclick: () => (remember("summary", false), close()) }, _("Never show this"));
  const heads = [_("Player"), _("Votes"), _("Money"), _("Pollution")];
  return el(
    "section",
    { class: "summary", "aria-label": _("What the round brought") },
    el("div", { class: "ending" }, el("h2", {}, _("Round {round} is over", { round })), el("button", { type: "button", "data-do": "go-on", onclick: close }, _("Close")), never),
    scrolling(
      _("Round {round} is over", { round }),
      el("table", { class: "result" }, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows)),
    ),
    own.length ? el("ol", { class: "causes" }, lines(view, own)) : "",
  );
}

export const summaryDue = (before, view) =>
  recall("summary", true) && before && before.round >= 1 && view.round === before.round + 1 && !view.over;
