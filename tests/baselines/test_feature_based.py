"""FB1 and FB2: mixtures against scikit-learn's, features by hand, and clear errors."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlgauge import DataError, SpecError
from nlgauge.baselines import (
    FeatureSummariser,
    GaussianMixture,
    Length,
    fit_mixture,
    load_summarisers,
    save_summarisers,
)
from nlgauge.baselines.feature_based.extract_table import held_out_models, summarise_all
from nlgauge.baselines.feature_based.mixture import k_means
from nlgauge.baselines.feature_based.sentence_features import sentence_features
from nlgauge.experiments.experiment import example
from nlgauge.io.annotations.extracts import PROSODY, MarkedDocument, read_marked

sklearn_mixture = pytest.importorskip("sklearn.mixture")


def clouds(seed: int, size: int, width: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(3, width)) * 3
    return centres[rng.integers(0, 3, size)] + rng.normal(size=(size, width)) * [1.0] * width


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(20, 80),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from(["diag", "full"]),
)
def test_mixtures_are_those_of_scikit_learn(
    seed: int, size: int, width: int, components: int, shape: str
) -> None:
    rows = clouds(seed, size, width)
    labels = k_means(rows, components)
    if min(np.bincount(labels, minlength=components)) <= width:
        return  # where covariances are all but singular, no two programs agree
    start = fit_mixture(rows, components=components, shape=shape, most_steps=0)
    for steps in (1, 5, 100):
        ours = fit_mixture(rows, components=components, shape=shape, most_steps=steps)
        precisions = np.linalg.inv(start.covariances)
        theirs = sklearn_mixture.GaussianMixture(
            components,
            covariance_type=shape,
            max_iter=steps,
            weights_init=start.weights,
            means_init=start.means,
            precisions_init=precisions
            if shape == "full"
            else np.diagonal(precisions, axis1=1, axis2=2),
        )
        with np.errstate(all="ignore"), pytest.warns() if steps == 1 else _nothing():
            theirs.fit(rows)
        covariances = (
            theirs.covariances_
            if shape == "full"
            else np.array([np.diag(row) for row in theirs.covariances_])
        )
        np.testing.assert_allclose(ours.weights, theirs.weights_, atol=1e-6)
        np.testing.assert_allclose(ours.means, theirs.means_, atol=1e-6)
        np.testing.assert_allclose(ours.covariances, covariances, atol=1e-6)
        np.testing.assert_allclose(ours.log_density(rows), theirs.score_samples(rows), atol=1e-6)


class _nothing:  # noqa: N801
    def __enter__(self) -> None:
        import warnings

        self.caught = warnings.catch_warnings()
        self.caught.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, *given: object) -> None:
        self.caught.__exit__(*given)


def test_density_by_hand() -> None:
    mixture = GaussianMixture(np.ones(1), np.zeros((1, 2)), np.array([[[4.0, 0], [0, 1]]]))
    expected = -math.log(2 * math.pi) - 0.5 * math.log(4) - 0.5 * (2**2 / 4 + 1)
    assert mixture.log_density(np.array([[2.0, 1.0]]))[0] == pytest.approx(expected)


def test_mixtures_that_cannot_be_fitted() -> None:
    with pytest.raises(DataError, match="a mixture of 2 needs 4 sentences, and there are 3"):
        fit_mixture(np.zeros((3, 1)))
    with pytest.raises(SpecError, match="components=0"):
        fit_mixture(np.zeros((3, 1)), components=0)
    with pytest.raises(SpecError, match="shape='round'"):
        fit_mixture(np.zeros((9, 1)), shape="round")


def test_features_by_hand() -> None:
    # tf·idf: `a` is in two of three sentences, all others in one.
    sentences = ["a a b", "a c", "d"]
    found = sentence_features(sentences, prosody=None, latent=False, stop="none")
    a, one = math.log(3 / 2), math.log(3)
    expected = [[(2 * a + one) / 2, max(2 * a, one)], [(a + one) / 2, one], [one, one]]
    np.testing.assert_allclose(found, expected)
    # Over all topics, the LSA score of a sentence is the length of its vector.
    latent = sentence_features(sentences, prosody=None, latent=True, stop="none")
    lengths = [math.hypot(2 * a, one), math.hypot(a, one), one]
    np.testing.assert_allclose(latent[:, 2], lengths)
    prosody = np.arange(18.0).reshape(3, 6)
    both = sentence_features(sentences, prosody=prosody, latent=True, stop="none")
    np.testing.assert_allclose(both, np.concatenate([prosody, latent], axis=1))


def documents() -> list[MarkedDocument]:
    return read_marked([example("meetings.jsonl")])


def test_long_sentences_of_rare_words_are_learnt() -> None:
    # In each document, what was extracted has words that no other sentence has.
    def document(name: str) -> MarkedDocument:
        dull = [f"well yes {'so ' * k}okay" for k in range(8)]
        rare = [f"{name}{k} harbour{k} engine{k} bridge{k} valley{k}" for k in range(4)]
        marks = [False] * 8 + [True] * 4
        return MarkedDocument(name, (*dull, *rare), (tuple(marks),))

    train = [document(f"d{k}") for k in range(5)]
    for latent in (False, True):
        model = FeatureSummariser.train(train, latent=latent, components=1)
        summary = model.summarise(document("new"), length=Length(sentences=4))
        assert summary.indices == (8, 9, 10, 11)


def test_scores_are_ratios_of_densities() -> None:
    marked = documents()
    model = FeatureSummariser.train(marked, latent=True)
    rows = sentence_features(marked[0].sentences, prosody=None, latent=True)
    scaled = (rows - model.centre) / model.spread
    expected = model.extracted.log_density(scaled) - model.others.log_density(scaled)
    np.testing.assert_allclose(model.scores(marked[0]), expected)
    order = model.summarise(marked[0], length=Length(sentences=4)).picked
    assert list(order) == sorted(range(len(rows)), key=lambda i: -expected[i])[:4]


def test_documents_are_summarised_by_what_others_teach() -> None:
    marked = documents()
    models = held_out_models(marked, folds=len(marked))
    rest = FeatureSummariser.train(marked[1:], latent=False)
    np.testing.assert_allclose(models[0]["fb1"].centre, rest.centre)
    table = summarise_all(marked, models, length=Length(sentences=3))
    assert list(table.summaries) == ["fb1", "fb2", "mmr", "lsa", "lead", "random"]
    # Lead takes sentences 1 to 3 of each: by hand from the marks of both annotators.
    first = marked[0].extracts
    expected = np.mean([2 * sum(m[:3]) / (3 + sum(m)) for m in first])
    assert table.overlap("lead")[0] == pytest.approx(expected)
    with pytest.raises(DataError, match="1 folds of 6"):
        held_out_models(marked, folds=1)


def prosody_file(path: Path, names: list[str], size: int) -> None:
    lines = ["\t".join(["id", "sentence", *PROSODY])]
    for name in names:
        lines += ["\t".join([name, str(k + 1), *(str(k * 7 + c) for c in range(6))])
                  for k in range(size)]  # fmt: skip
    path.write_text("".join(f"{line}\n" for line in lines))


def test_prosody(tmp_path: Path) -> None:
    path = tmp_path / "prosody.tsv"
    names = [document.name for document in documents()]
    prosody_file(path, names, 14)
    marked = read_marked([example("meetings.jsonl")], prosody=str(path))
    assert marked[0].prosody is not None
    assert marked[0].prosody[2].tolist() == [14, 15, 16, 17, 18, 19]
    model = FeatureSummariser.train(marked, latent=False, components=1)
    assert model.centre.shape == (8,)
    with pytest.raises(SpecError, match="'harbour' has no prosody"):
        model.summarise(documents()[0])
    prosody_file(path, names[1:], 14)
    with pytest.raises(DataError, match="no row for sentence 1 of 'harbour'"):
        read_marked([example("meetings.jsonl")], prosody=str(path))
    path.write_text("id\tsentence\tf0\n")
    with pytest.raises(DataError, match=r"prosody.tsv, line 1: expected the columns id, sentence"):
        read_marked([example("meetings.jsonl")], prosody=str(path))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"sentences": []}, "no sentences"),
        ({"sentences": ["a", " "]}, "a sentence is empty"),
        ({"sentences": ["a", "b"], "extract": [1]}, "1 marks for 2 sentences"),
        ({"sentences": ["a", "b"], "extract": [0, 0]}, "an extract has no sentence"),
        ({"sentences": ["a", "b"], "extract": [0, 2]}, "a list of 0 and 1"),
        ({"sentences": ["a"], "extracts": 1}, "expected a list of lists"),
        ({"sentences": ["a"], "references": "x"}, "references must be a list"),
    ],
)
def test_documents_that_are_refused(tmp_path: Path, record: object, message: str) -> None:
    path = tmp_path / "marked.jsonl"
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(DataError, match=rf"marked.jsonl, line 1: .*{message}"):
        read_marked([str(path)])


def test_documents_to_learn_from_are_marked(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="document 'd' has no extract"):
        FeatureSummariser.train([MarkedDocument("d", ("a",))], latent=False)
    few = MarkedDocument("d", ("a b", "c", "d"), ((True, False, False),))
    with pytest.raises(DataError, match="4 extracted sentences, and there are 1"):
        FeatureSummariser.train([few], latent=False)
    path = tmp_path / "twice.jsonl"
    path.write_text('{"id": "x", "sentences": ["a"]}\n' * 2)
    with pytest.raises(DataError, match="line 2: the id 'x' is given twice"):
        read_marked([str(path)])


def test_files(tmp_path: Path) -> None:
    marked = documents()
    models = {n: FeatureSummariser.train(marked, latent=n == "fb2") for n in ("fb1", "fb2")}
    path = str(tmp_path / "fb.safetensors")
    save_summarisers(path, models)
    again = load_summarisers(path)
    for name, model in models.items():
        np.testing.assert_array_equal(again[name].scores(marked[0]), model.scores(marked[0]))
    models["fb1"].extracted.covariances[0] *= -1
    save_summarisers(path, models)
    with pytest.raises(DataError, match=r"no usable model of fb.*nlgauge baseline fb"):
        load_summarisers(path)
