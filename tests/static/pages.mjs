// Prints what tests/static/pages.py says of some games, with the page's own Python.
//
//   node pages.mjs PAGE games.json

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [page, games] = process.argv.slice(2).map((name) => resolve(name));
const { loadPyodide } = await import(pathToFileURL(`${page}/pyodide/pyodide.mjs`));
const python = await loadPyodide();
python.FS.mkdir("/games");
python.unpackArchive(new Uint8Array(readFileSync(`${page}/app.zip`)), "zip", { extractDir: "/app" });
python.mountNodeFS("/tests", dirname(fileURLToPath(import.meta.url)));
python.globals.set("games", readFileSync(games, "utf8"));
await python.runPythonAsync(`
import sys
sys.path[:0] = ["/app", "/tests"]
import answer, json, pages
for line in pages.lines(json.loads(games)):
    print(line)
`);
