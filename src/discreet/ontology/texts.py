"""Many texts in one block of bytes: quick to load, decoded one at a time when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Texts(Sequence[str]):
    """A frozen list of texts. Text i is the bytes from `offsets[i]` to `offsets[i + 1]`, as UTF-8."""

    block: bytes
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """The texts in the order given."""
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part) for part in parts], out=offsets[1:])
        return cls(b"".join(parts), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        if isinstance(position, slice):
            return [self[each] for each in range(*position.indices(len(self)))]
        if not -len(self) <= position < len(self):
            raise IndexError(position)
        return self._bytes(position % len(self)).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[position] for position in range(len(self)))

    def find(self, text: str) -> int:
        """The position of the text in sorted texts, or -1. UTF-8 bytes sort as their code points do."""
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == wanted else -1

    def _bytes(self, position: int) -> bytes:
        return self.block[self.offsets[position] : self.offsets[position + 1]]
