"""A masking as a step of a scikit-learn pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import Any, Literal

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from discreet import seeds
from discreet.errors import BadParameter, BadTable
from discreet.plan import Plan, StepText
from discreet.protection import protect
from discreet.seeds import Seed
from discreet.table import IDENTIFYING, Scale, Table, native_frame

NEW_RECORDS = ("masked", "original")


class SecretSeed(int):
    """A seed that nothing shows: pipelines and searches print the parameters of their steps."""

    def __repr__(self) -> str:
        return "secret"


class Masker(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A scikit-learn transformer that masks a table under a plan and keeps its records in order.

    Masking is of a table and not learned: `fit` only checks that the plan fits the columns, and keeps nothing of the
    records. `fit_transform`, which a pipeline calls with its training data, masks those. What `transform` does with
    other records is for `new_records` to say. They are "masked" as a table of their own, as if they were all there is,
    so that a group of k comes from among them and too few of them are an error. Or they are taken as the "original"
    that they are, as when a model that learned from masked data is asked about real people. With "original",
    `transform` protects nobody, and its result must not be published.

    `plan` is a Plan or its steps. `roles`, `scales`, `ontologies` and `rest` describe the columns as in `Table.of`; a
    column of an array is called x0, x1 and so on, and one that no role is given for is a quasi-identifier. The result
    is of the kind that came in: pandas with its index, polars, Arrow or NumPy. Identifiers and free text are dropped;
    `y` is left as it is. A plan that drops or adds records is refused, because `y` would no longer fit.

    The seed is secret and drawn anew for each table unless it is given. With a seed, a table is masked in the same way
    again; two tables that were masked with one seed must not both be published. It is not called random_state, because
    scikit-learn would set that to one of few numbers, which can be guessed.

    >>> import numpy as np
    >>> Masker(["microaggregate k=2"]).fit_transform(np.array([[1.0], [3.0], [11.0], [13.0]])).tolist()
    [[2.0], [2.0], [12.0], [12.0]]
    """

    def __init__(
        self,
        plan: Plan | Iterable[StepText],
        *,
        roles: Mapping[str, str] | None = None,
        scales: Mapping[str, str] | None = None,
        ontologies: Mapping[str, str] | None = None,
        rest: str | None = "quasi-identifier",
        new_records: Literal["masked", "original"] = "masked",
        seed: Seed = None,
    ) -> None:
        self.plan = plan
        self.roles = roles
        self.scales = scales
        self.ontologies = ontologies
        self.rest = rest
        self.new_records = new_records
        self.seed = seed

    def __setattr__(self, name: str, value: Any) -> None:
        hidden = name == "seed" and type(value) is int
        super().__setattr__(name, SecretSeed(value) if hidden else value)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """One line without the parameters of the plan, which can repeat cells; scikit-learn would print them all."""
        return f"Masker({_plan_words(self.plan)})"

    def fit(self, X: Any, y: Any = None) -> Masker:
        """The masker, once the plan is known to fit the columns of X; nothing is learned and nothing masked."""
        if self.new_records not in NEW_RECORDS:
            raise BadParameter("Masker: new_records must be 'masked' or 'original'.")
        plan = self.plan if isinstance(self.plan, Plan) else Plan.of(self.plan)
        _check_rows_kept(plan)
        seeds.check(self.seed)
        table = self._table(X, reset=True)
        plan.check(table)
        self.plan_ = plan
        self.names_out_ = tuple(
            each.name for each in table.columns if each.role not in IDENTIFYING and each.scale != Scale.TEXT
        )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """X masked, in the same order and of the same kind; y is left as it is."""
        return self.fit(X, y)._masked(X)

    def transform(self, X: Any) -> Any:
        """X masked as a table of its own, or with new_records="original" the same columns as they are."""
        check_is_fitted(self)
        return self._masked(X) if self.new_records == "masked" else self._original(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns that are left: all but identifiers and free text."""
        check_is_fitted(self)
        return np.array(self.names_out_, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.non_deterministic = self.seed is None
        return tags

    def _masked(self, X: Any) -> Any:
        table = self._table(X, reset=False)
        seed = None if self.seed is None else int(self.seed)
        release = protect(table, self.plan_, seed=seed, order="kept")
        if release.secrets.origin is not None:
            raise BadParameter(
                f"Masker: the plan made {len(release.table)} records of {len(table)}, and y would no longer fit. Give "
                "parameters that keep one record for each, or mask with protect before the pipeline."
            )
        return _like(release.table.frame, X, self._output_kind(X))

    def _original(self, X: Any) -> Any:
        frame = self._table(X, reset=False).frame.select(self.names_out_)
        return _like(frame, X, self._output_kind(X))

    def _output_kind(self, X: Any) -> str:
        """The kind of the result: that of `set_output`, where it was called, and else that of X.

        scikit-learn itself would turn a frame of another kind into one without the types of its columns.
        """
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        kind = chosen or get_config()["transform_output"]
        return _kind_of(X) if kind == "default" else str(kind)

    def _table(self, X: Any, *, reset: bool) -> Table:
        """X as a table, its columns checked against those of fit unless they are set anew."""
        if _kind_of(X) != "numpy":
            validate_data(self, X, reset=reset, skip_check_array=True)
            values = X
        else:
            values = _named(validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan"))
        return Table.of(
            values,
            roles=self.roles or {},
            scales=self.scales,
            ontologies=self.ontologies,
            rest=self.rest,
        )


def _plan_words(plan: Plan | Iterable[StepText]) -> str:
    """The methods of a plan; steps that were not read yet are only counted."""
    if isinstance(plan, Plan):
        return " | ".join(step.name for step in plan.steps) or "nothing"
    return f"{len(plan)} steps" if isinstance(plan, Sized) else "steps"


def _check_rows_kept(plan: Plan) -> None:
    for step in plan.steps:
        if not step.method.keeps_rows:
            raise BadParameter(
                f"Masker: {step.name} does not keep one record for each, and y would no longer fit. Take it out of the "
                "plan, or mask with protect before the pipeline."
            )


def _kind_of(X: Any) -> str:
    """The library that a frame is of: pandas, polars or pyarrow; all else is taken as an array of numpy."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return str(frame.implementation) if isinstance(frame, nw.DataFrame) else "numpy"


def _named(array: NDArray[Any]) -> pl.DataFrame:
    """The columns of an array under the names that scikit-learn gives to columns without one."""
    columns = {}
    for place, column in enumerate(array.T):
        name = f"x{place}"
        try:
            columns[name] = pl.Series(name, column.tolist() if column.dtype == object else column)
        except TypeError:
            raise BadTable(f"Masker: column '{name}' holds values of several types.") from None
    return pl.DataFrame(columns)


def _like(frame: pl.DataFrame, X: Any, kind: str) -> Any:
    """The frame as one of this kind; pandas with the index of X, an array with the type of X where that can be."""
    if kind == "numpy":
        array, given = frame.to_numpy(), np.asarray(X).dtype
        return array.astype(given) if given.kind in "fO" and array.dtype.kind != "O" else array
    made = native_frame(frame, kind)
    if kind == "pandas" and hasattr(X, "iloc"):
        made.index = X.index
    return made
