// Puzzles: a table with one question, whose best answer the champion knows.

import { capital, el, get, recall, remember, toast } from "./dom.js";
import { _, decimal, ngettext } from "./i18n.js";
import { Play } from "./play.js";
import { foreseen } from "./review.js";

const DAY = 24 * 60 * 60 * 1000;
const SHOWN = 6; // answers listed with their costs

export function ofToday(count) {
  // every day another, the same for everybody with the same date
  const now = new Date();
  return 1 + (Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY) % count);
}

export function solvedSoFar() {
  const tried = Object.values(recall("puzzles", {}));
  return tried.length
    ? ngettext(
        "You have solved {solved} of {n} puzzle.",
        "You have solved {solved} of {n} puzzles.",
        tried.length,
        { solved: tried.filter(Boolean).length },
      )
    : "";
}

export class Puzzle extends Play {
  constructor(page, number, pieces, theme) {
    super(page, "", pieces, theme);
    this.number = number;
    this.tray.take = (slot) => this.answer(slot.action); // where it goes is no part of the puzzle
  }

  async begin() {
    document.body.classList.add("play-page", "puzzle-page");
    document.addEventListener("keydown", (event) => this.key(event));
    this.show(await get(`/api/puzzles/${this.number}`));
  }

  listen() {}

  async send() {
    return null;
  }

  ask() {
    if (this.solution) return;
    super.ask();
    const { puzzle: number, puzzles: count } = this.view;
    this.question.prepend(
      el(
        "p",
        { class: "count" },
        _("Puzzle {number} of {count}: one answer is clearly best. Which?", { number, count }),
      ),
    );
  }

  async answer(action) {
    try {
      this.solution = await get(`/api/puzzles/${this.number}/${action}`);
    } catch (error) {
      return toast(capital(error.message));
    }
    const right = action === this.solution.best;
    const tried = recall("puzzles", {});
    if (!(this.number in tried)) remember("puzzles", { ...tried, [this.number]: right });
    document.body.dataset.solved = right ? "yes" : "no";
    const board = this.boards[this.view.turn.board];
    board?.light(this.solution.best < 100 ? [this.solution.best] : []);
    this.question.replaceChildren(...this.verdict(action, right));
    this.side.replaceChildren();
    this.status.textContent = "";
    return this.question.querySelector("h2").focus();
  }

  verdict(action, right) {
    const { answers, why, line, best, other } = this.solution;
    const label = (wanted) => answers.find(([one]) => one === wanted)[1];
    const next = 1 + (this.number % this.view.puzzles);
    return [
      el("h2", { tabindex: "-1" }, right ? _("Right!") : _("There is a better answer.")),
      right ? "" : el("p", { class: "given" }, _("You chose “{given}”.", { given: label(action) })),
      el(
        "p",
        { class: "better" },
        el("b", {}, _("The champion answers “{answer}”.", { answer: label(best) })),
      ),
      el("p", { class: "soft" }, solvedSoFar()),
      el(
        "div",
        { class: "ending" },
        el("a", { class: "button main", "data-do": "next", href: `/p/${next}` }, _("Another puzzle")),
        el("a", { class: "button", href: "/" }, _("To the set-up")),
      ),
      el("h3", {}, _("What each answer costs, in points")),
      el(
        "ul",
        { class: "expected" },
        answers
          .filter(([one], n) => n < SHOWN || one === action)
          .map(([one, words, cost]) =>
            el(
              "li",
              { class: one === best ? "best" : "" },
              el("b", {}, cost ? `−${decimal(cost)}` : "★"),
              ` ${words}`,
            ),
          ),
      ),
      el("h3", {}, _("What it brings, compared with “{answer}”", { answer: label(other) })),
      el(
        "ul",
        { class: "why" },
        why.map((words) => el("li", {}, `${capital(words)}.`)),
      ),
      ...foreseen(line),
    ].filter(Boolean);
  }
}
