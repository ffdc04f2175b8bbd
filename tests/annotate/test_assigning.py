"""Who gets what, and when: balance, gold, screening, repeats, controls, stages, roles."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.studies.study_server import HttpAnnotator, StudyServer, make_study

from nlgauge.annotate import new_links, open_database, study_answers, study_judgements
from nlgauge.annotate.store.database import StudyDatabase
from nlgauge.annotate.store.studies import load_settings
from nlgauge.errors import DataError
from nlgauge.human import cross_comprehension, relevance_prediction
from nlgauge.io import read_judgements

HEAD = 'title = "t"\n[[question]]\nprotocol = "fluency"\n'


def records(count: int, systems: str = "ab") -> list[dict[str, Any]]:
    return [
        {"id": f"i{k}", "system": s, "hypothesis": f"{s} i{k} one two three four"}
        for k in range(count)
        for s in systems
    ]


def answer_all(annotator: HttpAnnotator, value: str = "3", most: int = 1000) -> int:
    count = 0
    while count < most and annotator.open():
        assert annotator.answer({"q0.fluency": value}).status == 200
        count += 1
    return count


def kinds(database: StudyDatabase) -> list[str]:
    return [a["kind"] for a in study_answers(database)]


def test_balanced_whoever_comes_and_goes(tmp_path: Path) -> None:
    study = make_study(tmp_path, f"{HEAD}[assignment]\nannotators = 2\n", records(6))
    with StudyServer(study) as server:
        for most in (5, 1, 7, 2):  # annotators who leave early
            answer_all(server.annotator(), most=most)
        counts = Counter((r["item"], r["system"]) for r in read_judgements(study).records())
        assert sum(counts.values()) == 15
        assert max(counts.values()) - min(counts.values()) <= 1
        # Three annotators hold a task each that they did not answer.
        assert answer_all(server.annotator()) == 24 - 15 - 3 - (1 if len(counts) < 12 else 0)


def test_blocks_give_everybody_each_system_equally_often(tmp_path: Path) -> None:
    toml = f"{HEAD}[assignment]\nannotators = 2\ndesign = 'blocks'\nslots = 4\n"
    study = make_study(tmp_path, toml, records(8))
    with StudyServer(study) as server:
        for _ in range(4):
            assert answer_all(server.annotator()) == 8
        rows = read_judgements(study).records()
        assert set(Counter((r["annotator"], r["system"]) for r in rows).values()) == {4}
        assert set(Counter((r["item"], r["system"]) for r in rows).values()) == {2}
        with open_database(study) as database, pytest.raises(DataError, match="0 have no link"):
            new_links(database, 1)


def test_the_seed_settles_the_design(tmp_path: Path) -> None:
    found = []
    for number, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        study = make_study(folder, f"seed = {seed}\n{HEAD}", records(20))
        with open_database(study) as database:
            found.append(load_settings(database).design_hash)
    assert found[0] == found[1] != found[2]


GOLD = [
    {"id": f"g{k}", "system": "gold", "hypothesis": f"gold {k}", "gold": {"fluency": 5}}
    for k in range(6)
]


def test_gold_items_have_two_attempts(tmp_path: Path) -> None:
    study = make_study(tmp_path, f"{HEAD}[gold]\nevery = 3\nattempts = 2\n", [*records(5), *GOLD])
    with StudyServer(study) as server:
        annotator = server.annotator()
        answer_all(annotator, most=2)
        assert annotator.open()
        assert "gold" in annotator.texts()[-1]
        assert "look again" not in annotator.page
        annotator.answer({"q0.fluency": "1"})
        annotator.open()
        assert "gold" in annotator.texts()[-1]
        assert "your last attempt" in annotator.page
        annotator.answer({"q0.fluency": "5"})
        annotator.open()
        assert "gold" not in annotator.texts()[-1]
        with open_database(study) as database:
            assert kinds(database) == ["main", "main", "gold", "gold"]
            assert [a.get("correct") for a in study_answers(database)] == [None, None, False, True]
            assert len(study_judgements(database)) == 2  # gold does not count
            assert study_judgements(database, kind="gold").value.tolist() == [5.0]


def test_only_the_last_of_three_attempts_is_called_so(tmp_path: Path) -> None:
    study = make_study(tmp_path, f"{HEAD}[gold]\nevery = 1\nattempts = 3\n", [*records(1), *GOLD])
    told = []
    with StudyServer(study) as server:
        annotator = server.annotator()
        for _ in range(3):
            annotator.open()
            told.append(("look again" in annotator.page, "your last" in annotator.page))
            annotator.answer({"q0.fluency": "1"})
    assert told == [(False, False), (True, False), (True, True)]


def test_screening_sends_away_who_fails(tmp_path: Path) -> None:
    toml = f"{HEAD}[screening]\nitems = 3\npassed = 2\n[gold]\nevery = 0\n"
    study = make_study(tmp_path, toml, [*records(3), *GOLD])
    with StudyServer(study) as server:
        fails, passes = server.annotator(), server.annotator()
        assert answer_all(fails, "1") == 4  # two items, two attempts each
        assert "we need others" in fails.page
        assert answer_all(passes, "5") == 3 + 6
        assert "completion code" in passes.page


def test_too_many_failed_gold_items(tmp_path: Path) -> None:
    toml = f"{HEAD}[gold]\nevery = 2\nattempts = 1\nfailures = 2\n"
    study = make_study(tmp_path, toml, [*records(20), *GOLD])
    with StudyServer(study) as server:
        assert answer_all(server.annotator(), "1") == 4
        assert answer_all(server.annotator(), "5") > 20


def test_repeats_and_controls(tmp_path: Path) -> None:
    toml = f"{HEAD}[assignment]\nrepeats = 0.25\ncontrols = 0.25\n"
    study = make_study(tmp_path, toml, records(30))
    with StudyServer(study) as server:
        annotator = server.annotator()
        spoilt = set()  # a task is shown again if its answer came too fast
        while annotator.open():
            text = annotator.texts()[-1]
            right = text.endswith("one two three four")
            if not right:
                spoilt.add(annotator.hidden("given"))
            annotator.answer({"q0.fluency": "4" if right else "1"})
    with open_database(study) as database:
        counts = Counter(kinds(database))
        assert counts["main"] == 60
        assert 8 < counts["repeat"] < 40
        assert counts["control"] == len(spoilt)
        assert set(study_judgements(database, kind="control").value) == {1.0}
        answers = list(study_answers(database))
    first = {(a["item"], *a["systems"]): a["position"] for a in answers if a["kind"] == "main"}
    for again in answers:
        if again["kind"] != "main":
            assert again["position"] - first[(again["item"], *again["systems"])] >= 5


def test_a_task_that_nobody_finished_goes_to_someone_else(tmp_path: Path) -> None:
    toml = f"{HEAD}[assignment]\nannotators = 1\nrelease_hours = 0.01\n"
    study = make_study(tmp_path, toml, records(1, "a"))
    with StudyServer(study) as server:
        assert server.annotator().open()  # and never comes back
        other = server.annotator()
        assert not other.open()
        with open_database(study) as database:
            database.write(lambda db: db.run("UPDATE assignment SET given_at = given_at - 60"))
        assert other.open()


DOCUMENTS = [
    {"id": f"d{k}", "event": "flood", "label": label, "system": s, "hypothesis": f"{s} of d{k}"}
    for k, label in enumerate(("relevant", "not relevant"))
    for s in ("headline", "summary", "full")
]


def test_relevance_prediction_in_order_and_without_a_way_back(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "relevance-prediction"\n[assignment]\nslots = 2\n'
    study = make_study(tmp_path, toml, DOCUMENTS)
    orders = []
    with StudyServer(study) as server:
        for _ in range(2):
            subject = server.annotator()
            order = []
            while subject.open():
                system, _, item = subject.texts()[-1].split()
                order.append(system)
                assert "/work?at=" not in subject.page
                # The headline of d1 misleads; the rest is judged as the corpus does.
                relevant = item == "d0" or (system == "headline" and item == "d1")
                before = subject.fields()
                subject.answer({"q0.relevance": "relevant" if relevant else "not relevant"})
                again = {**before, "key": "another-key", "q0.relevance": "relevant"}
                assert subject.post("/answer", again).status == 409
            orders.append(order)
    assert orders[0] == ["headline"] * 2 + ["summary"] * 2 + ["full"] * 2
    assert orders[1] == ["summary"] * 2 + ["headline"] * 2 + ["full"] * 2
    found = relevance_prediction(read_judgements(study))
    by_kind = {r.surrogate: r for r in found.surrogates}
    assert by_kind["headline"].prediction == 0.5  # d0 like the full text, d1 not, both subjects
    assert by_kind["headline"].false_positives == 2
    assert by_kind["summary"].prediction == 1.0
    assert by_kind["summary"].gold_agreement == 1.0
    assert found.full_gold_agreement == 1.0
    assert all(r.seconds > 0 for r in found.surrogates)


def test_cross_comprehension_from_authors_to_the_judge(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "cross-comprehension"\nfewest = 1\nmost = 1\n'
    record = {"id": "d", "document": "It rained.", "system": "robot", "hypothesis": "Rain, it was."}
    study = make_study(tmp_path, toml, [record])
    with StudyServer(study) as server:
        for name in ("ann", "ben"):
            author = server.annotator(names=[name], role="author")
            author.open()
            author.answer({"q0.summary": f"{name}'s summary", "q0.question1": f"{name}'s question?",
                           "q0.answer1": f"{name}'s answer"})  # fmt: skip
            assert not author.open()
        reader, judge = server.annotator(role="reader"), server.annotator(role="judge")
        read = []
        while reader.open():
            assert "It rained." not in reader.page
            question, summary = (
                next(n for n in ("ann", "ben") if f"{n}&#39;s question?" in reader.page),
                next(n for n in ("ann&#39;s su", "ben&#39;s su", "Rain, it") if n in reader.page)[
                    :3
                ],
            )
            read.append((question, summary))
            found = {"q0.none": "none"} if summary == "Rai" else {"q0.answer": f"from {summary}"}
            assert reader.answer({}).status == 422
            assert reader.answer(found).status == 200
        assert sorted(read) == [("ann", "Rai"), ("ann", "ben"), ("ben", "Rai"), ("ben", "ann")]
        while judge.open():
            judge.answer({"q0.label": "R" if "from ann" in judge.page else "P"})
    result = cross_comprehension(read_judgements(study), machines=["robot"])
    summaries = {s.name: s for s in result.summaries}
    assert (summaries["ann"].relevant, summaries["ben"].partial) == (1.0, 1.0)
    (robot,) = result.machines
    assert (robot.machine.answers, robot.machine.not_found) == (2, 1.0)
    assert result.own == 0


@pytest.mark.parametrize("name", ['a "b" \\', "an_", "%"])
def test_nobody_answers_their_own_questions_whatever_they_are_called(
    name: str, tmp_path: Path
) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "cross-comprehension"\nfewest = 1\nmost = 1\n'
    record = {"id": "d", "document": "It rained.", "system": "robot", "hypothesis": "Rain, it was."}
    study = make_study(tmp_path, toml, [record])
    with StudyServer(study) as server:
        author = server.annotator(names=["ann"], role="author")
        author.open()
        author.answer({"q0.summary": "s", "q0.question1": "q", "q0.answer1": "a"})
        one = server.annotator(names=[name], role="reader")
        assert one.open()
        assert one.answer({"q0.answer": "Rain"}).status == 200
        with open_database(study) as database:  # the same person is made the judge
            database.write(lambda db: db.run("UPDATE annotator SET role = 'judge' WHERE id = 2"))
        assert not one.open()
        assert server.annotator(names=["ben"], role="judge").open()


def test_a_pyramid_is_built_and_then_marked(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "pyramid"\n[assignment]\nannotators = 1\n'
    record = {"id": "d", "references": ["Rain. Sun.", "Rain."], "system": "robot",
              "hypothesis": "It rained."}  # fmt: skip
    study = make_study(tmp_path, toml, [record])
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        marks = (
            '[{"text":"1","start":0,"end":4,"label":"rain"},'
            '{"text":"2","start":0,"end":4,"label":"rain"},'
            '{"text":"1","start":6,"end":9,"label":"sun"}]'
        )
        assert annotator.answer({"q0.units": marks}).status == 200
        assert annotator.open()
        assert annotator.texts()[-1] == "It rained."
        assert annotator.answer({"q0.peer": ["1"]}).status == 200
    rows = [r for r in read_judgements(study).records() if r["criterion"] == "pyramid"]
    assert [(r["system"], r["value"]) for r in rows] == [("robot", 1.0)]  # weight 2 of 2 for one
