"""Arrays and plain data as JSON and back, exactly: how an environment's state is written down.

Reading executes nothing, so a state may come from anywhere.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BrokenFile

SCALARS = (bool, int, float, str, type(None))


def is_plain(value: object) -> bool:
    """Whether `pack` can write a value down: numbers, texts, None, arrays and containers of these."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biuf"
    if type(value) in (list, tuple, set):
        return all(is_plain(item) for item in value)  # type: ignore[attr-defined]
    if type(value) is dict:
        return all(is_plain(key) and is_plain(item) for key, item in value.items())
    return type(value) in SCALARS


def pack(value: Any) -> Any:
    """A plain value as JSON data; what JSON lacks becomes an object with one key that says what it is."""
    if isinstance(value, np.ndarray):
        raw = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {"array": [value.dtype.str, list(value.shape), raw]}
    if isinstance(value, np.generic):
        return {"scalar": [value.dtype.str, base64.b64encode(value.tobytes()).decode("ascii")]}
    if isinstance(value, list):
        return [pack(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [pack(item) for item in value]}
    if isinstance(value, set):
        return {"set": sorted((pack(item) for item in value), key=repr)}
    if isinstance(value, dict):
        return {"dict": [[pack(key), pack(item)] for key, item in value.items()]}
    return value


def unpack(written: Any) -> Any:
    """The value that `pack` wrote down, its arrays fresh.

    Raises:
        BrokenFile: nothing that `pack` writes.
    """
    if isinstance(written, list):
        return [unpack(item) for item in written]
    if not isinstance(written, dict):
        return written
    try:
        (kind, body), *more = written.items()
        if not more:
            if kind == "array":
                dtype, shape, raw = body
                return _read(raw, dtype).reshape(shape)
            if kind == "scalar":
                return _read(body[1], body[0])[0]
            if kind == "tuple":
                return tuple(unpack(item) for item in body)
            if kind == "set":
                return {unpack(item) for item in body}
            if kind == "dict":
                return {unpack(key): unpack(item) for key, item in body}
    except (TypeError, ValueError, IndexError, binascii.Error) as cause:
        raise BrokenFile(f"a saved state cannot be read: {cause}") from cause
    raise BrokenFile(f"a saved state cannot be read: it has {sorted(written)} where data was expected")


def _read(raw: str, dtype_text: str) -> NDArray[Any]:
    """The numbers of a base64 text, a fresh array (n,)."""
    dtype = np.dtype(dtype_text)
    if dtype.kind not in "biuf":
        raise ValueError(f"dtype {dtype_text!r} holds no numbers")
    return np.frombuffer(base64.b64decode(raw, validate=True), dtype).copy()


def arrays_of(record: Any) -> dict[str, NDArray[Any]]:
    """The arrays of a dataclass by name, not copied."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Named arrays as JSON data."""
    return {name: pack(array) for name, array in arrays.items()}


def unpack_arrays(written: Any) -> dict[str, NDArray[Any]]:
    """The named arrays that `pack_arrays` wrote down.

    Raises:
        BrokenFile: something else was.
    """
    if not isinstance(written, dict):
        raise BrokenFile(f"a saved state cannot be read: arrays were expected, not {type(written).__name__}")
    arrays = {name: unpack(body) for name, body in written.items()}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            kind = type(array).__name__
            raise BrokenFile(f"a saved state cannot be read: {name!r} is a {kind}, not an array")
    return arrays


def check_arrays(own: Mapping[str, NDArray[Any]], read: Mapping[str, NDArray[Any]]) -> None:
    """Makes sure that arrays read can take the place of one's own.

    Raises:
        BrokenFile: other names, shapes or dtypes.
    """
    if own.keys() != read.keys():
        raise BrokenFile(f"a saved state has the arrays {sorted(own)}, not {sorted(read)}")
    for name, array in own.items():
        came = read[name]
        if (came.dtype, came.shape) != (array.dtype, array.shape):
            raise BrokenFile(
                f"array {name!r} of a saved state is {array.dtype} of shape {array.shape},"
                f" not {came.dtype} of shape {came.shape}"
            )
