"""Arrays in files (.npy)."""

import ast
from struct import unpack

from ..arrays import from_bytes
from ..dtypes import dtype


class _Text:
    """A type of letters: 4 bytes each."""

    def __init__(self, kind):
        self.itemsize = 4 * int(kind[2:])


def read_magic(file):
    magic = file.read(8)
    if magic[:6] != b"\x93NUMPY":
        raise ValueError("this is not an array")
    return magic[6], magic[7]


def _header(file, size):
    (length,) = unpack("<H" if size == 2 else "<I", file.read(size))
    about = ast.literal_eval(file.read(length).decode("latin1"))
    return about["shape"], about["fortran_order"], about["descr"]


def _typed(shape, order, kind):
    return shape, order, _Text(kind) if "U" in kind else dtype(kind)


def read_array_header_1_0(file):
    return _typed(*_header(file, 2))


def read_array_header_2_0(file):
    return _typed(*_header(file, 4))


def read_array(file, allow_pickle=False):
    version = read_magic(file)
    shape, _, kind = (read_array_header_1_0 if version == (1, 0) else read_array_header_2_0)(file)
    data = file.read()
    return data.decode("utf-32-le").rstrip("\0") if isinstance(kind, _Text) else from_bytes(data, kind, shape)
