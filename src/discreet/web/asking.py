"""What the pages ask of the library, each as a command that one can type as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from discreet.digests import digest_of
from discreet.distributions import NOT_SHOWN
from discreet.manifest import PUBLIC_NAME
from discreet.web.desk import Subject
from discreet.web.work import Work

DESCRIBED = ("read", "columns")
"""The sections of a project that say what a file holds."""
JUDGED = (*DESCRIBED, "assess")
MOST_LINES = 200
"""Lines of a tree that a page shows."""


def inspect_work(subject: Subject) -> Work:
    """Proposing roles and scales, and writing them as the project of a table that has none."""
    return Work(
        name="inspect",
        says=f"Proposing roles for the columns of {subject.name}",
        arguments=(
            "inspect",
            subject.file,
            "--quick",
            "--out",
            subject.desk.given(subject.project_file),
            "--json",
        ),
        depends_on={"file": subject.desk.digest(subject.table)},
    )


def columns_work(subject: Subject) -> Work:
    """Looking at every column."""
    shown = {
        name: [each.scale, each.order, each.role in NOT_SHOWN]
        for name, each in subject.project.columns.items()
    }
    made = subject.work(
        "columns",
        f"Looking at the columns of {subject.name}",
        "columns",
        subject.file,
        "--json",
        parts=("read",),
    )
    return replace(made, depends_on={**made.depends_on, "shown": digest_of(shown)})


def further_work(subject: Subject, *, tried: bool) -> Work:
    """Going on from the project of a table: columns it does not describe, and where `tried` a plan for all of them."""
    assess = subject.project.assess
    limits = [("--ceiling", f"{name}={bound:g}") for name, bound in assess.ceilings.items()]
    limits += [("--floor", f"{name}={bound:g}") for name, bound in assess.floors.items()]
    says = (
        f"Trying plans for {subject.name}"
        if tried
        else f"Looking at what the project of {subject.name} lacks"
    )
    made = subject.work(
        "plans" if tried else "further",
        says,
        "inspect",
        subject.file,
        *(each for pair in limits for each in pair if tried),
        *(() if tried else ("--quick",)),
        "--out",
        subject.desk.given(further_place(subject, tried=tried)),
        "--force",
        "--json",
    )
    return replace(made, depends_on={**made.depends_on, "project": subject.version})


def further_place(subject: Subject, *, tried: bool) -> Path:
    """Where the project that is proposed waits to be taken over."""
    key = digest_of([subject.name, subject.version, tried])[:24]
    return subject.desk.folder.own_folder("proposals") / f"{key}.toml"


def hierarchy_work(subject: Subject, column: str, way: Mapping[str, str]) -> Work:
    """Building the hierarchy of a column in this way, or checking a file of levels against it."""
    built = ("--out", subject.desk.given(hierarchy_place(subject, column, way)), "--force")
    made = subject.work(
        "hierarchy",
        f"Building the hierarchy of {column}",
        "hierarchy",
        *(f"--{name}={'./' * (name == 'from')}{value}" for name, value in way.items()),
        *(() if "from" in way else built),
        *("--tree", "--lines", str(MOST_LINES), "--json"),
        parts=DESCRIBED,
    )
    file = {
        name: subject.desk.digest(subject.desk.folder.inside(value))
        for name, value in way.items()
        if name == "from"
    }
    return replace(
        made,
        arguments=(*made.arguments, "--", subject.file, column),
        depends_on={**made.depends_on, **file},
    )


def hierarchy_place(subject: Subject, column: str, way: Mapping[str, str]) -> Path:
    """Where a hierarchy that was built waits to be used."""
    about = [subject.desk.digest(subject.table), column, dict(way), subject.project.to_dict().get("columns")]
    return subject.desk.folder.own_folder("hierarchies") / f"{digest_of(about)[:24]}.csv"


def exposure_work(subject: Subject) -> Work:
    """How exposed the file is as it is, and which columns single records out."""
    asked = ("--attack", "identity", "--attack", "attribute", "--attack", "suda", "--loss", "lost")
    says = f"Attacking {subject.name} as it is"
    return subject.work("exposure", says, "assess", subject.file, *asked, "--json", parts=DESCRIBED)


def report_work(
    subject: Subject, release: Path, audience: Literal["internal", "external"] = "internal"
) -> Work:
    """Attacking a release and measuring what is lost, as the report tells it."""
    name = subject.desk.folder.name_of(release)
    place = subject.desk.folder.own_folder("reports") / f"{name.replace('/', '_')}.{audience}.html"
    made = subject.work(
        f"report {audience}",
        f"Attacking the release {name}",
        "report",
        subject.desk.given(release),
        "--original",
        subject.file,
        "--audience",
        audience,
        "--out",
        f"./{place.relative_to(subject.desk.root).as_posix()}",
        "--force",
        "--json",
        parts=JUDGED,
    )
    return replace(made, depends_on={**made.depends_on, "release": _manifest_digest(subject, release)})


def records_work(subject: Subject, release: Path) -> Work:
    """Writing down the risk of every record of a release, by its row in the original: for the owner alone."""
    name = subject.desk.folder.name_of(release)
    made = subject.work(
        "records",
        f"Writing the risk of each record of {name}",
        "assess",
        subject.desk.given(release),
        "--original",
        subject.file,
        "--records",
        subject.desk.given(records_place(subject, release)),
        "--force",
        "--json",
        parts=JUDGED,
    )
    return replace(made, depends_on={**made.depends_on, "release": _manifest_digest(subject, release)})


def records_place(subject: Subject, release: Path) -> Path:
    """Where the risk of every record is kept, for the owner alone."""
    key = digest_of([subject.name, subject.desk.folder.name_of(release)])[:24]
    return subject.desk.folder.own_folder("records") / f"{key}.csv"


def coalition_work(subject: Subject, releases: Sequence[Path], column: str, match: str) -> Work:
    """Rebuilding a column from several releases, as somebody would who has them all."""
    names = [subject.desk.folder.name_of(each) for each in releases]
    made = subject.work(
        "coalition",
        f"Rebuilding {column} from {len(names)} releases",
        "coalition",
        *map(subject.desk.given, releases),
        "--original",
        subject.file,
        f"--column={column}",
        *((f"--match={match}",) if match else ()),
        "--json",
        parts=DESCRIBED,
    )
    about = {name: _manifest_digest(subject, each) for name, each in zip(names, releases, strict=True)}
    return replace(made, depends_on={**made.depends_on, **about})


def preview_work(subject: Subject, records: int | None) -> Work:
    """What each step of the plan does, on so many records or on all."""
    asked = ("--all",) if records is None else ("--records", str(records))
    on = "all records" if records is None else f"{records:,} records"
    says = f"Trying the plan on {on} of {subject.name}"
    return subject.work(
        "preview", says, "preview", subject.file, *asked, "--json", parts=(*JUDGED, "mask", "release")
    )


def protect_work(
    subject: Subject, release: str, once: str, upto: int | None = None, *, signed: bool = False
) -> Work:
    """Making a release of a table under its plan, or under its first steps only; signed by the key of the desk."""
    says = f"Making the release {release}"
    return subject.work(
        "protect",
        says,
        "protect",
        subject.file,
        "--out",
        f"./{release}",
        *(() if upto is None else ("--upto", str(upto))),
        *(("--sign", subject.desk.given(subject.desk.key)) if signed else ()),
        "--json",
        parts=("mask",),
        once=once,
    )


def search_work(subject: Subject, wish: Wish) -> Work:
    """Looking for a plan; a search that was stopped goes on from its journal."""
    journal = wish.journal(subject)
    limits = [("--ceiling", f"{name}={bound:g}") for name, bound in wish.ceilings.items()]
    limits += [("--floor", f"{name}={bound:g}") for name, bound in wish.floors.items()]
    limits += [("--importance", f"{name}={weight:g}") for name, weight in wish.importance.items()]
    methods = [("--method", name) for name in wish.methods]
    methods += [("--loss", wish.loss)] if wish.loss else []
    methods += [("--trials", str(wish.trials))] if wish.trials else []
    return subject.work(
        "search",
        f"Searching for a plan for {subject.name}",
        "search",
        subject.file,
        *(each for pair in (*limits, *methods) for each in pair),
        "--seconds",
        f"{wish.seconds:g}",
        "--journal",
        subject.desk.given(journal),
        "--out",
        subject.desk.given(journal.with_suffix(".toml")),
        "--force",
        "--json",
        parts=JUDGED,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a search is after, and how long it may look."""

    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    seconds: float
    methods: tuple[str, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)
    loss: str = ""
    trials: int = 0

    def journal(self, subject: Subject) -> Path:
        """Where the search keeps its points: the same for the same question, however long it looks."""
        about = [self.ceilings, self.floors, self.methods, subject.project.to_dict().get("columns")]
        about += [self.importance] if self.importance else []
        about += [self.loss] if self.loss else []
        key = digest_of([*about, subject.desk.digest(subject.table), subject.project.to_dict().get("assess")])
        return subject.desk.folder.own_folder("search") / f"{key[:24]}.journal"


