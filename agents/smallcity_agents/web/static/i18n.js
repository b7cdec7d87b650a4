// Texts in the page's language: _("{seat} takes {card}.", {seat, card}), ngettext("{n} vote", "{n} votes", n).
// A message is a literal, so that `make catalogue` finds it; its English is its key in LANGUAGE.json.

export const language = document.documentElement.lang || "en";
export const LANGUAGES = { en: "English", fr: "Français" };
const catalogue = language === "en" ? {} : await (await fetch(`/static/${language}.json`)).json();
const plurals = new Intl.PluralRules(language);

export function speak(code) {
  // the server reads it with every request, streams of events included
  document.cookie = `language=${code}; path=/; max-age=31536000; SameSite=Strict`;
  location.reload();
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? values[name] : gap));
}

export const decimal = (value) =>
  value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function _(message, values = {}) {
  return fill(catalogue[message] || message, values);
}

export function ngettext(one, many, n, values = {}) {
  const form = plurals.select(n) === "one" ? 0 : 1;
  return fill((catalogue[one] || [one, many])[form], { n, ...values });
}
