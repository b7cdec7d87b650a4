// Sets games up and plays them to their ends by chance.
//
//   node rollout.mjs smallcity.wasm starts.bin GAMES streams.bin ends.bin

import { readFileSync, writeFileSync } from "node:fs";

const [file, starts, games, streams, ends] = process.argv.slice(2);
const { log, exp, tanh } = Math;
const { instance } = await WebAssembly.instantiate(readFileSync(file), { env: { log, exp, tanh } });
const city = instance.exports, given = readFileSync(starts), n = Number(games);
const sizes = { states: given.length, streams: 8 * n, legal: 199 * n, counts: 16 * n, call: 512 };
const at = {};
let free = city.__heap_base.value;
for (const [name, size] of Object.entries(sizes)) {
  at[name] = (free + 63) & ~63;
  free = at[name] + size;
}
city.memory.grow(Math.ceil(free / 65536));
const memory = new DataView(city.memory.buffer), bytes = new Uint8Array(city.memory.buffer);

function call(name, ...words) {
  words.forEach((word, i) => memory.setBigInt64(at.call + 8 * i, BigInt(word), true));
  if (city[`smallcity_${name}`](at.call) !== -1n) throw new Error(`${name} refused`);
}

bytes.set(given, at.states);
bytes.set(readFileSync(streams), at.streams);
call("new", at.states, n, at.legal, n, 199);
call("rollout", at.states, n, at.streams, n, at.counts, n, 2);
writeFileSync(ends, bytes.subarray(at.states, at.states + given.length));
