// Prints what tests/static/pages.py says of some games, with the page's own Python.
//
//   node pages.mjs PAGE games.json

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [page, games] = process.argv.slice(2).map((name) => resolve(name));
const { start } = await import(pathToFileURL(`${page}/start.js`));
const { default: create } = await import(pathToFileURL(`${page}/pyodide/pyodide.asm.mjs`));
const archive = new Uint8Array(readFileSync(`${page}/app.tar`));
const first = await start(create, archive);
const python = await start(create, archive, first.makeMemorySnapshot()); // as a browser does at the second visit
python.mountNodeFS("/tests", dirname(fileURLToPath(import.meta.url)));
python.globals.set("games", readFileSync(games, "utf8"));
await python.runPythonAsync(`
import sys
sys.path.insert(0, "/tests")
import json, pages
for line in pages.lines(json.loads(games)):
    print(line)
`);
