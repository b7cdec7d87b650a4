// Small helpers for making and finding elements, and for talking to the server.

import { _ } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";

// The address of this page; without a server it follows the "#".
export const here = new URL(
  location.hash.startsWith("#/") ? location.hash.slice(1) : location.href,
  location.href,
);

// The address of a path for somebody else; the static page is in a frame of the page that has it.
export function outside(path) {
  const { smallcity, location: around } = window.parent;
  return smallcity ? `${around.origin}${around.pathname}#${path.replace("/#", "")}` : new URL(path, location.origin).href;
}

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  set(node, attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  set(node, attributes);
  node.append(...children.flat().filter(Boolean));
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
}

export function icon(name, size = 20, box = "-14 -14 28 28") {
  return svg(
    "svg",
    { viewBox: box, width: size, height: size, "aria-hidden": "true", class: "icon" },
    svg("use", { href: `#${name}` }),
  );
}

export function scrolling(label, node) {
  // what is wider than a narrow screen can be scrolled, by keys too
  return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, node);
}

export class Refusal extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

async function read(response) {
  const body = await response.json().catch(() => ({ wrong: "" }));
  if (!response.ok)
    throw new Refusal(response.status, body.wrong || _("the server answered {status}", { status: response.status }));
  return body;
}

async function ask(path, options = {}) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Refusal(0, _("the server does not answer; your game is safe on its disk"));
  }
}

export async function get(path) {
  return read(await ask(path));
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return read(await ask(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

let fading = 0;

export function toast(words) {
  const node = document.getElementById("toast");
  node.textContent = words;
  node.classList.add("on");
  clearTimeout(fading);
  fading = setTimeout(() => node.classList.remove("on"), 5000);
}

export function define(symbols) {
  const defs = document.querySelector("#symbols defs");
  for (const [name, drawing] of Object.entries(symbols || {})) {
    if (!document.getElementById(name)) {
      const group = svg("g");
      group.innerHTML = drawing; // drawn by the server from its own tables
      defs.append(...group.childNodes);
    }
  }
}

export const SIDE = 10;
export const space = (n) => `${"ABCDEFGHIJ"[n % SIDE]}${Math.floor(n / SIDE) + 1}`;
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function remember(key, value) {
  try {
    localStorage.setItem(`smallcity.${key}`, JSON.stringify(value));
  } catch {
    /* private browsing */
  }
}

export function recall(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`smallcity.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}
