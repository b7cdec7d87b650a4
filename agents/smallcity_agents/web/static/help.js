// Help: hints, the coach, and what a game came to.

import { capital, el, get, post, toast } from "./dom.js";
import { graph, resultTable } from "./panels.js";

export class Help {
  constructor(play) {
    this.play = play;
    this.coached = null;
  }

  async hint() {
    if (!this.play.view.turn) return;
    try {
      const hint = await get(`/api/hint/${this.play.token}`);
      this.play.hinted = hint.action;
      toast(`${capital(hint.agent)} would answer: ${hint.words}.`);
      this.play.page.querySelector(`[data-action="${hint.action}"]`)?.classList.add("hinted");
    } catch (error) {
      toast(capital(error.message));
    }
  }

  async coach() {
    try {
      this.coached = await get(`/api/coach/${this.play.token}`);
    } catch (error) {
      toast(capital(error.message));
      return;
    }
    for (const [action, value] of Object.entries(this.coached.answers || {})) {
      const button = this.play.question.querySelector(`[data-action="${action}"]`);
      button?.querySelector(".value")?.remove();
      button?.append(el("small", { class: "value" }, value.toFixed(1)));
    }
    this.play.side.replaceChildren(this.coachPanel());
  }

  coachPanel() {
    const { answers, rounds, costliest } = this.coached;
    const best = Object.entries(answers || {})
      .sort((a, b) => b[1] - a[1])
      .slice(0, 6);
    const label = (action) =>
      this.play.view.turn.answers.find((answer) => answer.action === Number(action))?.label ?? action;
    return el(
      "div",
      { class: "coach" },
      el("h2", {}, "The coach"),
      best.length ? el("p", { class: "soft" }, "Score you can expect after each answer:") : "",
      best.length
        ? el(
            "ol",
            {},
            best.map(([action, value]) => el("li", {}, el("b", {}, value.toFixed(1)), ` ${label(action)}`)),
          )
        : "",
      el("h3", {}, "Expected scores by round"),
      graph(rounds),
      costliest
        ? [
            el("h3", {}, "Where did I lose it?"),
            costliest.length
              ? el(
                  "ol",
                  { class: "costliest" },
                  costliest.map((one) =>
                    el(
                      "li",
                      {},
                      el("b", {}, `-${one.cost.toFixed(1)}`),
                      ` ${one.round_no ? `round ${one.round_no}` : "set-up"}, ${one.question} You chose “${one.given}”; better was “${one.better}”.`,
                    ),
                  ),
                )
              : el("p", {}, "Nowhere: the coach would have done the same."),
          ]
        : "",
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
