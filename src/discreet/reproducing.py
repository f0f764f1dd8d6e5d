"""The same work again: a release as command lines, and as a Python script that gives the same bytes.

Neither holds the secret seed: both take it from the private half of the release, where it stays.
"""

from __future__ import annotations

import pprint
import shlex
from pathlib import Path

import tomlkit

from discreet.errors import Mismatch
from discreet.project import Project
from discreet.release import Release

AGAIN = "again"
"""What stands after the name of the folder in which a release is made again."""
SCRIPT = '''"""Makes the release in {folder!r} again, and says whether every byte is the same.

Written by discreet {version}. The secret seed stays in the private half of the release, from where it is read.
"""

import hashlib
from pathlib import Path

import discreet as dc

PROJECT = """\\
{project}"""

again = Path({again!r})
settings = dc.Project.parse(PROJECT, {project_path!r})
table = dc.read({file!r}, project=settings)
plan = dc.Plan.of({steps})
first = dc.Release.load({folder!r})
release = dc.protect(table, plan, seed=first.secrets.seed, {options})
release.save(again, file={name!r}, spreadsheet_safe={spreadsheet_safe!r})

digest = hashlib.sha256((again / "public" / {name!r}).read_bytes()).hexdigest()
if digest != {digest!r}:
    raise SystemExit("The file is another one: the original, the project or a version of a library has changed.")
print("The same file, byte for byte:", again / "public" / {name!r})
'''


def commands_of(release: Release, project: Project, *, folder: str, file: str) -> list[str]:
    """The command lines that make the release in `folder` again from the original `file`, and compare the two files.

    Raises Mismatch where the project has another plan by now, or where the private half of the release is not here.
    """
    if project.plan.to_dict() != release.secrets.plan.to_dict():
        raise Mismatch(
            f"the plan in {project.path.name} is not the one that the release was made with, so that its command would "
            "make another file. The script holds the plan of the release."
        )
    _policy_of(release, project)
    name = _file(release)[0]
    seed, repeated = f"{folder}.seed", f"{folder}-{AGAIN}"
    made = [
        "discreet",
        "protect",
        file,
        "--project",
        str(project.path),
        "--seed-file",
        seed,
        "--out",
        repeated,
        *(part for column in _sanitised(release, project) for part in ("--sanitise-text", column)),
    ]
    return [
        shlex.join(["discreet", "reproduce", folder, "--original", file, "--seed-to", seed]),
        shlex.join(made),
        shlex.join(["cmp", f"{folder}/public/{name}", f"{repeated}/public/{name}"]),
        shlex.join(["rm", seed]),
    ]


def _sanitised(release: Release, project: Project) -> list[str]:
    """The columns that were sanitised because the command said so, and not the project."""
    return [name for name in release.manifest.sanitised if name not in project.release.sanitise_text]


def _policy_of(release: Release, project: Project) -> str | None:
    """The policy of the project; Mismatch where columns of text were sanitised by one of another name."""
    given, made_by = project.release.policy, release.manifest.policy
    if made_by and made_by != (Path(given).stem if given else ""):
        raise Mismatch(
            f"columns of text were sanitised by policy '{made_by}', which {project.path.name} does not name. Put "
            "policy = ... under [release] there, and ask again."
        )
    return given


def script_of(release: Release, project: Project, *, folder: str, file: str) -> str:
    """A Python script that makes the release in `folder` again from the original `file`, and says whether it did.

    The plan is that of the release, and what the project says of the columns stands in the script. Raises Mismatch
    where the private half of the release is not here.
    """
    from discreet import __version__

    kept = project.release
    options = {
        "order": release.manifest.order,
        "pseudonymise": list(kept.pseudonymise),
        "publish_text": list(kept.publish_text),
        "sanitise_text": [*kept.sanitise_text, *_sanitised(release, project)],
        **({"policy": policy} if (policy := _policy_of(release, project)) else {}),
    }
    steps = [
        (step.name, {key: value for key, value in step.to_dict().items() if key != "method"})
        for step in release.secrets.plan.steps
    ]
    name, digest = _file(release)
    sections = {key: value for key, value in project.to_dict().items() if key in ("read", "columns")}
    return SCRIPT.format(
        version=__version__,
        project=tomlkit.dumps(sections).replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
        project_path=str(project.path),
        folder=folder,
        again=f"{folder}-{AGAIN}",
        file=file,
        steps=pprint.pformat(steps, width=100, sort_dicts=False),
        options=", ".join(f"{key}={value!r}" for key, value in options.items()),
        name=name,
        digest=digest,
        spreadsheet_safe=kept.spreadsheet_safe,
    )


def _file(release: Release) -> tuple[str, str]:
    """The name and the digest of the published file."""
    if release.manifest.file is None:
        raise Mismatch("this release was never saved, so there is no file that could be made again.")
    return release.manifest.file.name, release.manifest.file.digest
