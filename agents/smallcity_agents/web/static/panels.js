// What stands beside the boards: numbers of a seat, cards, council, news, the end, the coach.

import { capital, el, icon, recall, remember, scrolling } from "./dom.js";
import { _ } from "./i18n.js";

const ROWS = [_("Finance"), _("Supplies"), _("Construction"), _("Tourism")];
const ROW_IDS = ["finance", "supplies", "construction", "tourism"];
const MATERIALS = ["wood", "stone", "metal"];
const GOODS = [_("wood"), _("stone"), _("metal")];

export function who(view, seat) {
  return view.players[seat];
}

export function seatBadge(seat) {
  return el("span", { class: `badge seat-${seat}` }, String(seat));
}

export class Numbers {
  // votes, money, pollution and what a seat has
  constructor(seat) {
    this.seat = seat;
    this.values = {};
    this.node = el("div", { class: "numbers" });
  }

  show(view, pieces) {
    const b = view.boroughs[this.seat];
    const track = (key, sign, label) => {
      const value = el("b", { "data-track": key }, String(this.values[key] ?? b[key]));
      count(value, this.values[key] ?? b[key], b[key]);
      const changed =
        this.values[key] !== undefined && this.values[key] !== b[key]
          ? b[key] > this.values[key]
            ? " up"
            : " down"
          : "";
      this.values[key] = b[key];
      return el(
        "span",
        { class: `track${changed}`, title: label, "aria-label": `${label} ${b[key]}` },
        icon(sign, 22),
        value,
      );
    };
    const goods = b.materials.map((n, m) =>
      el(
        "span",
        { class: n ? "good" : "good none", title: GOODS[m], "aria-label": `${GOODS[m]} ${n}` },
        icon(MATERIALS[m], 18),
        String(n),
      ),
    );
    const card = b.card
      ? el("span", { class: "chip", title: pieces.cards[b.card][1] }, capital(pieces.cards[b.card][0]))
      : null;
    const promises = b.promises.map((promise) =>
      el(
        "span",
        { class: "chip promise", title: promise.words || _("a secret promise") },
        promise.words
          ? [el("span", { class: "whole" }, promise.words), el("span", { class: "brief" }, promise.brief), ` · ${promise.progress}`]
          : _("secret promise ({points})", { points: promise.worth }),
      ),
    );
    const discs = b.council
      .map((column, row) =>
        column ? el("span", { class: "chip", title: _("council") }, `${ROWS[row]} ${column}`) : null,
      )
      .filter(Boolean);
    this.node.replaceChildren(
      el(
        "div",
        { class: "tracks" },
        track("votes", "votes", _("votes")),
        track("money", "money", _("money")),
        track("pollution", "pollution", _("pollution")),
        el("span", { class: "goods" }, goods),
      ),
      pollutionBar(b.pollution, pieces),
      el(
        "div",
        { class: "chips" },
        card,
        promises,
        discs,
        el("span", { class: "soft small" }, _("Career Center {n}", { n: b.career })),
      ),
    );
  }
}

function pollutionBar(level, pieces) {
  const bar = el("div", {
    class: "pollution",
    role: "img",
    "aria-label": _("pollution {level} of {most}", { level, most: pieces.eliminated }),
  });
  const fill = el("i");
  fill.style.width = `${Math.min(100, (100 * Math.max(level, 0)) / pieces.eliminated)}%`;
  if (level >= pieces.deaths.at(-1)) fill.className = "alarm";
  bar.append(fill);
  for (const death of pieces.deaths) {
    const tick = el("s");
    tick.style.left = `${(100 * death) / pieces.eliminated}%`;
    bar.append(tick);
  }
  return bar;
}

function count(node, from, to) {
  // numbers run to their new value
  if (from === to || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    node.textContent = String(to);
    return;
  }
  const start = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - start) / 500);
    node.textContent = String(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

export function council(view, pieces, button = null, answers = []) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, _("Council")),
    pieces.cost.map((cost, n) => el("th", { scope: "col" }, String(n + 1), el("small", {}, _("costs {price}", { price: cost })))),
  );
  const body = ROWS.map((name, row) => {
    const cells = pieces.council[row].map((reward, n) =>
      el(
        "td",
        {},
        el("span", {}, reward),
        el(
          "span",
          { class: "discs" },
          view.boroughs.map((b, seat) => (b.council[row] === n + 1 ? seatBadge(seat) : null)),
        ),
      ),
    );
    const n = answers.findIndex((answer) => answer.name === `row ${ROW_IDS[row]}`);
    const answer = answers[n];
    const label = answer ? button(answer, n, name) : name;
    return el("tr", { class: answer ? "lit" : "" }, el("th", { scope: "row" }, label), cells);
  });
  return scrolling(
    button ? _("Advance in the council") : _("Council"),
    el("table", { class: "council" }, el("thead", {}, head), el("tbody", {}, body)),
  );
}

export function pane(parts) {
  // one of several things at a time: log, council, legend
  const node = el("section", { class: "happened" });
  const tabs = parts.map(([name, title]) =>
    el("button", { type: "button", "data-pane": name, onclick: () => choose(name) }, title),
  );
  let shown = "";
  const choose = (name) => {
    shown = parts.some(([known]) => known === name) ? name : parts[0][0];
    remember("pane", shown);
    tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab.dataset.pane === shown)));
    parts.forEach(([known, , content]) => {
      content.hidden = known !== shown;
    });
  };
  node.append(el("div", { class: "panes" }, tabs), ...parts.map(([, , content]) => content));
  choose(recall("pane", "log"));
  const turn = () => choose(parts[(parts.findIndex(([name]) => name === shown) + 1) % parts.length][0]);
  return { node, choose, turn };
}

export function legend(pieces) {
  const row = ([sign, words]) =>
    el("li", {}, sign.length > 1 ? icon(sign, 20) : el("b", { class: "letter" }, sign), ` ${words}`);
  return el("ul", { class: "legend", "aria-label": _("Legend") }, pieces.legend.map(row));
}

export function resultTable(view) {
  const result = view.result;
  const order = result.seats
    .map((_, seat) => seat)
    .sort((a, b) => result.seats[a].place - result.seats[b].place);
  const rows = order.map((seat) => {
    const sum = result.seats[seat];
    const promised = sum.promises.reduce((all, [, points]) => all + points, 0);
    return el(
      "tr",
      {},
      el("td", {}, `${sum.place + 1}.`),
      el("td", { class: "player" }, seatBadge(seat), ` ${who(view, seat)}`),
      el("td", { class: "n total" }, String(sum.score)),
      el("td", { class: "n" }, String(sum.score - promised + sum.pollution)),
      el(
        "td",
        {},
        sum.promises.map(([name, points]) =>
          el(
            "div",
            { class: points > 0 ? "kept" : "broken" },
            points > 0 ? _("kept {promise}: +{points}", { promise: name, points }) : _("broke {promise}: {points}", { promise: name, points }),
          ),
        ),
      ),
      el("td", { class: "n" }, String(-sum.pollution)),
    );
  });
  return el(
    "table",
    { class: "result" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        [_("place"), _("player"), _("score"), result.victory, _("promises"), _("pollution")].map((word, n) =>
          el("th", { scope: "col", class: ["place", "", "n", "n", "", "n"][n] }, word),
        ),
      ),
    ),
    el("tbody", {}, rows),
  );
}
