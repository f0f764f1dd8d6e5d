"""The process that draws: a chart on each line of its input, a picture on each line of its output.

It runs as a script of its own and knows nothing of discreet, so that it starts fast; `drawing` starts it.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any


def main() -> None:
    """Draws until there is nothing more to read."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What the renderer itself might print is no answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin.buffer:
        answers.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
        answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, str]:
    """The picture; or that there is none, without what the renderer says of it, which may quote the data."""
    import vl_convert

    chart, version = request["chart"], request["version"]
    try:
        if request["form"] == "svg":
            made = vl_convert.vegalite_to_svg(chart, vl_version=version).encode()
        elif request["form"] == "png":
            made = vl_convert.vegalite_to_png(chart, vl_version=version, scale=2)
        elif request["form"] == "pdf":
            made = vl_convert.vegalite_to_pdf(chart, vl_version=version)
        else:
            made = vl_convert.vegalite_to_html(chart, vl_version=version, bundle=True).encode()
    except ValueError:
        return {"failed": "the renderer refused it"}
    return {"picture": base64.b64encode(made).decode()}


if __name__ == "__main__":
    main()
