// A table: boards, the question, the tray, help. The server decides everything; this shows and asks.

import { Board, DIE, beasts, changes } from "./board.js";
import { capital, define, el, get, icon, post, recall, remember, space, toast } from "./dom.js";
import { Guide } from "./guide.js";
import { Help } from "./help.js";
import { _ } from "./i18n.js";
import { Log, summary, summaryDue } from "./log.js";
import { Numbers, council, legend, pane, seatBadge, who } from "./panels.js";
import { Placing } from "./placing.js";
import { keepGame } from "./record.js";
import { openRules } from "./rules.js";
import { signal, soundSwitch, substitutes } from "./together.js";
import { Tray } from "./tray.js";
import { Moves } from "./moves.js";

const POLLUTION = 6;
const SPEEDS = ["slow", "normal", "fast", "instant"];
const SPEED_NAMES = { slow: _("slow"), normal: _("normal"), fast: _("fast"), instant: _("instant") };
const PHASES = [_("Cards"), _("Build"), _("Move"), _("Income"), _("Vote"), _("Pollution"), _("Council"), _("Mayor")];
const PACE = { slow: 420, normal: 220, fast: 90, instant: 0 };

export class Play {
  constructor(page, token, pieces, theme) {
    Object.assign(this, {
      page,
      token,
      pieces,
      theme,
      view: null,
      boards: [],
      numbers: [],
      tab: null,
      lifted: null,
      paused: false,
      waiting: [],
    });
    this.speed = recall("speed", "normal");
    this.tray = new Tray(this);
    this.moves = new Moves(this);
    this.placing = new Placing(this);
    this.help = new Help(this);
    this.guide = new Guide(this);
  }

  async begin() {
    document.body.classList.add("play-page");
    document.addEventListener("keydown", (event) => this.key(event));
    const shown = new Promise((done) => {
      this.first = done;
    });
    this.listen();
    await this.send("speed", { speed: this.speed });
    await shown;
  }

  listen() {
    this.events?.close();
    const lifted = this.lifted === null ? "" : `?lifted=${this.lifted}`;
    this.events = new EventSource(`/api/events/${this.token}${lifted}`);
    this.events.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.events.onopen = () => document.body.classList.remove("offline");
    this.events.onerror = async () => {
      document.body.classList.add("offline");
      if (!this.view) {
        try {
          await get(`/api/view/${this.token}`);
        } catch (error) {
          if (error.status === 404) this.fail(error.message);
        }
      }
    };
  }

  fail(words) {
    this.events.close();
    this.page.replaceChildren(
      el(
        "main",
        { class: "failed" },
        el("h1", {}, "Small City"),
        el("p", {}, words),
        el("p", {}, el("a", { href: "/" }, _("To the set-up"))),
      ),
    );
    this.first?.();
  }

  async send(what, body = {}) {
    try {
      this.page.setAttribute("aria-busy", "true");
      return await post(`/api/${what}/${this.token}`, { version: this.view?.version, ...body });
    } catch (error) {
      toast(capital(error.message));
      if (error.status === 409) this.listen();
      return null;
    } finally {
      this.page.removeAttribute("aria-busy");
    }
  }

  async answer(...answers) {
    if (!(await this.send("answer", { answers }))) this.ask();
  }

  // -- watching: what comes while it is paused waits, and is shown step by step

  receive(view) {
    if (this.paused) this.waiting.push(view);
    else this.show(view);
    this.watchBar?.show();
  }

  pause() {
    this.paused = !this.paused;
    while (!this.paused && this.waiting.length) this.show(this.waiting.shift());
    this.watchBar.show();
  }

  step() {
    if (!this.paused) this.pause();
    else if (this.waiting.length) this.show(this.waiting.shift());
    this.watchBar.show();
  }

  watching() {
    // pause and step, for those who only watch
    const pause = el("button", { type: "button", class: "quiet", "data-do": "pause", onclick: () => this.pause() });
    const step = el("button", { type: "button", class: "quiet", "data-do": "step", onclick: () => this.step() }, _("Step"));
    const follow = el("input", { type: "checkbox", checked: true, "data-do": "follow" });
    const show = () => {
      pause.textContent = this.paused ? _("Resume") : _("Pause");
      step.disabled = this.paused && !this.waiting.length;
    };
    this.watchBar = { follow, show };
    show();
    return [pause, step, el("label", { class: "check" }, follow, _("Follow"))];
  }

