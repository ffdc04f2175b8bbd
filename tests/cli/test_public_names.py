"""What users may rely on: the public names and the facts about every metric."""

import ast
import dataclasses
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import nlgauge
import nlgauge.metrics
from nlgauge.core import registry

# A name may join; none may leave without a line in CHANGELOG.md.
DOORS = {
    "nlgauge": """
        BLEU ChrF Comparison Corpus DataError DeltaBLEU Info Interval LoadedMetric LoadedModule
        Metric MetricFailed NlgaugeError NlgaugeWarning OutputScores Outputs References
        ResourceMissing RunContext RunningScore Score ScoreTable ServerFailed SpecError StreamScores
        Suite TER
        TextWarning Texts
        __version__ annotator_agreement as_evaluate as_torchmetric compare compare_stream
        explain_segment load meta_evaluate metric register_in_lm_eval score score_outputs
        score_stream score_suite with_scores
    """,
    "nlgauge.annotate": """
        PROTOCOLS Protocol Study StudyDatabase StudyStatus known_links new_links new_study
        open_database read_study study_answers study_judgements study_status
    """,
    "nlgauge.core": """
        BestReference CRITERIA Coverage Criterion Floats GivenScores Info Interval KernelMetric
        Lookup LookupMetric Mean MeanMetric Metric OutputScores Outputs PairMetric Preparation
        ReferencePairs Score ScoreTable TASKS Task TextSide WordMetric option totals transport
    """,
    "nlgauge.data": """
        Constituent Context Corpus ErrorSpan Frame FrameSentence JudgeServer Judgements Parse
        Parser References Role RoleLabeller RunContext Suite TextLists Texts TopicSimilarities
        TreeParser
    """,
    "nlgauge.explain": """
        Alignment Edit Edits Explanation Explanations FramePair FrameSpans Frames Graph GraphItem
        Graphs Link MarkedText Match Node Relation RolePair RoleSpan Shift TokenSimilarities Trace
        Trees edits explain greedy linked recognition runs shifts_and_edits subsequence transport
    """,
    "nlgauge.human": """
        Agreement Allocation AnnotatorAgreement AnnotatorReliability Assignment Balance BestWorst
        Comparisons CountSpread CriterionAgreement CrossComprehension Decisions FittedAnnotators
        GradedSystem Grades Measure PairAgreement PairDecision PlannedStudy Power PowerAt
        ProbableLabel QUESTIONS Question Questionnaire RankedSystem Ranking RatedSystem
        RatedSystems RatingScale Relevance RelevancePrediction SCALES STATEMENTS ScaledElement Slot
        SpanAgreement SpanPair SplitHalves Statement Strengths TupleBalance WeightedMean aggregate
        agreement agreement_weights allocate_pairs allocate_systems answers assign
        best_worst_tuples bradley_terry check_balance comparisons counterbalanced coverage
        cross_comprehension crossed decide even expected_wins fit_annotators implied_wins likert
        marked_errors match_spans normalise power questionnaire rank rate_systems
        relevance_prediction rescale scale_elements span_agreement split_halves trueskill
        tuple_balance weighted_errors weighted_means williams_square
    """,
    "nlgauge.io": """
        FORMATS atomic_write guess_format read_conllu read_documents read_judgements
        read_outputs read_roles read_scores read_similarities read_suite read_trees write_conllu
        write_jsonl write_judgements write_roles write_trees write_tsv
    """,
    "nlgauge.meta": """
        Candidate ClusterTree JudgedScores LeaveOneOutScores MeasuredAgreement MetaResult
        MetaSettings MetricAgreement MetricRegression MetricSet Orange Original Outliers
        PERTURBATIONS PairedScores Partitions Perturbation PerturbationOutcome Plane Planes
        Qarla Recommendation Robustness Significance WordByWord adversarial_success
        cluster_metrics correlate evaluation_plane evaluator_reliability_error leave_one_out
        measure model_of orange perturbation qarla read_judged read_judged_runs recommend
        regress robustness similarities
    """,
    "nlgauge.models": """
        Embeddings Encoder FrameStore Inference ParseStore TreeStore WordNet WordVectors
        find_encoder find_frames find_inference find_parser find_trees
        find_vectors labeller parser read_vectors wordnet write_vectors
    """,
    "nlgauge.report": """
        Grid Section comparison_sections meta_sections picture score_sections write_figures
        write_pictures write_report
    """,
    "nlgauge.report.figures": """
        Canvas Contour Dendrogram Distribution Figure HeatMap IntervalPlot ScatterPlot rendered
        to_svg
    """,
    "nlgauge.train": """
        JudgedRows TrainSettings TrainedMetric read_judged_rows recipe_of train_metric
    """,
    "nlgauge.stats": """
        Anova AnytimeInterval CORRECTIONS CORRELATIONS Calibration Coefficient Diagnostics Fit
        Intervals METHODS Rank Step TESTS TestOutcome TestResult adjust anova anytime_interval
        anytime_path bca betting_interval bootstrap calibrate cohen experiment_wise_error fleiss
        interval jackknife kendall_a kendall_b kendall_c krippendorff least_squares
        paired_p_value paired_tests pearson r_squared ranks scheffe segment_test sidak_level
        soft_pairwise_accuracy spearman steiger stepwise tukey williams
    """,
    "nlgauge.experiments": """
        ComparedRow ComparedTable EXPERIMENTS ExperimentData OurFigure run_experiment
    """,
    "nlgauge.baselines": """
        BASELINES FeatureSettings FeatureSummariser Fergus GaussianMixture Length LexemeTree
        Realisation Reranker Summary fit_mixture lead load_fergus load_reranker load_summarisers
        lsa mmr random save_fergus save_reranker save_summarisers
    """,
}
ROOT = Path(__file__).parents[2]

