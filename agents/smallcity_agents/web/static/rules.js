// Learn the game and the reference cards, beside the page that is open.

import { capital, el, get } from "./dom.js";
import { _, language } from "./i18n.js";
import { picture } from "./tray.js";

const FAMILIES = [_("Homes"), _("Shops"), _("Factories"), _("Parks"), _("Buildings")];

export async function openRules(tab, known = null) {
  if (document.querySelector(`.manual[data-tab="${tab}"]`)) return closeRules();
  closeRules();
  const pieces = known ?? (await get("/api/pieces"));
  const close = el(
    "button",
    { type: "button", class: "quiet", "aria-label": _("Close"), onclick: closeRules },
    "×",
  );
  const other = (name, words) =>
    el(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-tab": name,
        "aria-pressed": String(name === tab),
        onclick: () => openRules(name, pieces),
      },
      words,
    );
  const panel = el(
    "aside",
    { class: "manual", "data-tab": tab, "aria-label": _("The rules") },
    el(
      "div",
      { class: "manual-bar" },
      other("learn", _("Learn the game")),
      other("cards", _("Reference cards")),
      el("span", { class: "grow" }),
      close,
    ),
    el("div", { class: "manual-text", tabindex: "0" }, tab === "learn" ? await lesson() : cards(pieces)),
  );
  panel.addEventListener("keydown", (event) => event.key === "Escape" && closeRules());
  document.body.append(panel);
  document.body.classList.add("with-manual");
  return close.focus();
}

function closeRules() {
  document.querySelector(".manual")?.remove();
  document.body.classList.remove("with-manual");
}

// -- the reference cards, from the tables in force

function cards(pieces) {
  const kinds = Object.values(pieces.kinds);
  const tile = (piece) => el("li", {}, picture(piece), el("span", {}, piece.about));
  return [
    ...FAMILIES.map((name, family) => [
      el("h2", {}, name),
      el("ul", { class: "tiles" }, kinds.filter((piece) => piece.family === family).map(tile)),
    ]).flat(),
    el("h2", {}, _("Action cards")),
    el(
      "ul",
      {},
      Object.values(pieces.cards).map(([name, words]) =>
        el("li", {}, el("b", {}, capital(name)), ` — ${words}`),
      ),
    ),
  ];
}

// -- Learn the game: the page of the manual, as far as it uses Markdown

async function lesson() {
  const names = [`/static/learn.${language}.md`, "/static/learn.md"];
  for (const name of language === "en" ? names.slice(1) : names) {
    const found = await fetch(name);
    if (found.ok) return blocks(await found.text());
  }
  return [el("p", {}, _("This page is not installed."))];
}

function blocks(text) {
  return text.split(/\n\n+/).map((block) => {
    const lines = block.trim().split("\n");
    const heading = block.match(/^(#+) (.*)$/);
    if (heading) return el(`h${Math.min(heading[1].length + 1, 4)}`, {}, inline(heading[2]));
    if (lines[0].startsWith("|")) return grid(lines);
    if (lines[0].startsWith("- "))
      return el(
        "ul",
        {},
        block
          .split(/\n?^- /m)
          .slice(1)
          .map((item) => el("li", {}, inline(item))),
      );
    const picture = block.match(/^!\[(.*)\]\((?:.*\/)?(.*)\)$/);
    if (picture) return el("img", { src: `/static/${picture[2]}`, alt: picture[1], loading: "lazy" });
    return el("p", {}, inline(block));
  });
}

function grid(lines) {
  const cells = (line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, , ...rows] = lines;
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        cells(head).map((cell) => el("th", { scope: "col" }, inline(cell))),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((line) =>
        el(
          "tr",
          {},
          cells(line).map((cell) => el("td", {}, inline(cell))),
        ),
      ),
    ),
  );
}

export function inline(text) {
  // bold, italics, code; a link is its words
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ");
  const tags = { "**": "strong", "*": "em", "`": "code" };
  return plain.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    const sign = part.match(/^(\*\*|\*|`).+\1$/)?.[1];
    return sign ? el(tags[sign], {}, part.slice(sign.length, -sign.length)) : part;
  });
}
