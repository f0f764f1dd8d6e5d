"""The process that tries to read a file: its bytes come in, and it lives to the end where they can be read.

It runs as a script of its own and knows nothing of discreet, so that it starts fast; `trial` starts it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

BYTES_A_CELL = 8


def main(kind: str, most: int) -> int:
    """0 where the file can be read; 1 where it is damaged. Says first how many cells the file claims to hold.

    Where these would take more than `most` bytes they are not read.
    """
    import polars as pl

    ways: dict[str, tuple[Callable[[io.BytesIO], object], Callable[[io.BytesIO], pl.LazyFrame] | None]] = {
        "parquet": (pl.read_parquet, pl.scan_parquet),
        "arrow": (pl.read_ipc, pl.scan_ipc),
        "arrow stream": (pl.read_ipc_stream, None),
    }
    parse, scan = ways[kind]
    raw = sys.stdin.buffer.read()
    try:
        if scan is not None:
            promised = scan(io.BytesIO(raw))
            cells = promised.select(pl.len()).collect().item() * len(promised.collect_schema())
            sys.stdout.write(str(cells))
            sys.stdout.flush()
            if BYTES_A_CELL * cells > most:
                return 0
        parse(io.BytesIO(raw))
    except (pl.exceptions.PolarsError, OSError):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
