// Your games in this browser: what was played, how it ended, and a level estimated from it.

import { capital, el, recall, remember, scrolling, toast } from "./dom.js";
import { _, decimal, language, ngettext } from "./i18n.js";

const MOST = 500; // games kept
const SHOWN = 8;
const DROP = 1.92; // of the log-likelihood, at the ends of a 95 % interval
const PERSON = "human";

export function called(name) {
  if (name === PERSON || !name) return _("Person");
  const level = name.match(/^level:(\d+)$/);
  return level ? _("Level {n}", { n: level[1] }) : capital(name);
}

export const games = () => recall("tables", []);

const others = (game) => (game.names ?? []).filter((_name, seat) => seat !== (game.you ?? 0));

export function begun(token, names, links) {
  // a table this browser has set up; its links can be seen again
  const when = new Date().toISOString();
  remember("tables", [{ token, when, names, links }, ...games()].slice(0, MOST));
}

export function keepGame(token, view) {
  // where a game of one's own stands, and how it ended
  if (!token || view.you === null || !(view.you >= 0) || view.link < 0) return;
  const known = games();
  const old = known.find((game) => game.token === token) ?? { token, when: new Date().toISOString() };
  if (old.over || (old.round === view.round && !view.over && old.rounds)) return;
  const result = view.over
    ? {
        over: true,
        places: view.result.seats.map((seat) => seat.place),
        scores: view.result.seats.map((seat) => seat.score),
        title: view.result.title,
      }
    : {};
  const game = {
    ...old,
    names: view.names,
    you: view.you,
    round: view.round,
    rounds: view.rounds,
    ...result,
  };
  remember("tables", [game, ...known.filter((one) => one.token !== token)].slice(0, MOST));
}

// -- the level

function comparisons(played) {
  // every opponent of a level in a finished game, and whether you finished ahead of it
  return played
    .filter((game) => game.over)
    .flatMap((game) =>
      game.names.flatMap((name, seat) => {
        const level = name.match(/^level:(\d+)$/);
        const lead = game.places[seat] - game.places[game.you];
        return seat !== game.you && level ? [[Number(level[1]), lead > 0 ? 1 : lead < 0 ? 0 : 0.5]] : [];
      }),
    );
}

export function rating(played, scale) {
  // the most likely level with its 95 % interval, on the scale of the benchmark
  const found = comparisons(played);
  if (!found.length || !scale.length) return null;
  const strength = (level) => {
    const low = Math.min(Math.max(Math.floor(level), 0), scale.length - 2);
    return scale[low] + (level - low) * (scale[low + 1] - scale[low]);
  };
  const levels = Array.from({ length: 10 * (scale.length - 1) + 1 }, (_unused, n) => n / 10);
  const likelihood = levels.map((level) =>
    found.reduce((sum, [other, ahead]) => {
      const lead = strength(level) - strength(other);
      return sum - ahead * Math.log1p(Math.exp(-lead)) - (1 - ahead) * Math.log1p(Math.exp(lead));
    }, 0),
  );
  const most = Math.max(...likelihood);
  const likely = levels.filter((_level, n) => likelihood[n] >= most - DROP);
  return {
    level: levels[likelihood.indexOf(most)],
    low: likely[0],
    high: likely.at(-1),
    games: played.filter((game) => game.over).length,
  };
}

function ratingWords({ games, level, low, high }) {
  if (low > 0)
    return ngettext(
      "After {n} finished game you play like level {level} (between {low} and {high}).",
      "After {n} finished games you play like level {level} (between {low} and {high}).",
      games,
      { level: decimal(level), low: decimal(low), high: decimal(high) },
    );
  return ngettext(
    "After {n} finished game you play below level {high}.",
    "After {n} finished games you play below level {high}.",
    games,
    { high: decimal(high) },
  );
}

// -- on the set-up page

function result(game) {
  if (!game.over) return game.round ? _("round {round} of {rounds}", game) : _("not begun");
  if (game.places.length === 1)
    return _("{points} points, {title}", { points: game.scores[0], title: game.title });
  return _("place {place} of {players}, {points} points", {
    place: game.places[game.you] + 1,
    players: game.places.length,
    points: game.scores[game.you],
  });
}

function row(game, showLinks) {
  const names = others(game).map(called).join(", ") || _("alone");
  return el(
    "tr",
    {},
    el("td", {}, el("a", { href: `/t/${game.token}` }, game.words ?? names)),
    el("td", {}, result(game)),
    el(
      "td",
      { class: "soft" },
      Number.isNaN(Date.parse(game.when)) ? game.when : new Date(game.when).toLocaleDateString(language),
    ),
    el(
      "td",
      {},
      game.links
        ? el(
            "button",
            { type: "button", class: "quiet", "data-do": "links", onclick: () => showLinks(game.links) },
            _("Links of the seats"),
          )
        : "",
    ),
  );
}

function download() {
  const body = JSON.stringify({ games: games(), puzzles: recall("puzzles", {}) }, null, 1);
  const link = el("a", {
    href: URL.createObjectURL(new Blob([body], { type: "application/json" })),
    download: "smallcity-record.json",
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function upload(file) {
  try {
    const { games: more, puzzles } = JSON.parse(await file.text());
    const known = new Set(games().map((game) => game.token));
    remember(
      "tables",
      [...games(), ...more.filter((game) => typeof game.token === "string" && !known.has(game.token))].slice(
        0,
        MOST,
      ),
    );
    remember("puzzles", { ...puzzles, ...recall("puzzles", {}) });
    location.reload();
  } catch {
    toast(_("This file is no record of games."));
  }
}

export function recordSection(scale, showLinks) {
  const played = games();
  if (!played.length) return null;
  const table = (list) =>
    scrolling(
      _("Your games"),
      el(
        "table",
        { class: "games" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            [_("Against"), _("Where it stands"), _("Begun"), list.some((game) => game.links) && _("Seats")].map(
              (word) => (word ? el("th", { scope: "col" }, word) : null),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          list.map((game) => row(game, showLinks)),
        ),
      ),
    );
  const rated = rating(played, scale);
  const file = el("input", {
    type: "file",
    id: "record",
    accept: ".json",
    "aria-label": _("A record of games"),
    onchange: () => upload(file.files[0]),
  });
  return el(
    "section",
    { class: "record" },
    el("h2", {}, _("Your games")),
    rated
      ? el("p", { "data-rating": rated.level }, ratingWords(rated))
      : "",
    table(played.slice(0, SHOWN)),
    played.length > SHOWN
      ? el("details", {}, el("summary", {}, _("All games")), table(played.slice(SHOWN)))
      : "",
    el(
      "details",
      {},
      el("summary", {}, _("Kept in this browser only")),
      el(
        "p",
        {},
        el("button", { type: "button", "data-do": "export", onclick: download }, _("Save as a file")),
        " ",
        el("label", {}, _("Add a saved file:"), " ", file),
      ),
    ),
  );
}
