// The set-up page: ready-made tables, a table of one's own, games to go on with, logs to watch.

import { capital, el, get, icon, post, recall, remember, toast } from "./dom.js";

const PERSON = "human";
const named = (word) => capital(word.replaceAll("_", " ").replaceAll("-", " "));

export async function setUp(page, theme) {
  const choices = await get("/api/setup");
  const form = new Form(choices);
  page.replaceChildren(
    el("header", { class: "bar" }, el("h1", {}, "Small City"), el("span", { class: "grow" }), theme),
    el(
      "main",
      { class: "setup" },
      el(
        "p",
        { class: "lead" },
        "Build a borough, keep its people happy and its air clean, and keep your promise to the voters.",
      ),
      goOn(),
      el(
        "section",
        {},
        el("h2", {}, "Play now"),
        el(
          "div",
          { class: "ready" },
          choices.ready.map((table) => readyCard(table)),
        ),
      ),
      form.section(),
      replaySection(),
    ),
  );
}

function readyCard(table) {
  const faces = table.players.map((name, seat) =>
    el("span", { class: "face" }, icon(`citizen-${seat}`, 26), name === PERSON ? "you" : name),
  );
  return el(
    "button",
    { class: "card ready-card", type: "button", "data-ready": table.name, onclick: () => begin(table) },
    el("strong", {}, table.name),
    el("span", {}, table.words),
    el("span", { class: "faces" }, faces),
  );
}

function goOn() {
  const tables = recall("tables", []);
  if (!tables.length) return null;
  return el(
    "section",
    {},
    el("h2", {}, "Go on"),
    el(
      "ul",
      { class: "tables" },
      tables
        .slice(0, 8)
        .map((table) =>
          el(
            "li",
            {},
            el("a", { href: `/t/${table.token}` }, table.words),
            el("span", { class: "soft" }, ` begun ${table.when}`),
          ),
        ),
    ),
  );
}

async function begin(form) {
  let answer;
  try {
    answer = await post("/api/tables", form);
  } catch (error) {
    toast(error.message);
    return;
  }
  const people = answer.links.filter((link) => link.seat !== answer.watcher);
  const watcher = answer.links.find((link) => link.seat === answer.watcher);
  const own = people[0] || watcher;
  const words = `${form.players.map((name) => (name === PERSON ? "you" : name)).join(", ")}`;
  remember(
    "tables",
    [
      { token: own.token, words: capital(words), when: new Date().toLocaleString() },
      ...recall("tables", []),
    ].slice(0, 20),
  );
  if (people.length > 1) showLinks(people, watcher);
  else location.href = `/t/${own.token}`;
}

function showLinks(people, watcher) {
  const row = (link, who) => {
    const address = `${location.origin}/t/${link.token}`;
    return el(
      "li",
      {},
      icon(`citizen-${Math.max(link.seat, 0)}`, 30),
      el("strong", {}, who),
      el("a", { href: address, "data-seat": link.seat }, "open"),
      el(
        "button",
        {
          type: "button",
          onclick: async () => {
            try {
              await navigator.clipboard.writeText(address);
              toast("Copied.");
            } catch {
              toast(address);
            }
          },
        },
        "Copy the link",
      ),
    );
  };
  document.querySelector("main").replaceChildren(
    el(
      "section",
      {},
      el("h2", {}, "A link for every seat"),
      el("p", {}, "Whoever has a link sees that seat's secrets: send each person only theirs."),
      el(
        "ul",
        { class: "links" },
        people.map((link) => row(link, `Seat ${link.seat}`)),
        row(watcher, "To watch"),
      ),
    ),
  );
}

