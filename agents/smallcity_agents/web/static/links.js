// Links that carry a whole game: its log, compressed, after the "#". Nothing of it is sent until somebody opens it.

import { outside, toast } from "./dom.js";
import { _ } from "./i18n.js";

const PACKED = "deflate-raw";
const MOST = 500_000; // bytes of a log that the server takes
const LOG = /<script id="log" type="text\/plain">([^<]+)<\/script>/; // in the file of a replay

async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) throw new RangeError();
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function pack(log) {
  const bytes = await through(new TextEncoder().encode(log), new CompressionStream(PACKED));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const log = await through(bytes, new DecompressionStream(PACKED), MOST);
    return new TextDecoder("utf-8", { fatal: true }).decode(log);
  } catch {
    /* not what was packed */
  }
  throw new Error(_("This link is damaged or was cut short: ask for it again."));
}

export function logOf(text) {
  // the log in a file: a log itself, or the page that a replay was saved as
  if (!/^\s*<!doctype html/i.test(text)) return text;
  const found = text.match(LOG);
  if (!found) throw new Error(_("This file shows what one seat saw: it has no log to open."));
  return new DOMParser().parseFromString(found[1], "text/html").documentElement.textContent;
}

export async function copyLink(path) {
  const address = outside(path);
  try {
    await navigator.clipboard.writeText(address);
    toast(_("Copied."));
  } catch {
    window.prompt(_("Copy the link"), address);
  }
}

export async function copyGame(token) {
  try {
    const response = await fetch(`/api/log/${token}`);
    if (!response.ok) throw new Error((await response.json()).wrong);
    await copyLink(`/#/g/${await pack(await response.text())}`);
  } catch (error) {
    toast(error.message);
  }
}