  get watches() {
    return this.view.you === null || this.view.you < 0;
  }

  // -- showing

  show(view) {
    define(view.symbols);
    const before = this.view;
    view.boroughs = view.boroughs?.map((borough, seat) => borough ?? before.boroughs[seat]);
    this.view = view;
    this.placing.stop();
    this.hinted = null;
    if (view.curtain !== undefined) this.curtain(view);
    else {
      if (!this.frame || before?.curtain !== undefined || before?.you !== view.you) this.build();
      this.update(before?.boroughs ? before : null);
    }
    document.body.dataset.version = view.version;
    document.body.dataset.asked = view.turn ? view.turn.ask : "";
    document.body.dataset.over = view.over ? "yes" : "";
    this.first?.();
  }

  curtain(view) {
    this.frame = null;
    const lift = el(
      "button",
      {
        class: "main",
        type: "button",
        onclick: () => {
          this.lifted = view.curtain;
          this.listen();
        },
      },
      _("That is me: lift the curtain"),
    );
    this.page.replaceChildren(
      el(
        "main",
        { class: "curtain" },
        icon(`citizen-${view.curtain}`, 120),
        el("h1", {}, _("{player}, it is your turn", { player: view.players[view.curtain] })),
        el("p", {}, _("Everybody else looks away.")),
        lift,
      ),
    );
    lift.focus();
  }

  build() {
    const { view } = this;
    const seats = view.boroughs.map((_, seat) => seat);
    const own = view.you !== null && view.you >= 0 ? view.you : view.asked >= 0 ? view.asked : 0;
    this.own = own;
    this.boards = seats.map((seat) => new Board(seat, this.pieces, this.handlers()));
    this.numbers = seats.map((seat) => new Numbers(seat));
    this.heads = seats.map((seat) =>
      el(
        "h2",
        {},
        seatBadge(seat),
        " ",
        el("button", { type: "button", class: "name", onclick: () => this.choose(seat) }),
        el("span", { class: "state" }),
      ),
    );
    this.sections = seats.map((seat) =>
      el(
        "section",
        { class: "borough", "data-seat": seat },
        this.heads[seat],
        this.numbers[seat].node,
        this.boards[seat].node,
      ),
    );
    this.tabs = el(
      "nav",
      { class: "tabs", "aria-label": _("Boroughs") },
      seats.map((seat) =>
        el(
          "button",
          { type: "button", "data-tab": seat, onclick: () => this.choose(seat) },
          seatBadge(seat),
          " ",
          who(view, seat),
        ),
      ),
    );
    this.phase = el("strong", { class: "round" });
    this.strip = PHASES.map((name, n) => el("li", { title: this.pieces.phases[n + 1] }, `${n + 1} ${name}`));
    this.status = el("span", { class: "status", role: "status", "aria-live": "polite", "data-offline": _("reconnecting ...") });
    this.question = el("section", { class: "question", "aria-label": _("The question") });
    this.about = el("p", { class: "about", "aria-live": "polite" }, _("Point at a piece to read its rules."));
    this.automatic = this.switches();
    this.log = new Log(this.pieces.phases);
    this.council = el("div", { class: "council-pane" });
    this.pane = pane([
      ["log", _("Log"), this.log.node],
      ["council", _("Council"), this.council],
      ["legend", _("Legend"), el("div", {}, legend(this.pieces), this.watches ? "" : this.naming(), this.automatic, soundSwitch(), keysHelp())],
    ]);
    this.side = el("section", { class: "side", tabindex: "0", "aria-label": _("Help") });
    this.main = el("div", { class: "own-borough" });
    this.rest = el("div", { class: "rest" });
    this.frame = el(
      "main",
      { class: "play" },
      this.main,
      el("div", { class: "asked" }, this.question, this.about, this.side),
      el("div", { class: "others" }, this.rest, this.pane.node),
    );
    this.page.replaceChildren(this.header(), this.tabs, this.frame);
    this.choose(own);
  }

