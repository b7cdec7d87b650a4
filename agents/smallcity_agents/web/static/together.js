// People at one table: whose turn it is, and agents that play for those who have left.

import { el, recall, remember } from "./dom.js";
import { _ } from "./i18n.js";
import { called } from "./record.js";

const AGENT = "level:4";

export function signal(view, before) {
  // the tab says whose turn it is; a soft sound too, if it is wanted
  document.title = view.turn ? _("Your turn · Small City") : _("Small City");
  if (view.turn && before && !before.turn && recall("sound", false)) chime();
}

function chime() {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}

export function soundSwitch() {
  const input = el("input", {
    type: "checkbox",
    id: "sound",
    onchange: () => remember("sound", input.checked),
  });
  input.checked = recall("sound", false);
  return el("label", { class: "check keys" }, input, _("A soft sound when it is my turn"));
}

export function substitutes(play) {
  // while one waits: an agent for somebody who has left, or one's own seat back
  const { view } = play;
  const button = (words, name, seat, agent) =>
    el(
      "button",
      {
        type: "button",
        class: "answer",
        "data-do": name,
        onclick: () => play.send("substitute", { seat, agent }),
      },
      words,
    );
  if (view.over || !(view.you >= 0)) return [];
  const mine = view.substitutes?.[view.you];
  if (mine)
    return [
      el("p", {}, _("{agent} plays for you.", { agent: called(mine) })),
      button(_("Take my seat back"), "back", view.you, ""),
    ];
  if (!view.left?.includes(view.asked) || view.substitutes?.[view.asked]) return [];
  return [
    el("p", {}, _("The player who is asked has no page open.")),
    button(
      _("Let {agent} play until they return", { agent: called(AGENT) }),
      "substitute",
      view.asked,
      AGENT,
    ),
  ];
}
