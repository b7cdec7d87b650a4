// The review of a game: every decision of a seat on the slider with its cost, the better answer, and why.

import { capital, el, get, toast } from "./dom.js";
import { graph } from "./graph.js";
import { _, decimal } from "./i18n.js";
import { seatBadge, who } from "./panels.js";

const LEAST = 0.5; // points: less is within the error of the search
const COSTLIEST = 3;

export class Review {
  constructor(token, seat, steps, show) {
    Object.assign(this, { token, seat, steps, show, decisions: [], rounds: [] });
    this.marks = el("div", { class: "marks", role: "group", "aria-label": _("Decisions on the slider") });
    this.node = el("section", { class: "question review" });
  }

  async load() {
    this.node.replaceChildren(el("p", { class: "waiting" }, _("The champion looks at every decision ...")));
    try {
      const { decisions, rounds } = await get(`/api/review/${this.token}?seat=${this.seat}`);
      Object.assign(this, { decisions, rounds });
      this.worst = [...decisions].filter((one) => one.cost >= LEAST).sort((a, b) => b.cost - a.cost);
      this.mark();
      this.overview();
    } catch (error) {
      toast(capital(error.message));
    }
  }

  mark() {
    const most = this.worst[0]?.cost ?? 1;
    this.marks.replaceChildren(
      ...this.decisions.map((one) => {
        const costly = one.cost >= LEAST;
        const words = costly
          ? _("{round}: {question} This cost {points} points.", {
              round: round(one),
              question: capital(one.question),
              points: decimal(one.cost),
            })
          : _("{round}: {question} Nothing better was found.", {
              round: round(one),
              question: capital(one.question),
            });
        const node = el("button", {
          type: "button",
          class: costly ? "mark costly" : "mark",
          tabindex: costly ? null : "-1",
          title: words,
          "aria-label": words,
          "data-decision": one.number,
          onclick: () => this.open(one),
        });
        node.style.left = `${(100 * one.step) / this.steps}%`;
        node.style.zIndex = String(Math.round(10 * one.cost)); // the costliest is always reached
        node.style.height = `${6 + (costly ? (14 * one.cost) / most : 0)}px`;
        return node;
      }),
    );
  }

  overview() {
    const players = (view) => view.boroughs.map((_borough, seat) => who({ ...view, you: null }, seat));
    const total = this.worst.reduce((sum, one) => sum + one.cost, 0);
    this.node.replaceChildren(
      el("h2", {}, _("Review")),
      this.worst.length
        ? el(
            "p",
            {},
            _("Your decisions cost about {points} points against the champion's. The costliest:", {
              points: decimal(total),
            }),
          )
        : el("p", {}, _("The champion would have done no better.")),
      el(
        "ol",
        { class: "costliest" },
        this.worst.slice(0, COSTLIEST).map((one) => this.item(one)),
      ),
      el(
        "p",
        { class: "soft small" },
        _("Every mark above the slider is a decision; the higher, the costlier. Click one."),
      ),
      el("h3", {}, _("Scores the champion expected, by round")),
      graph(this.rounds, players(this.view), true),
    );
  }

  item(one) {
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "answer", "data-decision": one.number, onclick: () => this.open(one) },
        el("b", {}, `−${decimal(one.cost)}`),
        el("span", {}, _("{round}: {question}", { round: round(one), question: capital(one.question) })),
        el("small", {}, _("You chose “{given}”.", one), " ", _("Better: “{better}”.", one)),
      ),
    );
  }

  async open(one) {
    try {
      const found = await get(`/api/review/${this.token}/${one.number}?seat=${this.seat}`);
      this.show(found.view, found);
      this.node.replaceChildren(...this.detail(one, found));
      this.node.querySelector("h2").focus();
    } catch (error) {
      toast(capital(error.message));
    }
  }

  detail(one, found) {
    const at = this.decisions.indexOf(one);
    const step = (words, label, to) =>
      el(
        "button",
        { type: "button", disabled: !to, "aria-label": label, title: label, onclick: () => this.open(to) },
        words,
      );
    return [
      el(
        "h2",
        { tabindex: "-1" },
        _("{round}: {question}", { round: round(one), question: capital(one.question) }),
      ),
      el("p", { class: "given" }, _("You chose “{given}”.", one)),
      one.cost >= LEAST
        ? el(
            "p",
            { class: "better" },
            el("b", {}, _("Better: “{better}”.", one)),
            " ",
            _("Your answer cost about {points} points.", { points: decimal(one.cost) }),
          )
        : el("p", { class: "better" }, _("The champion found nothing clearly better.")),
      found.why.length
        ? [
            el("h3", {}, _("Why")),
            el(
              "ul",
              { class: "why" },
              found.why.map((words) => el("li", {}, `${capital(words)}.`)),
            ),
          ]
        : "",
      foreseen(found.line),
      el(
        "div",
        { class: "ending" },
        step("◀", _("Your decision before"), this.decisions[at - 1]),
        step("▶", _("Your next decision"), this.decisions[at + 1]),
        el(
          "button",
          { type: "button", "data-do": "overview", onclick: () => this.overview() },
          _("All decisions"),
        ),
      ),
    ].flat();
  }
}

export function foreseen(line) {
  // the line the champion foresees
  if (line.length < 2) return "";
  return [
    el("h3", {}, _("What the champion foresees")),
    el(
      "ol",
      { class: "foreseen" },
      line.map(([seat, words]) => el("li", {}, seatBadge(seat), ` ${words}`)),
    ),
  ];
}

const round = (one) => (one.round_no ? _("Round {n}", { n: one.round_no }) : _("Set-up"));