  header() {
    const speed = el(
      "select",
      {
        "aria-label": _("Speed of the others"),
        title: _("Speed of the others"),
        onchange: () => {
          this.speed = speed.value;
          remember("speed", speed.value);
          this.send("speed", { speed: speed.value });
        },
      },
      SPEEDS.map((name) => el("option", { value: name }, SPEED_NAMES[name])),
    );
    speed.value = this.speed;
    const button = (name, words, key, act) =>
      el(
        "button",
        { type: "button", class: "quiet", "data-do": name, title: _("key {key}", { key }), onclick: act },
        words,
      );
    return el(
      "header",
      { class: "bar" },
      el("a", { href: "/", class: "home" }, el("h1", {}, "Small City")),
      this.status,
      el("span", { class: "grow" }),
      this.watches ? this.watching() : "",
      button("hint", _("Hint"), "H", () => this.help.hint()),
      button("coach", _("Coach"), "C", () => this.help.coach()),
      button("undo", _("Undo"), "U", () => this.send("undo")),
      button("undo turn", _("Undo turn"), "Shift+U", () => this.send("undo", { turn: true })),
      button("rules", _("Rules"), "L", () => openRules("learn", this.pieces)),
      speed,
      this.theme,
      el("div", { class: "strip" }, this.phase, el("ol", {}, this.strip)),
    );
  }

  naming() {
    // a name of one's own, which the others see
    const input = el("input", {
      type: "text",
      maxlength: 24,
      value: recall("name", ""),
      onchange: () => {
        remember("name", input.value.trim());
        if (input.value.trim()) this.send("name", { name: input.value.trim() });
      },
    });
    if (input.value && this.view.players[this.view.you] === _("You")) this.send("name", { name: input.value });
    return el("label", { class: "own-name" }, _("Your name for the others"), input);
  }

  switches() {
    // what is answered for people
    const box = (name, words) => {
      const input = el("input", {
        type: "checkbox",
        "data-switch": name,
        onchange: () => this.send("switch", { name, on: input.checked }),
      });
      return el("label", { class: "check" }, input, words);
    };
    return el(
      "details",
      { class: "keys switches" },
      el("summary", {}, _("Answered for me")),
      box("store", _("Products go to a Warehouse while one has room")),
      box("none", _("“No more” holds until my means change")),
    );
  }

  choose(seat) {
    // one borough is large; on a phone it is the only one
    this.tab = seat;
    if (this.main.firstChild !== this.sections[seat]) {
      this.main.prepend(this.sections[seat]);
      this.rest.replaceChildren(...this.sections.filter((_section, n) => n !== seat));
    }
    this.page
      .querySelectorAll(".borough")
      .forEach((node) => node.classList.toggle("chosen", Number(node.dataset.seat) === seat));
    this.tabs
      .querySelectorAll("button")
      .forEach((node) => node.setAttribute("aria-pressed", String(Number(node.dataset.tab) === seat)));
  }

  update(before) {
    const { view } = this;
    this.phase.textContent = view.round
      ? _("Round {round} of {rounds}", { round: view.round, rounds: view.rounds })
      : this.pieces.phases[view.phase];
    this.strip.forEach((node, n) =>
      n + 1 === view.phase ? node.setAttribute("aria-current", "step") : node.removeAttribute("aria-current"),
    );
    this.status.textContent = this.statusWords();
    view.boroughs.forEach((borough, seat) => {
      const old = before?.boroughs[seat];
      this.boards[seat].show(borough, view.players, view.you);
      this.boards[seat].light([]);
      this.boards[seat].ghost(null);
      this.boards[seat].clearPlans();
      this.boards[seat].mark([], "mover");
      this.boards[seat].mark([], "asked-about");
      this.boards[seat].mark([], "advised");
      this.boards[seat].flash(old ? changes(old, borough) : []);
      this.numbers[seat].show(view, this.pieces);
      this.heads[seat].querySelector(".name").textContent = who(view, seat);
      const state = this.stateWords(borough, seat);
      const words = this.heads[seat].querySelector(".state");
      words.textContent = ` · ${state.join(" · ") || borough.board}`;
      words.classList.toggle("terrain", !state.length);
      this.heads[seat].closest(".borough").classList.toggle("on-turn", view.asked === seat);
    });
    for (const input of this.automatic.querySelectorAll("input")) {
      input.checked = view.automatic[input.dataset.switch];
      input.disabled = view.you === null || view.you < 0;
    }
    for (const node of this.page.querySelectorAll('[data-do^="undo"]')) node.disabled = !view.undo;
    this.page.querySelector('[data-do="hint"]').disabled = !view.turn;
    beasts(this.boards, before, view, PACE[this.speed]);
    this.log.show(view);
    if (summaryDue(before, view)) {
      const node = summary(view, () => node.remove());
      this.page.querySelector(".summary")?.remove();
      this.page.querySelector(".asked").prepend(node);
    }
    this.council.replaceChildren(council(view, this.pieces));
    if (this.watches && this.watchBar.follow.checked && view.asked >= 0) this.choose(view.asked);
    this.ask();
    if (view.gone && view.turn) toast(view.gone);
    signal(view, before);
    this.guide.show();
    keepGame(this.token, view);
  }

