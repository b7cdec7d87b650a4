// Starts Python with our files. Its memory can be kept then, and put back instead of starting anew.

import { loadPyodide } from "./pyodide/pyodide.mjs";

// The files and the memory are promises.
export async function start(create, archive, memory) {
  async function createPyodideModule(settings) {
    settings.preRun.push(async (module) => {
      module.addRunDependency("files");
      unpack(module, await archive);
      module.removeRunDependency("files");
    });
    const module = await create(settings);
    if (memory) module.growMemory((await memory).length); // Pyodide itself does not
    return module;
  }
  const python = await loadPyodide({ createPyodideModule, _makeSnapshot: !memory, _loadSnapshot: memory });
  if (!memory) python.runPython("import sys; sys.path.insert(0, '/app'); import answer; answer.rehearse()");
  return python;
}

// Libraries are linked before Python starts, so that kept memory finds them at the same addresses.
function unpack(module, archive) {
  for (const [name, bytes] of files(archive)) {
    const path = `/app/${name}`;
    module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    module.FS.writeFile(path, bytes, { canOwn: true });
    if (!name.endsWith(".so")) continue;
    module.newDSO(path, undefined, module.loadWebAssemblyModule(bytes, { nodelete: true }, path, {}));
  }
}

function* files(tar) {
  const field = (at, length) => new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*/s, "");
  for (let at = 0; tar[at]; ) {
    const size = parseInt(field(at + 124, 12), 8);
    yield [field(at, 100), tar.subarray(at + 512, at + 512 + size)];
    at += 512 * (1 + Math.ceil(size / 512));
  }
}
