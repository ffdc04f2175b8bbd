"""The same studies on PostgreSQL: a real server, the same answers, nothing twice."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from annotate.test_protocols import said, same
from support.studies.postgres_server import FOLDER, PostgresServer
from support.studies.protocol_cases import CASES
from support.studies.study_server import HttpAnnotator, StudyServer, make_study

from nlgauge.annotate import new_links, open_database, study_answers, study_judgements
from nlgauge.annotate.store.annotators import add_annotators, delete_answers, find_annotator
from nlgauge.annotate.store.assigning import next_task
from nlgauge.annotate.store.database import StoreError
from nlgauge.annotate.store.studies import load_settings
from nlgauge.cli import main
from nlgauge.errors import DataError

pytestmark = [
    pytest.mark.skipif(
        FOLDER is None, reason="no PostgreSQL is installed; on Debian: apt-get install postgresql"
    ),
    pytest.mark.xdist_group("postgres"),
]
TOML = 'title = "t"\n[[question]]\nprotocol = "fluency"\n[assignment]\nannotators = 2\n'
RECORDS = [{"id": k, "system": "north", "hypothesis": f"text {k}"} for k in range(10)]


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.mark.parametrize("name", ["likert", "pairwise", "mqm", "nuggets", "relevance-prediction"])
def test_answers_become_these_judgements(name: str, postgres: PostgresServer, tmp_path: Path):
    case = CASES[name]
    address = make_study(tmp_path, case.toml, case.records, postgres.address())
    with StudyServer(address) as server:
        annotator = server.annotator()
        assert annotator.open()
        for _ in range(2):  # the second one is the same answer once more
            assert annotator.answer(case.fields).status == 200
    with open_database(address) as database:
        same(said(study_judgements(database)), case.expected)
        assert len(list(study_answers(database))) == 1


def test_steps_of_the_command_line(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = postgres.address()
    make_study(tmp_path, TOML, RECORDS)  # for its files
    files = [str(tmp_path / "study.toml"), str(tmp_path / "outputs.jsonl")]
    assert main(["annotate", "new", *files, "-o", address]) == 0
    assert main(["annotate", "links", address, "-n", "2"]) == 0
    assert capsys.readouterr().out.count("/a/") == 2
    assert main(["annotate", "export", address, "-o", str(tmp_path / "j.jsonl")]) == 3
    assert "no main judgements yet" in capsys.readouterr().err
    assert main(["annotate", "new", *files, "-o", address]) == 3
    assert "not empty" in capsys.readouterr().err


def test_annotators_at_once_get_every_task_as_often_as_asked_for(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = make_study(tmp_path, TOML, RECORDS, postgres.address())
    given: list[tuple[int, int]] = []
    with open_database(address) as one, open_database(address) as other:
        study = load_settings(one).study
        people = one.write(lambda db: add_annotators(db, 4))

        def work(database, person) -> None:
            while (found := database.write(lambda db: next_task(db, study, person))) is not None:
                given.append((person.id, found.task))
                database.write(
                    lambda db: db.run(
                        """INSERT INTO answer (assignment, key, content, answered_at)
                        VALUES (?, ?, '{}', 0)""",
                        found.id, f"{found.id}",
                    )
                )  # fmt: skip

        threads = [
            threading.Thread(target=work, args=((one, other)[k % 2], person))
            for k, person in enumerate(people)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(Counter(task for _, task in given).values()) == {2}
    assert len(given) == len(set(given)) == 20


def test_several_processes_serve_one_study(postgres: PostgresServer, tmp_path: Path) -> None:
    address = make_study(tmp_path, TOML, RECORDS, postgres.address())
    command = [sys.executable, "-m", "nlgauge", "annotate", "serve", address]
    serving = subprocess.Popen(
        [*command, "--port", "0", "--workers", "2"], stdout=subprocess.PIPE, text=True
    )
    assert serving.stdout is not None
    url = serving.stdout.readline().split(" on ")[1].partition(";")[0]
    with open_database(address) as database:
        links = new_links(database, 3, url=url)

    def work(link: str) -> None:
        annotator = HttpAnnotator(url)
        annotator.get(urlsplit(link).path)
        annotator.agree()
        while annotator.open():
            assert annotator.answer({"q0.fluency": "3"}).status == 200
            annotator.connection.close()  # the next request may reach the other process

    with ThreadPoolExecutor() as threads:
        list(threads.map(work, links.values()))
    children = Path(f"/proc/{serving.pid}/task/{serving.pid}/children").read_text().split()
    serving.terminate()
    assert serving.wait(120) == 0
    serving.stdout.close()
    assert len(children) == 2
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    with open_database(address) as database:
        counts = Counter(row["item"] for row in study_judgements(database).records())
    assert set(counts.values()) == {2}
    assert len(counts) == 10


def test_answers_are_never_changed_and_deleted_only_on_request(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = make_study(tmp_path, TOML, RECORDS, postgres.address())
    with StudyServer(address) as server:
        annotator = server.annotator(names=["goes"])
        annotator.open()
        assert annotator.answer({"q0.fluency": "3"}).status == 200
    with open_database(address) as database:
        with pytest.raises(StoreError, match="never changed"):
            database.write(lambda db: db.run("UPDATE answer SET seconds = 1"))
        with pytest.raises(StoreError, match="only on request"):
            database.write(lambda db: db.run("DELETE FROM answer"))
        assert database.write(lambda db: delete_answers(db, 1)) == 1
        assert database.read(lambda db: find_annotator(db, 1)).state == "withdrawn"
        with pytest.raises(DataError, match="no main judgements"):
            study_judgements(database)
        assert new_links(database, 1)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(DataError, match="cannot be reached"):
        open_database("postgresql://nobody@127.0.0.1:1/none")
