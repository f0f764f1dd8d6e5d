"""`discreet methods`: what can be asked for, from the registry."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet import registry
from discreet.cli import options, show
from discreet.errors import UnknownMethod, did_you_mean
from discreet.registry import Family, Method

KINDS: tuple[Family, ...] = ("mask", "attack", "loss")


def methods(
    name: Annotated[str | None, typer.Argument(help="One method, to see its parameters.")] = None,
    json: options.AsJson = False,
) -> None:
    """List the masks, attacks and losses, or tell all about one of them."""
    every = {kind: registry.methods(kind) for kind in KINDS}
    if name is None:
        if json:
            show.as_json({kind: [each.to_dict() for each in found] for kind, found in every.items()})
            return
        for kind, found in every.items():
            listed = show.grid(kind, "name", "what it gives")
            for each in found:
                listed.add_row(each.name, each.summary)
            show.out.print(listed, "")
        return
    chosen = [each for found in every.values() for each in found if each.name == name]
    if not chosen:
        known = [each.name for found in every.values() for each in found]
        raise UnknownMethod(
            f"there is no method '{name}'.{did_you_mean(name, known)} `discreet methods` lists all."
        )
    if json:
        show.as_json([each.to_dict() for each in chosen])
        return
    for each in chosen:
        _tell(each)


def _tell(method: Method) -> None:
    show.out.print(f"{method.name} ({method.kind}, {method.family})", style="bold")
    show.out.print(method.summary)
    if method.meaning:
        show.out.print(f"Its number: {method.meaning}.")
    show.out.print(f"Columns: {', '.join(sorted(method.scales))}. Missing values: {method.missing}.")
    for guarantee in method.guarantees:
        show.out.print(f"Guarantees: {guarantee}.")
    for property_ in method.by_design:
        show.out.print(f"By design: {property_}.")
    listed = show.grid("", "parameter", "default", "what it is")
    for parameter in method.parameters:
        default = "needed" if parameter.required else str(parameter.to_dict()["default"])
        listed.add_row(parameter.name, default, f"{parameter.kind.about}; {parameter.kind.wants()}")
    show.out.print(listed)
    for source in method.cites:
        show.out.print(f"See: {source}")
