"""Fit what tells turns of people from those of machines, and what compares whole dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn import functional

from nlgauge.data.contexts import Context
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes, Labels
from nlgauge.errors import DataError
from nlgauge.io.files import warn
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.cmade import FIGURES, dialogue_features
from nlgauge.metrics.dialogue.gan_d import inputs_of, turn_features
from nlgauge.metrics.dialogue.utterances import TextPlaces, Utterances
from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.predictors.predictor import Arrays, Scaler
from nlgauge.train.dialogue.dialogues import Dialogue
from nlgauge.train.dialogue.negatives import reply_rows
from nlgauge.train.dialogue.neighbours import shapley_values, smoothed
from nlgauge.train.dialogue.reply_recipe import DialogueRecipe, ReplyExamples
from nlgauge.train.judged_rows import JudgedRows, choose_criterion
from nlgauge.train.networks.epochs import EpochSettings, rows_held_out, train_epochs
from nlgauge.train.networks.regressors import LayeredNetwork
from nlgauge.train.recipe import FitRun

Tensor = Any
FAR = 0.5  # standard deviations between ratings of two dialogues that are compared


class GanRecipe(DialogueRecipe):
    """GAN-D learns from dialogues of people with machines whose turns are whose."""

    settings = EpochSettings(epochs=5, batch=64, rate=5e-4, average=0.99)
    negatives = ()
    per_dialogue = 1000

    def rows(
        self,
        dialogues: Sequence[Dialogue],
        seed: int,
        criterion: str | None = None,  # noqa: ARG002
    ) -> JudgedRows:
        """Return turns, those of people rated 1 and those of machines 0."""
        known = [d for d in dialogues if None not in d.speakers]
        if not known:
            raise DataError("gan-d: no dialogue says who speaks; give each turn its `speaker`")
        if len(known) < len(dialogues):
            warn(f"left out {len(dialogues) - len(known)} dialogues with turns of unknown speakers")
        return reply_rows(
            known,
            self.negatives,
            per_dialogue=self.per_dialogue,
            seed=seed,
            label=lambda dialogue, k: float(dialogue.is_human(k)),
        )

    def fit(self, prepared: ReplyExamples, ratings: Floats, run: FitRun) -> Arrays:
        """Train the network to tell people from machines."""
        torch.set_num_threads(1)
        torch.manual_seed(run.seed)
        human = torch.tensor(ratings > 0, dtype=torch.float32)
        module = self.module()
        train_epochs(
            module,
            lambda rows: self.outputs(module, prepared.said, np.array(rows)),
            ratings,
            self.settings,
            loss=lambda found, rows: functional.binary_cross_entropy_with_logits(
                found, human[rows]
            ),
            seed=run.seed,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        return packed_arrays(module.arrays())

    def module(self) -> LayeredNetwork:
        """Return one hidden layer on vectors, their distances and products, and three numbers."""
        return LayeredNetwork(
            inputs_of(self.metric.inputs()), [128], dropout=0.5, input_dropout=0.25
        )

    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the network on turns."""
        return module(torch.from_numpy(turn_features(said.take(examples))))


@dataclass(frozen=True, eq=False)
class DialogueExamples(ReplyExamples):
    """These are dialogues that were read, as they are and with an utterance of another's."""

    real: Floats  # [dialogues, features]
    changed: Floats


