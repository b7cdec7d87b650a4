// The score each seat can expect, by round: lines with axes.

import { el, svg } from "./dom.js";
import { _ } from "./i18n.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 190, 34, 10, 24, 34];
const TICKS = 4;

function text(words, x, y, anchor = "middle") {
  const node = svg("text", { x, y, "text-anchor": anchor });
  node.textContent = words;
  return node;
}

function tens(low, high) {
  // round numbers for the axis, about TICKS of them
  const step = [5, 10, 20, 25, 50, 100, 200].find((size) => (high - low) / size <= TICKS) ?? 500;
  const first = Math.floor(low / step) * step;
  return Array.from({ length: Math.ceil((high - first) / step) + 1 }, (_unused, n) => first + n * step);
}

export function graph(rounds, players, over = false) {
  const all = rounds.flat();
  const ticks = tens(Math.min(0, ...all), Math.max(10, ...all));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const x = (n) => LEFT + ((WIDTH - LEFT - RIGHT) * n) / Math.max(1, rounds.length - 1);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low);
  const lines = players.map((_name, seat) =>
    svg("polyline", {
      class: `line seat-${seat}`,
      points: rounds.map((row, n) => `${x(n)},${y(row[seat])}`).join(" "),
    }),
  );
  const dots = players.map((_name, seat) =>
    svg("circle", { class: `dot seat-${seat}`, cx: x(rounds.length - 1), cy: y(rounds.at(-1)[seat]), r: 4 }),
  );
  const heights = ticks.flatMap((value) => [
    svg("line", { class: value ? "tick" : "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
    text(String(value), LEFT - 6, y(value) + 4, "end"),
  ]);
  const last = rounds.length - 1;
  const numbers = rounds.map((_row, n) =>
    text(n === last ? (over ? _("end") : _("now")) : String(n), x(n), HEIGHT - BOTTOM + 14),
  );
  const words = rounds
    .at(-1)
    .map((value, seat) => `${players[seat]} ${value}`)
    .join(", ");
  return el(
    "figure",
    { class: "graph-figure" },
    svg(
      "svg",
      {
        class: "graph",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": _("Expected scores by round; last: {scores}", { scores: words }),
      },
      heights,
      numbers,
      text(_("points"), 2, 11, "start"),
      text(_("round"), (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4),
      lines,
      dots,
    ),
    el(
      "figcaption",
      {},
      players.map((name, seat) => el("span", {}, el("i", { class: `seat-${seat}` }), ` ${name} `)),
    ),
  );
}