def reproduce_work(subject: Subject, release: Path) -> Work:
    """How a release is made again."""
    name = subject.desk.folder.name_of(release)
    made = subject.work(
        "reproduce",
        f"Writing down how {name} was made",
        "reproduce",
        name,
        "--original",
        subject.name,
        "--json",
        parts=("read", "columns", "mask", "release"),
    )
    return replace(made, depends_on={**made.depends_on, "release": _manifest_digest(subject, release)})


def verify_work(subject: Subject, release: Path) -> Work:
    """Checking a release as whoever receives it can, and with what its owner knows."""
    name = subject.desk.folder.name_of(release)
    published = {
        each.name: subject.desk.digest(each)
        for each in sorted((release / "public").iterdir())
        if each.is_file()
    }
    key = subject.desk.public_key
    by = ("--key", subject.desk.given(key)) if key.is_file() else ()
    return Work(
        name="verify",
        says=f"Checking {name}",
        arguments=("verify", subject.desk.given(release), *by, "--json"),
        depends_on=published | ({"key": subject.desk.digest(key)} if by else {}),
    )


def keygen_work(subject: Subject) -> Work:
    """Making the key of the desk, which signs releases, and its public half."""
    arguments = ("keygen", subject.desk.given(subject.desk.key), "--json")
    return Work(name="keygen", says="Making a key that signs releases", arguments=arguments)


def attack_work(subject: Subject, release: Path, intruder: Path, population: Path | None = None) -> Work:
    """Attacking a release as an intruder would of whom a file tells what they know; k_map counts in a population."""
    everybody = () if population is None else ("--population", subject.desk.given(population))
    name = subject.desk.folder.name_of(release)
    made = subject.work(
        "attack",
        f"Attacking {name} as this intruder",
        "attack",
        subject.desk.given(release),
        "--original",
        subject.file,
        "--intruder",
        subject.desk.given(intruder),
        *everybody,
        "--rows",
        "25",
        "--json",
        parts=DESCRIBED,
    )
    about = {"release": _manifest_digest(subject, release), "intruder": subject.desk.digest(intruder)}
    about |= {} if population is None else {"population": subject.desk.digest(population)}
    return replace(made, depends_on={**made.depends_on, **about})


def _manifest_digest(subject: Subject, release: Path) -> str:
    return subject.desk.digest(release / "public" / PUBLIC_NAME)