class Form {
  constructor(choices) {
    this.choices = choices;
    const players = [
      [PERSON, "a person"],
      ...Object.entries(choices.levels).map(([name, words]) => [name, `${named(name.replace(":", " "))}: ${words}`]),
      ...Object.entries(choices.agents).map(([name, words]) => [name, `${named(name)}: ${words}`]),
      ["other", "another agent ..."],
      ["", "nobody"],
    ];
    this.seats = Array.from({ length: choices.seats }, (_, seat) =>
      this.select(
        `player-${seat}`,
        `Seat ${seat}`,
        players,
        [PERSON, "level:4"][seat] ?? "",
      ),
    );
    this.boards = Array.from({ length: choices.seats }, (_, seat) =>
      this.select(
        `board-${seat}`,
        `Board of seat ${seat}`,
        choices.boards.map((name) => [name, named(name)]),
        "base-easy",
      ),
    );
    this.modules = choices.modules.map((name) => this.check(name, named(name), name === "godzillas"));
    this.victory = this.select(
      "victory",
      "Victory",
      choices.victories.map((name) => [name, named(name)]),
      choices.victories[0],
    );
    this.edition = this.select(
      "edition",
      "Godzilla rules of",
      choices.editions.map((name) => [name, name]),
      choices.editions[0],
    );
    this.advanced = this.check("advanced", "Advanced: a special promise too");
    this.stockholm = this.check("stockholm", "Stockholm: radiation scores");
    this.hot = this.check("hot", "All people at this screen, with a curtain between turns");
    this.asks = this.check("asks", "Ask me everything, answer nothing for me");
    this.seed = el("input", { type: "number", min: 0, placeholder: "by chance", "aria-label": "Seed" });
    this.agent = el("input", {
      type: "text",
      placeholder: "mcts:sims=200",
      "aria-label": "Any agent by name",
    });
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.start = el("button", { type: "submit", class: "main begin" }, "Begin");
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
      modules: this.choices.modules.filter((_, n) => this.modules[n].input.checked),
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
    const file = el("input", { type: "file", id: "numbers", accept: ".toml", "aria-label": "A file of numbers" });
    const words = el("p", { class: "soft", id: "by-numbers" }, this.choices.numbers
      ? `Played by your own numbers, ${this.choices.numbers}.`
      : "Played by the standard numbers. A file, as `smallcity numbers` prints it, changes them:");
    file.addEventListener("change", async (event) => {
      event.stopPropagation();
      words.textContent = "A server for these numbers is being started ...";
      await this.checkNow(); // the sentence about another file goes
      try {
        const { port } = await post("/api/numbers", { text: await file.files[0].text() });
        if (port) location.href = `${location.protocol}//${location.hostname}:${port}/`;
        else words.textContent = "These are the numbers this page plays by.";
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
        el("legend", {}, "Who sits where"),
        seats,
        el("label", {}, "Another agent: ", this.agent),
      ),
      el("fieldset", {}, el("legend", {}, "Modules"), el("div", { class: "checks" }, this.modules)),
      el(
        "fieldset",
        { class: "rules" },
        el("legend", {}, "Rules"),
        el(
          "div",
          { class: "pairs" },
          el("label", {}, "Victory by", this.victory),
          el("label", {}, "Godzillas of", this.edition),
        ),
        this.advanced,
        this.stockholm,
        el("label", {}, "Seed ", this.seed),
        this.numbers(),
      ),
      el("fieldset", {}, el("legend", {}, "At the table"), this.hot, this.asks),
      this.wrong,
      this.start,
    );
    return el("section", {}, el("h2", {}, "A table of your own"), form);
  }
}

function replaySection() {
  const file = el("input", {
    type: "file",
    id: "log",
    accept: ".log,.txt",
    "aria-label": "The log of a game",
  });
  file.addEventListener("change", async () => {
    try {
      const replay = await post("/api/replays", { log: await file.files[0].text() });
      location.href = `/r/${replay.token}`;
    } catch (error) {
      toast(error.message);
    }
  });
  return el(
    "section",
    {},
    el("h2", {}, "Watch a game again"),
    el("p", {}, "Open a log, as `smallcity play --log` and the end of a game here write it."),
    file,
  );
}