  statusWords() {
    const { view } = this;
    if (view.wrong) return view.wrong;
    if (view.over) return _("The game is over.");
    if (view.turn) return _("Your turn");
    const player = who(view, view.asked);
    return view.names[view.asked] === "human" ? _("{player} is asked ...", { player }) : _("{player} is thinking ...", { player });
  }

  stateWords(borough, seat) {
    const words = [];
    if (this.view.host === seat && this.view.round) words.push(_("hosts the Mayor"));
    if (borough.screened) words.push(_("behind its screen"));
    if (borough.out) words.push(_("out in round {n}", { n: borough.out }));
    if (this.view.roll && this.view.phase === POLLUTION) words.push(_("rolled {die}", { die: DIE[this.view.roll[1][seat]] }));
    return words;
  }

  // -- the question

  ask() {
    const { view } = this;
    this.side.replaceChildren();
    if (view.over) return this.help.end();
    const { turn } = view;
    if (!turn) {
      this.question.replaceChildren(el("p", { class: "waiting" }, this.statusWords()), ...substitutes(this));
      return;
    }
    const asks = turn.movers.length
      ? _("Who goes where?")
      : turn.placements.length
        ? `${turn.question.split("?")[0]}?`
        : turn.question;
    this.question.replaceChildren(
      el("h2", {}, asks),
      turn.count ? el("p", { class: "count" }, capital(turn.count)) : "",
      el("details", {}, el("summary", {}, _("More about this")), el("p", {}, turn.help)),
    );
    this.boards[turn.about.seat]?.mark(turn.about.spaces, "asked-about");
    if (turn.tray.length) this.tray.show(turn);
    else if (turn.placements.length) this.placing.start(turn.placements, this.pieces.kinds[turn.about.kind]);
    else if (turn.movers.length) this.moves.show(turn);
    else this.lightAnswers(turn);
    if (turn.ask === "ROW")
      this.question.append(council(view, this.pieces, (...answer) => this.button(...answer), turn.answers));
    this.buttons(turn);
    this.chooseBoard(turn);
  }

  chooseBoard(turn) {
    const spaces = turn.answers.some((answer) => answer.space !== null);
    if (spaces || turn.movers.length || turn.tray.length) this.choose(turn.board);
  }

  lightAnswers(turn) {
    const spaces = turn.answers.filter((answer) => answer.space !== null).map((answer) => answer.space);
    if (spaces.length) this.boards[turn.board].light(spaces);
  }

  buttons(turn) {
    const plain = turn.answers.filter(
      (answer) =>
        answer.space === null &&
        !(turn.tray.length && turn.tray.some((slot) => slot.action === answer.action)),
    );
    const inTable = (answer) => turn.ask === "ROW" && answer.name.startsWith("row ");
    const list = plain.filter((answer) => !(turn.ask === "MOVE" && turn.movers.length) && !inTable(answer));
    const repeated = turn.ask === "TRADE" || turn.ask === "HOME";
    if (!list.length && !repeated) return;
    const node = el(
      "div",
      { class: turn.ask === "CARD" ? "answers cards" : "answers" },
      list.map((answer, n) => this.button(answer, turn.ask === "ROW" ? turn.answers.indexOf(answer) : n)),
    );
    if (repeated && plain.some((answer) => answer.name === "no")) {
      node.append(
        el(
          "button",
          { type: "button", class: "answer soft", onclick: () => this.send("decline") },
          _("No more of these until my resources change"),
        ),
      );
    }
    this.question.append(node);
  }

