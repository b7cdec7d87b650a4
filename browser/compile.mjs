// Compiles the Python files of folders by the Python they will run on, each into one archive.
//
//   node compile.mjs pyodide/ app/ app.tar.gz standard/ python_stdlib.zip

import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, ...pairs] = process.argv.slice(2).map((name) => resolve(name));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
// Code knows its lines, not the columns in them: a quarter of its size.
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1" } });
const pack = python.runPython(`
import gzip
import io
import tarfile
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

READ = "smallcity_env/rules/modules/"  # their sources are read, too

def compiled(name, source):
    folder, _, file = name.rpartition("/")
    level = 0 if name.startswith("smallcity_") else 2  # others' docstrings and assertions are left out
    code = compile(source, name, "exec", dont_inherit=True, optimize=level)
    place = f"{folder}/__pycache__/{file[:-3]}.cpython-314.pyc" if name.startswith(READ) else f"{name}c"
    return place, _code_to_hash_pyc(code, bytes(8), False)

def files(folder):
    for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        if path.suffix == ".py":
            yield compiled(name, data)
        if path.suffix != ".py" or name.startswith(READ):
            yield name, data

def zipped(folder, archive):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in files(folder):
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

def tarred(folder, archive):
    with gzip.GzipFile(archive, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w|") as out:
        for name, data in files(folder):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            out.addfile(info, io.BytesIO(data))

def pack(folder, archive):
    (zipped if archive.endswith(".zip") else tarred)(folder, archive)

pack
`);
for (let n = 0; n < pairs.length; n += 2) {
  const [folder, archive] = [pairs[n], pairs[n + 1]];
  python.mountNodeFS(`/in${n}`, folder);
  python.mountNodeFS(`/out${n}`, dirname(archive));
  pack(`/in${n}`, `/out${n}/${basename(archive)}`);
}
