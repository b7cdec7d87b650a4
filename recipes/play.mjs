// A random game of Small City in JavaScript, by the same compiled rules.
//
//   python -m smallcity_env.ship --wasm smallcity.wasm
//   node play.mjs smallcity.wasm start.bin 7 [end.bin]
//
// start.bin is a game before it begins, as Python's `smallcity_env.config.blank(1, config)` makes it. A call is a struct
// of 64-bit words: the address and the lengths of each array, as in the C header (`ship --header`).
import { readFileSync, writeFileSync } from "node:fs";

const [file, start, seed, end] = process.argv.slice(2);
const { log, exp, tanh } = Math;
const { instance } = await WebAssembly.instantiate(readFileSync(file), { env: { log, exp, tanh } });
const city = instance.exports, first = readFileSync(start);
const BYTES = first.length, ACTIONS = 199, SEATS = 4, DONE = -1n;
city.memory.grow(4);
const memory = new DataView(city.memory.buffer), bytes = new Uint8Array(city.memory.buffer);

let free = city.__heap_base.value;
function room(size) {
    const address = (free + 63) & ~63;
    free = address + size;
    return address;
}

function bind(name, ...words) {
    const call = room(8 * words.length);
    words.forEach((word, i) => memory.setBigInt64(call + 8 * i, BigInt(word), true));
    return () => {
        const status = city[`smallcity_${name}`](call);
        if (status !== DONE) throw new Error(`${name} refused: ${status}`);
    };
}

const game = room(BYTES), legal = room(ACTIONS), action = room(8), stream = room(8);
const scores = room(8 * SEATS), places = room(8 * SEATS);
const begin = bind("new", game, 1, legal, 1, ACTIONS);
const choose = bind("pick", legal, 1, ACTIONS, stream, 1, action, 1);
const play = bind("step", game, 1, action, 1, legal, 1, ACTIONS);
const count = bind("score", game, 1, scores, 1, SEATS, places, 1, SEATS);

bytes.set(first, game);
memory.setBigUint64(stream, BigInt(seed), true);
let decisions = 0;
for (begin(); bytes.subarray(legal, legal + ACTIONS).includes(1); decisions++) {
    choose();
    play();
}
count();
const won = Array.from({ length: SEATS }, (_, seat) => memory.getBigInt64(scores + 8 * seat, true));
console.log(`${decisions} decisions, scores ${won.join(" ")}`);
if (end) writeFileSync(end, bytes.subarray(game, game + BYTES));
