// Python in a worker: the same server as `smallcity web`, whose requests come from the page.

import { loadPyodide } from "./pyodide/pyodide.mjs";

// The largest file is compressed, since simple web servers do not compress what they send.
const { fetch: fetchFile } = self;
self.fetch = async (name, options) => {
  if (!String(name).endsWith(".wasm")) return fetchFile(name, options);
  const { body } = await fetchFile(`${name}.gz`, options);
  const headers = { "Content-Type": "application/wasm" };
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers });
};

const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const listening = new Set(); // numbers of requests somebody waits for
const ready = start();

async function start() {
  const [python, app] = await Promise.all([loadPyodide(), bytes("app.zip")]);
  python.FS.mkdir("/games");
  python.FS.mount(python.FS.filesystems.IDBFS, {}, "/games");
  await new Promise((done) => python.FS.syncfs(true, done));
  python.unpackArchive(app, "zip", { extractDir: "/app" });
  const answer = await python.runPythonAsync("import sys; sys.path.insert(0, '/app'); import answer; answer.answer");
  return { python, answer };
}

let writing = Promise.resolve();
let next = null;

function kept(python) {
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
      await kept(python);
    } else await answer(method, path, language, body, (...part) => kept(python) && send(...part));
  } catch (error) {
    const [wrong] = String(error.message ?? error).trim().split("\n").slice(-1);
    parts.push([500, "application/json"], [0, JSON.stringify({ wrong })]);
  }
  parts.forEach((part) => send(...part));
  self.postMessage({ id, status: -1 });
};