class CmadeRecipe(DialogueRecipe):
    """CMADE learns in three stages: real dialogues from changed ones; which of two is better, by
    ratings that are smoothed over neighbours; and the same without what misleads.
    """

    settings = EpochSettings(epochs=6, batch=64, rate=1e-3, average=0.98)
    negatives = ()
    choices: ClassVar = {
        "start": ("changed", "none"),
        "ratings": ("smoothed", "raw"),
        "kept": ("shapley", "all"),
    }

    def rows(
        self,
        dialogues: Sequence[Dialogue],
        seed: int,  # noqa: ARG002
        criterion: str | None = None,
    ) -> JudgedRows:
        """Return whole dialogues with their ratings by a criterion."""
        names = list(dict.fromkeys(name for d in dialogues for name in d.ratings))
        if not names:
            raise DataError("cmade: no dialogue is rated; give each its ratings as `human`")
        chosen = choose_criterion(criterion, names)
        rated = [d for d in dialogues if chosen in d.ratings]
        if len(rated) < len(dialogues):
            warn(f"left out {len(dialogues) - len(rated)} dialogues without ratings")
        turns = [list(zip(d.speakers, d.texts, strict=True)) for d in rated]
        return JudgedRows(
            corpus=Corpus.build([""] * len(rated), contexts=Context.build(turns=turns)),
            ratings=np.array([d.ratings[chosen] for d in rated]),
            groups=Labels.build(d.group for d in rated).codes,
            parts=Labels.build([""] * len(rated)),
            criterion=chosen,
        )

    def prepare(self, corpus: Corpus, *, threads: int) -> DialogueExamples:
        """Read all dialogues, and change each."""
        said = self.metric.read(corpus, threads=threads)
        return DialogueExamples(
            said, None, dialogue_features(said), dialogue_features(_changed(said))
        )

    def take(self, prepared: ReplyExamples, rows: Codes) -> DialogueExamples:
        """Return what some dialogues need."""
        assert isinstance(prepared, DialogueExamples)
        said = prepared.said.take(rows)
        return DialogueExamples(said, None, prepared.real[rows], prepared.changed[rows])

    def fit(self, prepared: ReplyExamples, ratings: Floats, run: FitRun) -> Arrays:
        """Train the three stages in turn."""
        assert isinstance(prepared, DialogueExamples)
        torch.set_num_threads(1)
        torch.manual_seed(run.seed)
        scaler = Scaler.standard(prepared.real)
        # Hundreds of numbers of vectors are not to outweigh the few others.
        scale = scaler.scale * np.where(np.arange(len(scaler.scale)) < FIGURES, 1.0, 5.0)
        scaler = replace(scaler, scale=scale)
        real, changed = (
            torch.tensor(scaler(part), dtype=torch.float32)
            for part in (prepared.real, prepared.changed)
        )
        module = self.module()
        if self.chosen["start"] == "changed":
            self._compare(module, real, changed, 5, run, "changed or not")
        every = np.arange(len(ratings))
        targets, few = ratings, self.settings.epochs // 3
        self._rank(module, real, targets, every, self.settings.epochs, run, "raw ratings")
        if self.chosen["ratings"] == "smoothed":
            # Neighbours are those of a network that ranked raw ratings: before, it knows changed
            # dialogues only, and neighbours are rated hardly more alike than others.
            targets = smoothed(_hidden(module, real), ratings)
            self._rank(module, real, targets, every, few, run, "smoothed ratings")
        if self.chosen["kept"] == "shapley":
            groups = [int(group) for group in run.groups]
            held = rows_held_out(groups, 0.2, run.seed)
            rest = np.setdiff1d(np.arange(len(ratings)), np.array(held, np.intp))
            if held:
                worth = shapley_values(_hidden(module, real), targets > np.median(targets), held)
                kept = rest[worth[rest] > 0]
                run.progress(f"{len(rest) - len(kept)} of {len(rest)} dialogues mislead")
                used = np.sort(np.concatenate([kept, held]))
                self._rank(module, real, targets, used, few, run, "without those")
        own = {"shift": scaler.shift, "scale": scaler.scale}
        return {**packed_arrays(module.arrays()), **own}

    def module(self) -> LayeredNetwork:
        """Return one hidden layer on numbers and mean vectors of a dialogue."""
        inputs = FIGURES + 2 * self.metric.inputs()
        return LayeredNetwork(inputs, [64], dropout=0.5, input_dropout=0.3)

    def _compare(
        self, module: Any, better: Tensor, worse: Tensor, epochs: int, run: FitRun, stage: str
    ) -> None:
        train_epochs(
            module,
            lambda rows: module(better[rows]) - module(worse[rows]),
            np.zeros(len(better)),
            replace(self.settings, epochs=epochs),
            loss=lambda found, _: functional.softplus(-found).mean(),
            seed=run.seed,
            progress=lambda line: run.progress(f"{stage}, {line}"),
        )

    def _rank(
        self,
        module: Any,
        real: Tensor,
        targets: Floats,
        rows: Codes,
        epochs: int,
        run: FitRun,
        stage: str,
    ) -> None:
        rng = np.random.default_rng(run.seed)
        left, right = (rng.permutation(np.repeat(rows, 4)) for _ in range(2))
        far = np.abs(targets[left] - targets[right]) > FAR * targets[rows].std()
        left, right = left[far], right[far]
        swap = targets[left] < targets[right]
        better, worse = np.where(swap, right, left), np.where(swap, left, right)
        self._compare(module, real[better], real[worse], epochs, run, stage)

    def control(self, corpus: Corpus, prepared: ReplyExamples, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the numbers of dialogues, without vectors."""
        assert isinstance(prepared, DialogueExamples)
        return prepared.real[:, :FIGURES]


def _changed(said: Utterances) -> Utterances:
    """Replace an utterance of each dialogue by one of another."""
    rng = np.random.default_rng(len(said))
    numbers = said.turns.numbers.copy()
    at = said.turns.starts[:-1] + rng.integers(said.turns.counts)
    numbers[at] = rng.permutation(said.turns.numbers)[: len(at)]
    return replace(said, turns=TextPlaces(numbers, said.turns.starts))


def _hidden(module: Any, rows: Tensor) -> Floats:
    module.eval()
    with torch.no_grad():
        found: Floats = functional.relu(module.layers[0](rows)).double().numpy()
    return found
