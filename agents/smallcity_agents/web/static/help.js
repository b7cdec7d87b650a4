// Help: hints, the coach, and what a game came to.

import { capital, el, get, post, scrolling, toast } from "./dom.js";
import { graph } from "./graph.js";
import { _, decimal } from "./i18n.js";
import { copyGame } from "./links.js";
import { resultTable, who } from "./panels.js";
import { foreseen } from "./review.js";
import { begin } from "./tables.js";

const alone = (view) => view.boroughs.length === 1;
const place = (value, view) => (alone(view) ? "" : _("place {n}", { n: decimal(value.place) }));
const loss = (value, best) => {
  // what an answer loses against the best
  const points = best.score - value.score;
  return points < 0.05 ? _("as good") : `−${decimal(points)}`;
};
const expected = (value, view) =>
  [_("{points} points", { points: decimal(value.score) }), place(value, view)].filter(Boolean).join(", ");

export class Help {
  constructor(play) {
    this.play = play;
    this.coached = null;
  }

  async ask(what) {
    // the champion takes its time; a second question waits for nothing
    toast(_("The champion thinks ..."));
    try {
      const found = await get(`/api/${what}/${this.play.token}`);
      document.getElementById("toast").classList.remove("on");
      return found;
    } catch (error) {
      toast(capital(error.message));
      return null;
    }
  }

  async hint() {
    const { turn, version } = this.play.view;
    if (!turn) return;
    const hint = await this.ask("hint");
    if (!hint || this.play.view.version !== version) return;
    this.play.hinted = hint.action;
    const expects = expected(hint.expected, this.play.view);
    toast(_("{agent} would answer: {answer}. It expects {points}.", { agent: capital(hint.agent), answer: hint.words, points: expects }));
    this.play.page.querySelector(`[data-action="${hint.action}"]`)?.classList.add("hinted");
    this.light(hint.marks);
    this.play.side.replaceChildren(
      el(
        "div",
        { class: "coach" },
        el("h2", {}, _("The hint")),
        el("p", {}, el("b", {}, capital(hint.words)), " ", el("small", {}, expects)),
        foreseen(hint.line),
      ),
    );
  }

  light(marks) {
    this.play.boards.forEach((board) => board.advise(marks.filter((mark) => mark.board === board.seat)));
    if (marks.length) this.play.choose(marks[0].board);
  }

  async coach() {
    const { version } = this.play.view;
    const coached = await this.ask("coach");
    if (!coached || this.play.view.version !== version) return;
    this.coached = coached;
    for (const [action, value] of Object.entries(coached.answers || {})) {
      const button = this.play.question.querySelector(`[data-action="${action}"]`);
      const words = Number(action) === coached.action ? "★" : loss(value, coached.answers[coached.action]);
      button?.querySelector(".value")?.remove();
      button?.append(el("small", { class: "value", title: expected(value, this.play.view) }, words));
    }
    this.light(coached.marks || []);
    this.play.side.replaceChildren(this.coachPanel());
  }

  players() {
    return this.play.view.names.map((_name, seat) => who(this.play.view, seat));
  }

  coachPanel() {
    const { action, answers, line, rounds } = this.coached;
    const best = Object.entries(answers || {})
      .sort((a, b) => (Number(b[0]) === action) - (Number(a[0]) === action) || b[1].score - a[1].score)
      .slice(0, 6);
    const label = (one) =>
      this.play.view.turn.answers.find((answer) => answer.action === Number(one))?.label ?? one;
    return el(
      "div",
      { class: "coach" },
      el("h2", {}, _("The coach")),
      best.length ? el("p", { class: "soft" }, _("The champion's answer ★, and what the others it has considered lose against it:")) : "",
      best.length
        ? el(
            "ol",
            { class: "expected" },
            best.map(([one, value]) =>
              el(
                "li",
                { class: Number(one) === action ? "best" : "" },
                el("b", {}, Number(one) === action ? "★" : loss(value, answers[action])),
                ` ${label(one)} `,
                el("small", {}, Number(one) === action ? expected(value, this.play.view) : place(value, this.play.view)),
              ),
            ),
          )
        : "",
      line ? foreseen(line) : "",
      rounds.length ? [el("h3", {}, _("Expected scores by round")), graph(rounds, this.players())] : "",
    );
  }

  end() {
    const { view } = this.play;
    const over = view.result.title ? _("The game is over. Your title: {title}.", { title: view.result.title }) : _("The game is over.");
    const go = (words, name, where, main = "") =>
      el("button", { type: "button", class: main, "data-do": name, onclick: () => this.go(where) }, words);
    const reviewed = view.you === null || view.you < 0 ? null : `?review=${view.you}`;
    this.play.question.replaceChildren(
      el("h2", {}, over),
      scrolling(_("The end"), resultTable(view)),
      el(
        "div",
        { class: "ending" },
        reviewed ? go(_("Review my decisions"), "review", reviewed, "main") : "",
        go(_("Watch it again"), "replay", ""),
        view.guided
          ? el(
              "button",
              {
                type: "button",
                class: "main",
                "data-do": "next-level",
                onclick: () => begin({ players: ["human", "level:2"], modules: [] }),
              },
              _("Now against level 2"),
            )
          : el(
              "button",
              { type: "button", "data-do": "rematch", onclick: () => begin({}, this.play.token) },
              _("Rematch, other seats"),
            ),
        el(
          "a",
          { class: "button", href: `/api/share/${this.play.token}`, download: "smallcity.html" },
          _("Share as one file"),
        ),
        el(
          "a",
          { class: "button", href: `/api/log/${this.play.token}`, download: "smallcity.log" },
          _("The log"),
        ),
        el(
          "button",
          { type: "button", "data-do": "link", onclick: () => copyGame(this.play.token) },
          _("Copy a link"),
        ),
        el("a", { class: "button", href: "/" }, _("Another game")),
      ),
    );
  }

  async go(query) {
    try {
      location.href = `/r/${(await post("/api/replays", { token: this.play.token })).token}${query}`;
    } catch (error) {
      toast(capital(error.message));
    }
  }
}
