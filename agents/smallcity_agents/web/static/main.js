// Which page this is: the set-up, a table, or a replay.

import { define, el, get, here, post, recall, remember } from "./dom.js";
import { LANGUAGES, _, language, speak } from "./i18n.js";
import { unpack } from "./links.js";
import { setUp } from "./setup.js";
import { Play } from "./play.js";
import { Puzzle } from "./puzzles.js";
import { watchReplay } from "./replay.js";

const themes = ["auto", "light", "dark"];

export function applyTheme(theme) {
  remember("theme", theme);
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
}

export function themeButton() {
  const button = el("button", { class: "quiet theme", type: "button" });
  const show = () => {
    const theme = recall("theme", "auto");
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
    button.title = { auto: _("Theme: auto"), light: _("Theme: light"), dark: _("Theme: dark") }[theme];
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    applyTheme(themes[(themes.indexOf(recall("theme", "auto")) + 1) % themes.length]);
    show();
  });
  show();
  return el("span", { class: "switches" }, languageSelect(), button);
}

function languageSelect() {
  const select = el(
    "select",
    { class: "quiet language", "aria-label": _("Language"), onchange: () => speak(select.value) },
    Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code }, name)),
  );
  select.value = language;
  return select;
}

async function begin() {
  applyTheme(recall("theme", "auto"));
  const page = document.getElementById("page");
  const [, kind, token] = here.pathname.split("/");
  try {
    const pieces = await get("/api/pieces");
    define(pieces.symbols);
    if (kind === "t") await new Play(page, token, pieces, themeButton()).begin();
    else if (kind === "p") await new Puzzle(page, Number(token), pieces, themeButton()).begin();
    else if (kind === "r") await watchReplay(page, token, pieces, themeButton());
    else if (kind === "g") {
      const replay = await post("/api/replays", { log: await unpack(token) });
      await watchReplay(page, replay.token, pieces, themeButton());
    } else await setUp(page, themeButton());
    document.body.dataset.ready = "yes";
  } catch (error) {
    page.replaceChildren(
      el(
        "main",
        { class: "failed" },
        el("h1", {}, "Small City"),
        el("p", {}, error.message),
        el("p", {}, el("a", { href: "/" }, _("To the set-up"))),
      ),
    );
  }
}

window.addEventListener("hashchange", () => location.reload());
begin();
