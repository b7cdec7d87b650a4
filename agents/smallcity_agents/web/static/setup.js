// The set-up page: ready-made tables, a table of one's own, games to go on with, logs to watch.

import { capital, el, get, icon, post, toast } from "./dom.js";
import { _ } from "./i18n.js";
import { logOf } from "./links.js";
import { ofToday, solvedSoFar } from "./puzzles.js";
import { called, games, recordSection } from "./record.js";
import { inline, openRules } from "./rules.js";
import { begin, showLinks } from "./tables.js";

const PERSON = "human";
const named = (word) => capital(word.replaceAll("_", " ").replaceAll("-", " "));

export async function setUp(page, theme) {
  const choices = await get("/api/setup");
  const form = new Form(choices);
  const unfinished = games().some((game) => !game.over);
  const record = recordSection(choices.scale, showLinks);
  page.replaceChildren(
    el("header", { class: "bar" }, el("h1", {}, "Small City"), el("span", { class: "grow" }), theme),
    el(
      "main",
      { class: "setup" },
      el(
        "p",
        { class: "lead" },
        _("Build a borough, keep its people happy and its air clean, and keep your promise to the voters."),
      ),
      el(
        "p",
        { class: "learn" },
        el("button", { type: "button", "data-do": "learn", onclick: () => openRules("learn") }, _("Learn the game")),
        " ",
        el("button", { type: "button", "data-do": "cards", onclick: () => openRules("cards") }, _("Reference cards")),
      ),
      unfinished ? record : null,
      el(
        "section",
        {},
        el("h2", {}, _("Play now")),
        el(
          "div",
          { class: "ready" },
          choices.ready.map((table) => readyCard(table)),
          puzzleCard(choices.puzzles),
        ),
      ),
      unfinished ? null : record,
      form.section(),
      replaySection(),
    ),
  );
}

function readyCard(table) {
  const faces = table.players.map((name, seat) =>
    el("span", { class: "face" }, icon(`citizen-${seat}`, 26), name === PERSON ? _("you") : called(name)),
  );
  return el(
    "button",
    { class: "card ready-card", type: "button", "data-ready": table.id, onclick: () => begin(table) },
    el("strong", {}, table.name),
    el("span", {}, table.words),
    el("span", { class: "faces" }, faces),
  );
}

function puzzleCard(count) {
  if (!count) return null;
  return el(
    "a",
    { class: "card ready-card", href: `/p/${ofToday(count)}`, "data-ready": "puzzle" },
    el("strong", {}, _("Puzzle of the day")),
    el("span", {}, _("A position of the champion's games in which one answer is clearly best: find it.")),
    el("span", { class: "soft" }, solvedSoFar()),
  );
}

class Form {
  constructor(choices) {
    this.choices = choices;
    const players = [
      [PERSON, _("a person")],
      ...Object.entries(choices.levels).map(([name, words]) => [name, _("{name}: {words}", { name: called(name), words })]),
      ...Object.entries(choices.agents).map(([name, words]) => [name, _("{name}: {words}", { name: named(name), words })]),
      ["other", _("another agent ...")],
      ["", _("nobody")],
    ];
    this.seats = Array.from({ length: choices.seats }, (_empty, seat) =>
      this.select(
        `player-${seat}`,
        _("Player {number}", { number: seat + 1 }),
        players,
        [PERSON, "level:4"][seat] ?? "",
      ),
    );
    this.boards = Array.from({ length: choices.seats }, (_empty, seat) =>
      this.select(
        `board-${seat}`,
        _("Board of player {number}", { number: seat + 1 }),
        Object.entries(choices.boards),
        "base-easy",
      ),
    );
    this.modules = Object.entries(choices.modules).map(([name, title]) => this.check(name, title, name === "godzillas"));
    this.victory = this.select(
      "victory",
      _("Victory"),
      Object.entries(choices.victories),
      Object.keys(choices.victories)[0],
    );
    this.edition = this.select(
      "edition",
      _("Godzilla rules"),
      choices.editions.map((name) => [name, name]),
      choices.editions[0],
    );
    this.advanced = this.check("advanced", _("Advanced: a special promise too"));
    this.stockholm = this.check("stockholm", _("Stockholm: radiation scores"));
    this.hot = this.check("hot", _("All people at this screen, with a curtain between turns"));
    this.asks = this.check("asks", _("Ask me everything, answer nothing for me"));
    this.seed = el("input", { type: "number", min: 0, placeholder: _("by chance"), "aria-label": _("Seed") });
    this.agent = el("input", {
      type: "text",
      placeholder: "mcts:sims=200",
      "aria-label": _("Any agent by name"),
    });
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.start = el("button", { type: "submit", class: "main begin" }, _("Begin"));
  }

