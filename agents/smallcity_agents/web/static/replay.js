// A replay: any moment of a game, as a seat saw it or open.

import { Board, beasts, changes } from "./board.js";
import { define, el, get, here, scrolling, toast } from "./dom.js";
import { _ } from "./i18n.js";
import { copyGame } from "./links.js";
import { Log } from "./log.js";
import { Numbers, council, resultTable, seatBadge, who } from "./panels.js";
import { Review } from "./review.js";

export async function watchReplay(page, token, pieces, theme) {
  let view = null,
    seat = "",
    step = 0,
    playing = 0,
    wanted = null,
    review = null;
  const load = async (to) => {
    // presses while a step is fetched are not lost: the latest is fetched next
    if (wanted !== null) {
      wanted = to;
      return;
    }
    wanted = to;
    try {
      for (let asked = null; asked !== wanted;) {
        asked = wanted;
        show(await get(`/api/replays/${token}?step=${asked}${seat === "" ? "" : `&seat=${seat}`}`));
      }
    } catch (error) {
      toast(error.message);
      stop();
    } finally {
      wanted = null;
    }
  };
  const current = () => wanted ?? step;
  const back = () => Math.max(0, current() - 1);
  const on = () => Math.min(first.steps, current() + 1);
  const first = await get(`/api/replays/${token}?step=0`);
  const seats = first.boroughs.map((_borough, n) => n);
  const player = (n) => who(first, n);
  const boards = seats.map(
    (n) =>
      new Board(n, pieces, {
        hover: (board, at) => {
          const tile = at === null ? null : board.tileAt(at);
          if (tile) about.textContent = pieces.kinds[tile[0]].about;
        },
      }),
  );
  const numbers = seats.map((n) => new Numbers(n));
  const log = new Log(pieces.phases);
  const phase = el("span", { class: "phase" });
  const about = el("p", { class: "about" }, _("Point at a piece to read its rules."));
  const side = el("div", { class: "asked" });
  const slider = el("input", {
    type: "range",
    min: 0,
    max: first.steps,
    value: 0,
    "aria-label": _("Step of the game"),
    oninput: () => load(Number(slider.value)),
  });
  const counter = el("span", { class: "soft", "data-step": "" });
  const play = el(
    "button",
    { type: "button", class: "main", onclick: () => (playing ? stop() : start()) },
    _("Play"),
  );
  const eyes = el(
    "select",
    {
      "aria-label": _("Whose view"),
      onchange: () => {
        seat = eyes.value;
        load(step);
        share.href = `/api/share/${token}${seat === "" ? "" : `?seat=${seat}`}`;
      },
    },
    el("option", { value: "" }, _("everything open")),
    seats.map((n) => el("option", { value: n }, _("as {who} saw it", { who: player(n) }))),
  );
  const share = el(
    "a",
    { class: "button", href: `/api/share/${token}`, download: "smallcity.html" },
    _("Share as one file"),
  );
  const linked = el(
    "button",
    { type: "button", "data-do": "link", onclick: () => copyGame(token) },
    _("Copy a link"),
  );
  const marked = el("div", { class: "marked" }, slider);
  const reviewed = el(
    "button",
    { type: "button", "data-do": "review", onclick: () => startReview(Number(seat || reviewer(first))) },
    _("Review"),
  );
  const button = (words, label, by) =>
    el(
      "button",
      {
        type: "button",
        "aria-label": label,
        onclick: () => {
          stop();
          load(by());
        },
      },
      words,
    );

  async function startReview(of) {
    stop();
    seat = eyes.value = String(of);
    review = new Review(token, of, first.steps, show);
    review.view = view;
    marked.replaceChildren(review.marks, slider);
    await load(step);
    await review.load();
  }

  function start() {
    play.textContent = _("Pause");
    playing = setInterval(() => (step >= first.steps ? stop() : load(on())), 500);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    play.textContent = _("Play");
  }

  function show(next, decision = null) {
    const before = view;
    define(next.symbols);
    view = next;
    step = next.step;
    phase.textContent = next.title;
    slider.value = String(step);
    counter.textContent = _("{n} of {all}", { n: step, all: next.steps });
    document.body.dataset.step = String(step);
    seats.forEach((n) => {
      boards[n].show(next.boroughs[n], next.players, null);
      const follows = before && step === before.step + 1;
      boards[n].flash(follows ? changes(before.boroughs[n], next.boroughs[n]) : []);
      numbers[n].show(next, pieces);
      boards[n].mark([], "asked-about");
      boards[n].light([]);
    });
    if (decision) {
      const [given, better] = decision.spaces;
      boards[decision.board].mark(given === null ? [] : [given], "asked-about");
      boards[decision.board].light(better === null ? [] : [better]);
    }
    if (before && step === before.step + 1) beasts(boards, before, next, 180);
    if (review) {
      review.view = next;
      if (!decision && review.worst) review.overview();
    }
    log.show(next);
    side.replaceChildren(
      review ? review.node : "",
      next.result
        ? el(
            "section",
            { class: "question" },
            el("h2", {}, _("The end")),
            scrolling(_("The end"), resultTable(next)),
          )
        : "",
      el("section", { class: "side" }, council(next, pieces)),
      el("section", { class: "happened" }, el("h2", {}, _("What has happened")), log.node),
    );
  }

  page.replaceChildren(
    el(
      "header",
      { class: "bar" },
      el("a", { href: "/", class: "home" }, el("h1", {}, "Small City")),
      phase,
      el("span", { class: "grow" }),
      theme,
    ),
    el(
      "nav",
      { class: "controls", "aria-label": _("Steps of the game") },
      button("|◀", _("To the beginning"), () => 0),
      button("◀", _("One step back"), back),
      play,
      button("▶", _("One step forward"), on),
      button("▶|", _("To the end"), () => first.steps),
      marked,
      counter,
      eyes,
      reviewed,
      share,
      linked,
    ),
    el(
      "main",
      { class: "replay" },
      el(
        "div",
        { class: "all" },
        seats.map((n) =>
          el(
            "section",
            { class: "borough chosen", "data-seat": n },
            el("h2", {}, seatBadge(n), ` ${player(n)}`),
            numbers[n].node,
            boards[n].node,
          ),
        ),
        about,
      ),
      side,
    ),
  );
  document.addEventListener("keydown", (event) => {
    if (/^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    const go = {
      ArrowRight: on,
      ArrowLeft: back,
      Home: () => 0,
      End: () => first.steps,
    }[event.key];
    if (go && event.target.tagName !== "svg") {
      stop();
      load(go());
      event.preventDefault();
    }
  });
  show(first);
  const asked = here.searchParams.get("review");
  if (asked !== null) await startReview(Number(asked));
}

const reviewer = (view) => Math.max(0, view.names.indexOf("human"));