PUBLIC = {*DOORS, "nlgauge.metrics"}

every_door = pytest.mark.parametrize("door", sorted(PUBLIC))
# All but one, whose functions have modules of their names.
every_lazy_door = pytest.mark.parametrize("door", sorted(PUBLIC - {"nlgauge.baselines"}))
every_class = pytest.mark.parametrize("cls", list(registry.classes()), ids=registry.names())


@pytest.mark.parametrize("door", DOORS)
def test_public_names(door: str) -> None:
    assert set(import_module(door).__all__) == set(DOORS[door].split())


def test_every_metric_class_is_public() -> None:
    own = {name.rpartition(":")[2] for name in registry.METRICS.values()}
    assert set(nlgauge.metrics.__all__) == own
    assert nlgauge.metrics.BLEU is nlgauge.BLEU is registry.metric_class("bleu")


@every_door
def test_public_names_are_there(door: str) -> None:
    package = import_module(door)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"'{door}' has no attribute 'scor'"):
        _ = package.scor


def _typed(door: str) -> set[tuple[str, str]]:
    """The modules and names that a type checker sees in a package."""
    source = Path(import_module(door).__file__ or "").read_text(encoding="utf-8")
    (checked,) = (node for node in ast.parse(source).body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    assert all(alias.name == alias.asname for node in imports for alias in node.names)
    return {(node.module or "", alias.name) for node in imports for alias in node.names}


@every_lazy_door
def test_type_checkers_see_what_there_is(door: str) -> None:
    package = import_module(door)
    packages = {name for module, name in _typed(door) if module == door}
    names = {name for _, name in _typed(door)}
    assert package.__all__ == sorted(names - packages)
    assert dir(package) == sorted(names)
    for module, name in _typed(door):
        assert getattr(import_module(module), name) is getattr(package, name)


def test_packages_need_no_import_of_their_own() -> None:
    inner = sorted({*DOORS, "nlgauge.metrics"} - {"nlgauge"})
    code = f"import nlgauge; print(*[door.__name__ for door in ({', '.join(inner)})])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == inner
    code = "import sys, nlgauge; nlgauge.score; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"nlgauge.meta", "nlgauge.report", "nlgauge.models"} & set(loaded)


@every_lazy_door
def test_no_module_hides_a_public_name(door: str) -> None:
    """Importing `a.b.name` would replace the function that `a.b` exports under that name."""
    package = import_module(door)
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not modules & set(package.__all__)


@pytest.mark.parametrize(
    ("door", "inner"), [("nlgauge.io", "nlgauge.io.files"), ("nlgauge.stats", "nlgauge.stats.ties")]
)
def test_inner_module_does_not_load_what_its_package_exports(door: str, inner: str) -> None:
    code = f"import sys, {inner}; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert inner in loaded
    assert not {module for module, _ in _typed(door)} & set(loaded)


def _python() -> Iterator[tuple[str, str]]:
    """Every piece of Python that users are shown, and where it stands."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}", found[1]
    for program in sorted((ROOT / "examples").rglob("*.py")):
        yield str(program.relative_to(ROOT)), program.read_text(encoding="utf-8")


@pytest.mark.parametrize(("place", "code"), list(_python()), ids=[place for place, _ in _python()])
def test_documentation_imports_public_names_only(place: str, code: str) -> None:
    tree = ast.parse(code)
    # In tests of users, `nlgauge` is the fixture and not the package.
    fixture = any(isinstance(node, ast.arg) and node.arg == "nlgauge" for node in ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nlgauge"):
            assert node.module in PUBLIC, f"{place}: {node.module} is an inner module"
            package = import_module(node.module or "")
            for alias in node.names:
                inside = f"{node.module}.{alias.name}" in PUBLIC
                assert inside or alias.name in package.__all__, f"{place}: {alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert not alias.name.startswith("nlgauge.") or alias.name in PUBLIC, place
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "nlgauge"
            and not fixture
        ):
            assert node.attr in nlgauge.__all__ or f"nlgauge.{node.attr}" in PUBLIC, place


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda p: p.name)
def test_pages_name_public_modules_only(page: Path) -> None:
    """In sentences, too: `nlgauge.a.b` is a door or a name that one exports."""
    for found in re.findall(r"`(nlgauge(?:\.[A-Za-z_]\w*)+)", page.read_text(encoding="utf-8")):
        door, _, name = found.rpartition(".")
        public = found in PUBLIC or (door in PUBLIC and name in import_module(door).__all__)
        assert public, found


def test_import_loads_no_heavy_library() -> None:
    heavy = ("rich", "torch", "scipy", "pandas", "pyarrow", "sacrebleu")
    code = f"import nlgauge, sys; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@every_class
def test_facts_are_complete(cls: type[nlgauge.Metric]) -> None:
    info = cls.info
    for text in (info.name, info.title, info.family, info.paper, info.checked_against):
        assert text.strip() == text != ""
    assert info.name == info.name.lower()
    assert registry.metric_class(info.name) is cls
    assert info.cell
    assert info.tasks
    assert info.bounds[0] < info.bounds[1]
    assert info.scale > 0
    assert info.revision >= 1
    assert cls.__doc__


@every_class
def test_every_option_is_explained_and_keyword_only(cls: type[nlgauge.Metric]) -> None:
    for field in dataclasses.fields(cls):
        assert field.metadata["help"], field.name
        assert field.kw_only, field.name
        assert field.default is not dataclasses.MISSING, field.name
    with pytest.raises(TypeError):
        cls("13a")


@every_class
def test_metrics_cannot_be_changed(cls: type[nlgauge.Metric]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        cls().tokenizer = "none"
    assert hash(cls()) == hash(cls())
