// Help: hints, the coach, and what a game came to.

import { capital, el, get, post, toast } from "./dom.js";
import { graph, resultTable, seatBadge } from "./panels.js";

const alone = (view) => view.boroughs.length === 1;
const place = (value, view) => (alone(view) ? "" : `place ${value.place.toFixed(1)}`);
const expected = (value, view) =>
  [`${value.score.toFixed(1)} points`, place(value, view)].filter(Boolean).join(", ");

function lost(costliest) {
  if (!costliest.length) return el("p", {}, "Nowhere: the champion would have done no better.");
  const words = (one) =>
    ` ${one.round_no ? `round ${one.round_no}` : "set-up"}, ${one.question} You chose “${one.given}”; better was “${one.better}”.`;
  return el(
    "ol",
    { class: "costliest" },
    costliest.map((one) => el("li", {}, el("b", {}, `-${one.cost.toFixed(1)}`), words(one))),
  );
}

export class Help {
  constructor(play) {
    this.play = play;
    this.coached = null;
  }

  async ask(what) {
    // the champion takes its time; a second question waits for nothing
    toast("The champion thinks ...");
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
    const words = `${capital(hint.agent)} would answer: ${hint.words}.`;
    toast(`${words} It expects ${expected(hint.expected, this.play.view)}.`);
    this.play.page.querySelector(`[data-action="${hint.action}"]`)?.classList.add("hinted");
    this.play.side.replaceChildren(
      el(
        "div",
        { class: "coach" },
        el("h2", {}, "The hint"),
        el("p", {}, el("b", {}, hint.words), `: ${expected(hint.expected, this.play.view)}.`),
        this.line(hint.line),
      ),
    );
  }

  line(steps) {
    // the line the champion foresees
    if (steps.length < 2) return "";
    return [
      el("h3", {}, "What it foresees"),
      el(
        "ol",
        { class: "foreseen" },
        steps.map(([seat, words]) => el("li", {}, seatBadge(seat), ` ${words}`)),
      ),
    ];
  }

  async coach() {
    const { version } = this.play.view;
    const coached = await this.ask("coach");
    if (!coached || this.play.view.version !== version) return;
    this.coached = coached;
    for (const [action, value] of Object.entries(coached.answers || {})) {
      const button = this.play.question.querySelector(`[data-action="${action}"]`);
      button?.querySelector(".value")?.remove();
      button?.append(
        el("small", { class: "value", title: expected(value, this.play.view) }, value.score.toFixed(1)),
      );
    }
    this.play.side.replaceChildren(this.coachPanel());
  }

  coachPanel() {
    const { action, answers, line, rounds, costliest } = this.coached;
    const best = Object.entries(answers || {})
      .sort((a, b) => (Number(b[0]) === action) - (Number(a[0]) === action) || b[1].score - a[1].score)
      .slice(0, 6);
    const label = (one) =>
      this.play.view.turn.answers.find((answer) => answer.action === Number(one))?.label ?? one;
    return el(
      "div",
      { class: "coach" },
      el("h2", {}, "The coach"),
      best.length ? el("p", { class: "soft" }, "What you can expect after each answer the champion has considered; ★ is its own:") : "",
      best.length
        ? el(
            "ol",
            { class: "expected" },
            best.map(([one, value]) =>
              el(
                "li",
                { class: Number(one) === action ? "best" : "" },
                el("b", {}, value.score.toFixed(1)),
                ` ${label(one)}${Number(one) === action ? " ★" : ""} `,
                el("small", {}, place(value, this.play.view)),
              ),
            ),
          )
        : "",
      line ? this.line(line) : "",
      rounds.length ? [el("h3", {}, "Expected scores by round"), graph(rounds)] : "",
      costliest ? [el("h3", {}, "Where did I lose it?"), lost(costliest)] : "",
    );
  }

  end() {
    const { view } = this.play;
    const title = view.result.title ? ` Your title: ${view.result.title}.` : "";
    const replay = el(
      "button",
      {
        type: "button",
        class: "main",
        "data-do": "replay",
        onclick: async () => {
          try {
            location.href = `/r/${(await post("/api/replays", { token: this.play.token })).token}`;
          } catch (error) {
            toast(error.message);
          }
        },
      },
      "Watch it again",
    );
    this.play.question.replaceChildren(
      el("h2", {}, `The game is over.${title}`),
      el("div", { class: "scroll" }, resultTable(view)),
      el(
        "div",
        { class: "ending" },
        replay,
        el(
          "button",
          { type: "button", "data-do": "lost", onclick: () => this.coach() },
          "Where did I lose it?",
        ),
        el(
          "a",
          { class: "button", href: `/api/share/${this.play.token}`, download: "smallcity.html" },
          "Share as one file",
        ),
        el(
          "a",
          { class: "button", href: `/api/log/${this.play.token}`, download: "smallcity.log" },
          "The log",
        ),
        el("a", { class: "button", href: "/" }, "Another game"),
      ),
    );
  }
}
