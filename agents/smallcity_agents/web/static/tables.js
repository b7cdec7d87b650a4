// Beginning a game, and the links of its seats.

import { capital, el, icon, post, toast } from "./dom.js";
import { _ } from "./i18n.js";
import { copyLink } from "./links.js";
import { begun } from "./record.js";

const WATCHER = -1;
const COLOURS = [_("Red"), _("Blue"), _("Yellow"), _("Violet")]; // of the pieces of each seat

export async function begin(form, rematch = "") {
  let answer;
  try {
    answer = await post(rematch ? `/api/rematch/${rematch}` : "/api/tables", form);
  } catch (error) {
    toast(capital(error.message));
    return;
  }
  const people = answer.links.filter((link) => link.seat !== answer.watcher);
  const watcher = answer.links.find((link) => link.seat === answer.watcher);
  const own = people[0] || watcher;
  const links = people.length > 1 ? answer.links : null;
  begun(own.token, answer.names, links);
  if (links) showLinks(links);
  else location.href = `/t/${own.token}`;
}

export function showLinks(links) {
  const people = links.filter((link) => link.seat !== WATCHER);
  const watcher = links.find((link) => link.seat === WATCHER);
  const row = (link, who) => {
    const path = `/t/${link.token}`;
    return el(
      "li",
      {},
      link.seat === WATCHER ? el("span", { class: "nobody" }) : icon(`citizen-${link.seat}`, 30),
      el("strong", {}, who),
      el("a", { href: path, "data-seat": link.seat }, _("open")),
      el(
        "button",
        {
          type: "button",
          onclick: () => copyLink(path),
        },
        _("Copy the link"),
      ),
    );
  };
  document.querySelector("main").replaceChildren(
    el(
      "section",
      {},
      el("h2", {}, _("A link for every seat")),
      el("p", {}, _("Whoever has a link sees that seat's secrets: send each person only theirs.")),
      el(
        "ul",
        { class: "links" },
        people.map((link) => row(link, COLOURS[link.seat])),
        row(watcher, _("To watch")),
      ),
    ),
  );
}
