// The language: chosen before, or the browser's. Texts stand in all of them (make_page.py), and one is shown.

const root = document.documentElement;
const wished = document.cookie.match(/\blanguage=(\w+)/)?.[1] ?? navigator.language.slice(0, 2);
if (root.dataset.languages.split(" ").includes(wished)) root.lang = wished;

document.addEventListener("DOMContentLoaded", () => {
  for (const text of document.querySelectorAll("span[lang]")) text.hidden = text.lang !== root.lang;
});
