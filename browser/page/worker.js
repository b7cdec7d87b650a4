// Python in a worker: the same server as `smallcity web`, whose requests come from the page.

import { start } from "./start.js";

const FILES = "smallcity-VERSION"; // of offline.js
const MEMORY = "memory";

// The largest files are compressed, since simple web servers do not compress what they send.
const { fetch: fetchFile } = self;
async function unpacked(name, type) {
  const { body } = await fetchFile(`${name}.gz`);
  const headers = { "Content-Type": type };
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers });
}
self.fetch = (name, options) =>
  String(name).endsWith(".wasm") ? unpacked(name, "application/wasm") : fetchFile(name, options);

const listening = new Set(); // numbers of requests somebody waits for
const ready = started();

async function started() {
  const archive = unpacked("app.tar").then(bytes);
  const [{ default: create }, memory] = await Promise.all([script(), kept()]);
  let python = memory && (await start(create, archive, bytes(memory)).catch(() => undefined));
  if (!python) {
    python = await start(create, archive);
    keep(python.makeMemorySnapshot());
  }
  python.FS.mkdirTree("/games");
  python.FS.mount(python.FS.filesystems.IDBFS, {}, "/games");
  await new Promise((done) => python.FS.syncfs(true, done));
  return { python, answer: python.runPython("import answer; answer.answer") };
}

async function script() {
  const code = await unpacked("pyodide/pyodide.asm.mjs", "text/javascript");
  return import(URL.createObjectURL(await code.blob()));
}

async function bytes(response) {
  return new Uint8Array(await response.arrayBuffer());
}

// The memory of Python after its first start is of this version in this browser.

async function kept() {
  const found = await self.caches?.match(MEMORY, { cacheName: FILES });
  return found?.headers.get("X-Browser") === navigator.userAgent ? found : undefined;
}

async function keep(memory) {
  const files = await self.caches?.open(FILES);
  const headers = { "X-Browser": navigator.userAgent };
  await files?.put(MEMORY, new Response(memory, { headers })).catch(() => undefined); // no room: it starts anew
}

let writing = Promise.resolve();
let next = null;

function stored(python) {
  // what has been written before this call is in the browser's database when this resolves
  next ??= writing.then(() => {
    next = null;
    writing = new Promise((done) => python.FS.syncfs(false, done));
    return writing;
  });
  return next;
}

self.onmessage = async ({ data: { id, method, path, language, body } }) => {
  if (!path) return listening.delete(id);
  listening.add(id);
  const send = (status, content) => {
    self.postMessage({ id, status, content });
    return listening.has(id);
  };
  const parts = [];
  try {
    const { python, answer } = await ready;
    if (method === "POST") {
      await answer(method, path, language, body, (...part) => parts.push(part));
      await stored(python);
    } else await answer(method, path, language, body, (...part) => stored(python) && send(...part));
  } catch (error) {
    const [wrong] = String(error.message ?? error).trim().split("\n").slice(-1);
    parts.push([500, "application/json"], [0, JSON.stringify({ wrong })]);
  }
  parts.forEach((part) => send(...part));
  self.postMessage({ id, status: -1 });
};