  select(id, label, options, value) {
    const select = el(
      "select",
      { id, "aria-label": label },
      options.map(([key, words]) => el("option", { value: key }, words)),
    );
    select.value = value;
    return select;
  }

  check(id, label, on = false) {
    const input = el("input", { type: "checkbox", id, checked: on });
    const box = el("label", { class: "check" }, input, label);
    box.input = input;
    return box;
  }

  read() {
    const sitting = this.seats
      .map((select, seat) => [select.value, this.boards[seat].value])
      .filter(([name]) => name);
    return {
      players: sitting.map(([name]) => (name === "other" ? this.agent.value : name)),
      boards: sitting.map(([, board]) => board),
      modules: Object.keys(this.choices.modules).filter((_name, n) => this.modules[n].input.checked),
      victory: this.victory.value,
      edition: this.edition.value,
      advanced: this.advanced.input.checked,
      stockholm: this.stockholm.input.checked,
      hot_seat: this.hot.input.checked,
      automatic: !this.asks.input.checked,
      seed: this.seed.value === "" ? null : Number(this.seed.value),
    };
  }

  async checkNow() {
    try {
      const { wrong } = await post("/api/check", this.read());
      this.wrong.textContent = capital(wrong);
      this.start.disabled = wrong !== "";
    } catch (error) {
      toast(error.message);
    }
  }

  numbers() {
    const file = el("input", { type: "file", id: "numbers", accept: ".toml", "aria-label": _("A file of numbers") });
    const words = el("p", { class: "soft", id: "by-numbers" }, this.choices.numbers
      ? _("Played by your own numbers, {name}.", { name: this.choices.numbers })
      : inline(_("Played by the standard numbers. A file, as `smallcity numbers` prints it, changes them:")));
    file.addEventListener("change", async (event) => {
      event.stopPropagation();
      words.textContent = _("A server for these numbers is being started ...");
      await this.checkNow(); // the sentence about another file goes
      try {
        const { port } = await post("/api/numbers", { text: await file.files[0].text() });
        if (port) location.href = `${location.protocol}//${location.hostname}:${port}/`;
        else words.textContent = _("These are the numbers this page plays by.");
      } catch (error) {
        words.textContent = "";
        this.wrong.textContent = capital(error.message);
      }
    });
    return [words, file];
  }

  section() {
    const seats = this.seats.map((select, seat) =>
      el("div", { class: "seat-row" }, icon(`citizen-${seat}`, 30), select, this.boards[seat]),
    );
    const form = el(
      "form",
      {
        class: "own",
        onsubmit: (event) => {
          event.preventDefault();
          begin(this.read());
        },
        onchange: () => this.checkNow(),
      },
      el(
        "fieldset",
        { class: "seats" },
        el("legend", {}, _("Who sits where")),
        seats,
        el("label", {}, _("Another agent:"), " ", this.agent),
      ),
      el("fieldset", {}, el("legend", {}, _("Modules")), el("div", { class: "checks" }, this.modules)),
      el(
        "fieldset",
        { class: "rules" },
        el("legend", {}, _("Rules")),
        el(
          "div",
          { class: "pairs" },
          el("label", {}, _("Victory condition"), this.victory),
          el("label", {}, _("Edition of the godzillas"), this.edition),
        ),
        this.advanced,
        this.stockholm,
        el("label", {}, _("Seed"), " ", this.seed),
        this.numbers(),
      ),
      el("fieldset", {}, el("legend", {}, _("At the table")), this.hot, this.asks),
      this.wrong,
      this.start,
    );
    return el("section", {}, el("h2", {}, _("A table of your own")), form);
  }
}

function replaySection() {
  const file = el("input", {
    type: "file",
    id: "log",
    accept: ".log,.txt,.html",
    "aria-label": _("The log of a game"),
  });
  file.addEventListener("change", async () => {
    try {
      const replay = await post("/api/replays", { log: logOf(await file.files[0].text()) });
      location.href = `/r/${replay.token}`;
    } catch (error) {
      toast(error.message);
    }
  });
  return el(
    "section",
    {},
    el("h2", {}, _("Watch a game again")),
    el("p", {}, inline(_("Open a log, as `smallcity play --log` and the end of a game here write it, or a replay saved as one file."))),
    file,
  );
}
