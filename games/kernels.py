"""The one way a Numba kernel is declared here, and the array aliases kernels and games share.

Kernels are cached on disk and release the GIL. They allocate nothing, use no fast-math, and take the
arrays they write to first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])

Chips: TypeAlias = NDArray[np.int64]
Stakes: TypeAlias = NDArray[np.int16]
Counts: TypeAlias = NDArray[np.int8]
Flags: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.int64]
Keys: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Features: TypeAlias = NDArray[np.float32]


def kernel(function: F) -> F:
    """Compiles a function with Numba on first use; cached on disk, without the GIL."""
    return _compiled(function)


def dividing_kernel(function: F) -> F:
    """A kernel whose divisors are never 0, which is not checked: many divisions are then made at once."""
    return _compiled(function, error_model="numpy")


def inline_kernel(function: F) -> F:
    """A kernel small enough to be copied into its callers."""
    return _compiled(function, inline="always")


def _compiled(function: F, **options: Any) -> F:
    """Numba's dispatcher, with a cache that also notices changes outside the function's own file.

    Numba renews a cached kernel when its own file changes, but kernels also contain the kernels they call and
    the constants they name, wherever those stand. So the stamp in the cache is widened by a hash of them.
    """
    dispatcher = numba.njit(cache=True, nogil=True, **options)(function)
    cache_file = dispatcher._cache._cache_file
    parts = hashlib.sha256(repr(cache_file._source_stamp).encode())
    for name in sorted(set(function.__code__.co_names)):
        used: Any = function.__globals__.get(name)
        if hasattr(used, "py_func"):  # another kernel
            parts.update(_STAMPS[used.py_func].encode())
        elif isinstance(used, np.ndarray):
            parts.update(used.tobytes())
        elif isinstance(used, int | float | np.generic):
            parts.update(repr(used).encode())
    _STAMPS[function] = parts.hexdigest()
    cache_file._source_stamp = _STAMPS[function]
    return cast(F, dispatcher)


_STAMPS: dict[Callable[..., Any], str] = {}  # what each kernel was made of


def picked(array: NDArray[Any], rows: Rows) -> NDArray[Any]:
    """A fresh array of these rows, ascending and each once: so many rows as there are must be all of them.

    Copied as a block or by `take`; unlike ``array[rows]`` both leave the GIL to others meanwhile.
    """
    return array.copy() if len(rows) == len(array) else array.take(rows, axis=0)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, closed for writing."""
    array.flags.writeable = False
    return array
