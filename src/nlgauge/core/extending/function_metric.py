"""Make a metric of a function: `@metric(name="len-ratio")` above f(hypothesis, references)."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from nlgauge.core import options, registry
from nlgauge.core.extending.function_hash import function_hash
from nlgauge.core.info import Info, Input
from nlgauge.core.metric import Mean
from nlgauge.data.corpus import Corpus
from nlgauge.errors import MetricFailed, SpecError
from nlgauge.kernels import Floats

# What a function may ask for by the names of its parameters, and the column that has it.
INPUTS: dict[str, Input] = {
    "references": "references",
    "source": "sources",
    "context": "contexts",
    "table": "tables",
}
OPTION_TYPES = (bool, int, float, str)


class FunctionMetric(Mean[None]):
    """A metric that a function computes; the score of a system is the mean of its segments."""

    function: ClassVar[Callable[..., Any]]
    inputs: ClassVar[tuple[str, ...]]  # the parameters after the hypothesis
    batches: ClassVar[bool]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function itself, as if it were no metric."""
        return type(self).function(*arguments, **options)

    def resources(self) -> dict[str, str]:
        """Return a hash of the function, so that another one has another signature."""
        return {"code": function_hash(type(self).function)}

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the score of each segment, and 1."""
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        columns = [list(corpus.hypotheses)]
        columns += [list(getattr(corpus, INPUTS[name])) for name in self.inputs]
        call = type(self).function
        if self.batches:
            scores = list(call(*columns, **given))
            if len(scores) != len(corpus):
                raise MetricFailed(
                    f"{self.info.name} returned {len(scores)} scores for {len(corpus)} segments; "
                    "return one for each"
                )
        else:
            scores = [call(*row, **given) for row in zip(*columns, strict=True)]
        return np.array([[_number(score), 1.0] for score in scores])


def metric(
    name: str | None = None,
    *,
    higher_is_better: bool = True,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    scale: float = 1.0,
    batches: bool = False,
    title: str = "",
    paper: str = "",
    tasks: Sequence[str] = (),
    revision: int = 1,
) -> Callable[[Callable[..., Any]], FunctionMetric]:
    """Make a metric of the function below; from then on it is known by its name, too.

    The function takes a hypothesis and, by these names, as many as it wants of `references` (a list
    of str), `source`, `context` and `table`; it returns a number. With `batches` it is given lists
    of all segments and returns a list. Parameters after `*` are options, with a default.

    >>> @nlgauge.metric("vowels", higher_is_better=False)
    ... def vowels(hypothesis, *, wanted: str = "aeiou"):
    ...     return sum(letter in wanted for letter in hypothesis)
    >>> table = nlgauge.score(["a cute cat"], ["the cat"], metrics=["vowels", "vowels(wanted=a)"])
    >>> table["vowels"].score, table["vowels(wanted=a)"].score
    (4.0, 2.0)
    """

    def made(function: Callable[..., Any]) -> FunctionMetric:
        called = name or function.__name__.replace("_", "-")
        inputs, fields = _parameters(called, function)
        info = Info(
            name=called,
            title=title or called,
            family="given",
            cell="",
            tasks=tuple(tasks),
            higher_is_better=higher_is_better,
            bounds=bounds,
            scale=scale,
            needs=tuple(INPUTS[parameter] for parameter in inputs),
            paper=paper,
            checked_against="",
            revision=revision,
        )
        members = {
            "info": info,
            "function": staticmethod(function),
            "inputs": inputs,
            "batches": batches,
            "__doc__": inspect.getdoc(function) or f"The metric that {called} computes.",
            "__module__": function.__module__,
        }
        bases = (FunctionMetric,)
        cls = dataclasses.make_dataclass(
            called, fields, bases=bases, namespace=members, frozen=True, kw_only=True
        )
        cls.__module__, cls.__qualname__ = function.__module__, function.__qualname__
        registry.register(called, cls)
        own: FunctionMetric = cls()
        return own

    if callable(name):
        raise SpecError("write @nlgauge.metric(), with brackets")
    return made


def _parameters(
    name: str, function: Callable[..., Any]
) -> tuple[tuple[str, ...], list[tuple[str, Any, Any]]]:
    """Return the texts that a function asks for, and its options as fields of a dataclass."""
    hints = typing.get_type_hints(function, vars(sys.modules.get(function.__module__, options)))
    inputs, fields = [], []
    first, *others = inspect.signature(function).parameters.values()
    for parameter in others:
        if parameter.kind is parameter.KEYWORD_ONLY:
            default = parameter.default
            hint = hints.get(parameter.name, type(default))
            if default is parameter.empty or not _is_option(hint):
                raise SpecError(
                    f"{name}: the option {parameter.name!r} needs a default, and one of the types "
                    "bool, int, float, str, or a Literal of them"
                )
            fields.append((parameter.name, hint, options.option(default, "an option of its own")))
        elif parameter.name in INPUTS:
            inputs.append(parameter.name)
        else:
            raise SpecError(
                f"{name}: the parameter {parameter.name!r} is not known; after the hypothesis "
                f"({first.name!r}) there may be {', '.join(INPUTS)}, and options after *"
            )
    return tuple(inputs), fields


def _is_option(hint: Any) -> bool:
    return hint in OPTION_TYPES or typing.get_origin(hint) is typing.Literal


def _number(score: Any) -> float:
    try:
        return float(score)
    except (TypeError, ValueError):
        raise TypeError(f"{score!r:.40} is no number") from None
