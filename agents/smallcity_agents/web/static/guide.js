// The guide of a first game: what is new, the promise, a suggestion, and kind words about costly answers.

import { capital, el, get } from "./dom.js";
import { _ } from "./i18n.js";

const ROUNDS = 3; // with the guide; then the person plays alone

export class Guide {
  constructor(play) {
    this.play = play;
    this.said = [];
    this.node = el("section", { class: "guide", "aria-label": _("The guide"), "aria-live": "polite" });
  }

  async show() {
    const { view } = this.play;
    if (!view.guided || !view.turn || view.round > ROUNDS + 1) return this.node.remove();
    this.play.question.before(this.node);
    if (this.version === view.version) return null;
    this.version = view.version;
    try {
      const words = await get(`/api/guide/${this.play.token}`);
      if (this.version === this.play.view.version) this.tell(words);
      document.body.dataset.guided = this.version;
    } catch {
      this.node.remove(); // the game goes on without a guide
    }
    return null;
  }

  tell({ lessons, suggestion, action, mistake }) {
    const { play } = this;
    const hint = play.page.querySelector(`[data-action="${action}"]`);
    hint?.classList.add("hinted");
    this.node.replaceChildren(
      ...[
        mistake && this.mistake(mistake),
        ...lessons.map((words) => el("p", { class: "lesson" }, words)),
        this.promise(),
        suggestion.length
          ? el(
              "p",
              { class: "suggested" },
              _("If you are unsure: {answer}.", { answer: suggestion.join(", ") }),
            )
          : null,
      ].filter(Boolean),
    );
    if (!this.node.children.length) this.node.remove();
  }

  mistake({ given, better, cost, why }) {
    const undo = this.play.view.undo
      ? el(
          "button",
          { type: "button", "data-do": "take-back", onclick: () => this.play.send("undo") },
          _("Take it back"),
        )
      : null;
    return el(
      "div",
      { class: "mistake" },
      el(
        "p",
        {},
        _("“{given}” is allowed, but “{better}” would be worth about {points} points more.", {
          given,
          better,
          points: cost.toFixed(0),
        }),
      ),
      el(
        "ul",
        {},
        why.map((words) => el("li", {}, `${capital(words)}.`)),
      ),
      undo,
    );
  }

  promise() {
    // announced when it is drawn, then again whenever a round begins
    const { view } = this.play;
    const own = view.boroughs[view.you]?.promises[0];
    if (!own || this.announced === view.round) return null;
    this.announced = view.round;
    const progress = own.progress ? _("So far: {progress}.", { progress: own.progress }) : "";
    return el(
      "p",
      { class: "promised" },
      _("Your promise: {promise}.", { promise: own.words }),
      " ",
      progress,
    );
  }
}