  button(answer, n, name = answer.label) {
    const follows = answer.follows ? el("small", { class: "follows" }, _("then {follows}", answer)) : null;
    const label = answer.card
      ? [el("strong", {}, capital(this.pieces.cards[answer.card[0]][0])), el("span", {}, answer.card[1])]
      : [el("span", {}, name)];
    return el(
      "button",
      {
        type: "button",
        class: `answer${this.hinted === answer.action ? " hinted" : ""}`,
        "data-action": answer.action,
        "data-name": answer.name,
        onclick: () => this.answer(answer.action),
      },
      n < 9 ? el("kbd", {}, String(n + 1)) : null,
      label,
      answer.effect ? el("small", {}, answer.effect) : null,
      follows,
    );
  }

  putBack() {
    if (this.view?.turn?.tray.length) this.ask();
  }

  // -- pointing at boards

  handlers() {
    return {
      hover: (board, n) => this.hover(board, n),
      pick: (board, n, touch) => this.pick(board, n, touch),
      draggable: (board, n) => this.moves.draggable(board.seat, n),
      drop: (board, from, seat, to) => this.moves.drop(board.seat, from, seat, to),
    };
  }

  hover(board, n) {
    if (this.placing.active && board === this.placing.board) this.placing.aim(n);
    const tile = n === null ? null : board.tileAt(n);
    if (tile) this.about.textContent = this.pieces.kinds[tile[0]].about;
    const answer =
      n === null ? null : this.view?.turn?.answers.find((one) => one.space === n && board.lit.has(n));
    if (answer && !this.placing.active)
      this.about.textContent = [answer.label, answer.effect, answer.follows && _("then {follows}", answer)]
        .filter(Boolean)
        .join("; ");
  }

  pick(board, n, touch) {
    const { turn } = this.view;
    if (!turn) return;
    if (this.placing.active) this.placing.pick(board, n, touch);
    else if (turn.movers.length) this.moves.pick(board.seat, n);
    else if (board.lit.has(n)) this.answer(n);
    else if (board.lit.size) toast(_("{space} is not an answer here.", { space: space(n) }));
  }

  // -- keyboard

  key(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
    )
      return;
    const keys = {
      "?": () => this.pane.choose("legend"),
      h: () => this.help.hint(),
      c: () => this.help.coach(),
      u: () => this.send("undo"),
      U: () => this.send("undo", { turn: true }),
      k: () => this.pane.turn(),
      l: () => openRules("learn", this.pieces),
      r: () => this.placing.turn(),
      b: () => this.boards[this.tab]?.node.focus(),
      d: () => this.moves.done(),
      t: () => this.page.querySelector(".tray button")?.focus(),
      Escape: () => this.escape(),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (/^[1-9]$/.test(event.key))
      this.page.querySelectorAll(".question .answer")[Number(event.key) - 1]?.click();
    else if (act && this.view) act();
    else return;
    event.preventDefault();
  }

  escape() {
    const summed = this.page.querySelector(".summary");
    if (summed) summed.remove();
    else if (this.view?.turn?.movers.length) this.moves.clear();
    else this.putBack();
  }
}

function keysHelp() {
  const rows = [
    ["1-9", _("answer")],
    ["T", _("to the tray")],
    ["B", _("to the borough")],
    [_("arrows"), _("move on it")],
    ["N P", _("next, previous lit space")],
    [_("Enter"), _("choose")],
    ["R", _("turn the tile")],
    [_("Esc"), _("put it back")],
    ["D", _("done with moves")],
    ["H", _("hint")],
    ["C", _("coach")],
    ["U", _("undo")],
    ["Shift+U", _("undo the turn")],
    ["K", _("log, council, legend")],
    ["L", _("rules beside the game")],
    ["?", _("these keys")],
  ];
  return el(
    "details",
    { class: "keys", open: true },
    el("summary", {}, _("Keys")),
    el(
      "p",
      {},
      rows.flatMap(([key, words]) => [el("kbd", {}, key), ` ${words}  `]),
    ),
  );
}
