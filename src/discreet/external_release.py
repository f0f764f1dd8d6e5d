"""A file that another program masked, as a release whose making is not known."""

from __future__ import annotations

from discreet.errors import Mismatch
from discreet.manifest import PrivateManifest, PublicManifest
from discreet.plan import Plan
from discreet.release import Release
from discreet.table import Table


def external_release(masked: Table, original: Table) -> Release:
    """The masked table as a release of the original: row i belongs to row i, and nothing is known of how it was made.

    Raises Mismatch where the tables have different numbers of records or no column in common.
    """
    common = [name for name in masked.names if name in original.names]
    if not common:
        raise Mismatch(f"'{masked.name}' and the original '{original.name}' have no column in common.")
    if len(masked) != len(original):
        raise Mismatch(
            f"'{masked.name}' has {len(masked)} records and the original {len(original)}, so rows do not pair up. "
            "Without the manifest of a release, row i must belong to row i."
        )
    dropped = tuple(name for name in original.names if name not in masked.names)
    return Release(
        table=masked,
        manifest=PublicManifest(
            steps=(),
            columns=masked.columns,
            guarantees=(),
            dropped=len(dropped),
            pseudonymised=(),
            order="kept",
            rows_kept=True,
        ),
        private=PrivateManifest(
            seed=0,
            plan=Plan.of([]),
            original=original.source,
            original_records=len(original),
            dropped=dropped,
        ),
    )
