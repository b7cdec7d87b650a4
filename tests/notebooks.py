"""The notebooks, executed from a clean kernel; what they show is stored in them.

python -m tests.notebooks                # after a change of what they show: all of them
python -m tests.notebooks 02_godzilla    # or some
"""

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LONGEST = 1800  # seconds after which a cell hangs, however busy the machine is
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def read(path: Path) -> Any:
    """A notebook as it is stored."""
    return nbformat.read(path, as_version=4)


def executed(path: Path, folder: Path) -> Any:
    """A notebook with the outputs of a fresh run, in a folder where it may write."""
    notebook = read(path)
    where = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    where |= {"IPYTHONDIR": str(folder / "ipython"), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    client = NotebookClient(
        notebook,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
        timeout=LONGEST,
        record_timing=False,
    )
    client.execute(env=os.environ | where)
    return notebook


def store(path: Path, notebook: Any) -> None:
    """Write a notebook without metadata of the machine it ran on."""
    notebook.metadata = nbformat.from_dict(KERNEL | {"language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
    nbformat.write(notebook, path)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for file in NOTEBOOKS:
        if len(sys.argv) == 1 or file.stem in sys.argv[1:]:
            with TemporaryDirectory() as name:
                store(file, executed(file, Path(name)))
            print(f"{file.name}: {file.stat().st_size // 1024} KB")
