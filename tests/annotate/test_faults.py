"""Nothing that was told to be saved is lost, nothing is saved twice, and what fails is said."""

import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import started
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate import open_database, study_judgements
from nlgauge.annotate.store.annotators import find_annotator
from nlgauge.annotate.store.assigning import next_task
from nlgauge.annotate.store.database import StoreError, Transaction
from nlgauge.annotate.store.file_systems import check_local, file_system
from nlgauge.annotate.store.schema import VERSION
from nlgauge.annotate.store.sqlite import SQLite
from nlgauge.annotate.store.studies import load_settings
from nlgauge.errors import DataError
from nlgauge.io import read_judgements

TOML = 'title = "t"\n[[question]]\nprotocol = "fluency"\n'
RECORDS = [{"id": k, "system": "north", "hypothesis": f"text {k}"} for k in range(30)]


@pytest.fixture
def study(tmp_path: Path) -> str:
    return make_study(tmp_path, TOML, RECORDS)


def test_a_request_that_is_sent_again_is_stored_once(study: str) -> None:
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        fields = {**annotator.fields(), "q0.fluency": "4"}
        first, again = (
            annotator.post("/answer", fields, Accept="application/json") for _ in range(2)
        )
        assert first.status == again.status == 200
        other = annotator.post("/answer", {**fields, "q0.fluency": "5"}, Accept="application/json")
        assert other.status == 200  # the key says that it is the same answer
        assert [r["value"] for r in read_judgements(study).records()] == [4.0]


def test_an_answer_that_is_changed_counts_once_and_both_stay(study: str) -> None:
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        assert annotator.answer({"q0.fluency": "2"}).status == 200
        annotator.open()
        assert 'href="/work?at=1"' in annotator.page
        annotator.get("/work?at=1")
        assert 'value="2" checked' in annotator.page
        assert annotator.answer({"q0.fluency": "5"}).status == 200
        with open_database(study) as database:
            rows = database.read(lambda db: db.rows("SELECT value FROM judgement ORDER BY answer"))
            assert rows == [(2.0,), (5.0,)]
            assert study_judgements(database).value.tolist() == [5.0]


def test_without_scripts_the_form_works_and_keeps_what_was_filled_in(tmp_path: Path) -> None:
    toml = f'{TOML}[[question]]\nprotocol = "slider"\ncriterion = "adequacy"\n'
    study = make_study(tmp_path, toml, RECORDS)
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        half = annotator.post("/answer", {**annotator.fields(), "q1.adequacy": "70"})
        assert half.status == 422
        assert 'value="70"' in half.text
        assert "Please choose one." in half.text
        done = annotator.post(
            "/answer", {**annotator.fields(), "q0.fluency": "3", "q1.adequacy": "70"}
        )
        assert (done.status, done.headers["location"]) == (303, "/work")


def test_work_that_fails_takes_nothing_else_with_it(study: str) -> None:
    with open_database(study) as database:
        hold = threading.Event()

        def add(name: str):
            def work(db: Transaction) -> str:
                db.run("INSERT INTO setting (name, value) VALUES (?, '')", name)
                return name

            return work

        def fail(db: Transaction) -> None:
            db.run("INSERT INTO setting (name, value) VALUES ('half', '')")
            raise ValueError("no")

        first = database.submit(lambda db: (hold.wait(5), db.rows("SELECT 1"))[1])
        futures = [database.submit(add(f"n{k}")) for k in range(5)]
        bad, twice = database.submit(fail), database.submit(add("n3"))
        more = database.submit(add("last"))
        hold.set()
        assert first.result() == [(1,)]
        assert [future.result() for future in futures] == [f"n{k}" for k in range(5)]
        with pytest.raises(ValueError, match="no"):
            bad.result()
        with pytest.raises(StoreError, match="UNIQUE"):
            twice.result()
        assert more.result() == "last"
        names = database.read(lambda db: db.rows("SELECT name FROM setting"))
        assert ("half",) not in names
        assert ("last",) in names


def test_durability_settings(study: str) -> None:
    with open_database(study) as database:
        pragmas = database.write(
            lambda db: [db.one(f"PRAGMA {name}")[0] for name in ("journal_mode", "synchronous")]
        )
    assert pragmas == ["wal", 2]  # 2 is FULL


def small(database: SQLite, pages: int) -> None:
    """Let the file grow no more: SQLite says the same as of a full disk."""
    database.write(lambda db: db.run(f"PRAGMA max_page_count = {pages}"))


def test_full_disk_is_told_and_the_answer_can_be_sent_again(study: str) -> None:
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        site = server.site
        count = site.database.read(lambda db: db.one("PRAGMA page_count"))[0]
        small(site.database, count)
        fields = {**annotator.fields(), "q0.fluency": "4"}
        filler = "x" * 200_000
        with pytest.raises(StoreError, match="full; free some space"):
            site.database.write(
                lambda db: db.run("INSERT INTO setting VALUES ('filler', ?)", filler)
            )
        statuses = []
        for k in range(200):  # pages of the tables of answers have some room, too
            answer = annotator.post("/answer", {**fields, "key": f"key-{k:06}"},
                                    Accept="application/json")  # fmt: skip
            statuses.append(answer.status)
            if answer.status == 503:
                break
        assert statuses[-1] == 503
        assert "could not be written" in answer.json()["message"]
        page = annotator.post("/answer", {**fields, "key": f"key-{k:06}"})
        assert page.status == 503
        assert 'value="4" checked' in page.text  # it stays in the page
        saved = len(read_answers(study))
        assert saved == len(statuses) - 1
        small(site.database, 1_000_000)
        sent = annotator.post("/answer", {**fields, "key": f"key-{k:06}"})
        assert sent.status == 303
        assert len(read_answers(study)) == saved + 1


def read_answers(study: str) -> list[tuple[int]]:
    with open_database(study) as database:
        return database.read(lambda db: db.rows("SELECT id FROM answer"))


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("a small file system can be mounted by root only")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full(tiny_disk: Path) -> None:
    study = make_study(tiny_disk, TOML, RECORDS)
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        fields = {**annotator.fields(), "q0.fluency": "4"}
        acknowledged = 0
        for k in range(2000):
            sent = annotator.post(
                "/answer", {**fields, "key": f"key-{k:06}"}, Accept="application/json"
            )
            if sent.status != 200:
                break
            acknowledged += 1
        assert sent.status == 503, (k, sent.text)
    assert acknowledged > 0
    with sqlite3.connect(f"file:{study}?mode=ro", uri=True) as connection:
        ((stored,),) = connection.execute("SELECT COUNT(*) FROM answer").fetchall()
    assert stored >= acknowledged


def test_read_only_while_it_is_served(study: str) -> None:
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        database = server.site.database
        database._writer.execute("PRAGMA query_only = ON")
        sent = annotator.answer({"q0.fluency": "4"})
        assert sent.status == 503
        with pytest.raises(StoreError, match="readonly database; make the file and"):
            database.write(lambda db: db.run("DELETE FROM plan"))
        database._writer.execute("PRAGMA query_only = OFF")
        assert annotator.answer({"q0.fluency": "4"}).status == 200


def test_read_only_disk_is_told(tiny_disk: Path) -> None:
    study = make_study(tiny_disk, TOML, RECORDS)
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    done = started("annotate", "serve", study, "--port", "0")
    assert done.returncode == 3
    assert b"make the file and its folder writable" in done.stderr
    with pytest.raises(DataError, match="no judgements yet"):  # it can be read
        read_judgements(study)


def test_a_file_that_cannot_be_written_is_not_served(study: str) -> None:
    locked = subprocess.run(["chattr", "+i", study], capture_output=True, check=False)
    if locked.returncode:
        pytest.skip("files can be made immutable by root only, and not on every file system")
    try:
        done = started("annotate", "serve", study, "--port", "0")
    finally:
        subprocess.run(["chattr", "-i", study], check=True)
    assert done.returncode == 3
    assert b"make the file and its folder writable" in done.stderr
    assert done.stdout == b""


def test_a_full_disk_leaves_no_empty_study(tiny_disk: Path) -> None:
    (tiny_disk / "filler").write_bytes(bytes(550_000))
    with pytest.raises(StoreError, match=r"free some space|full or broken"):
        make_study(tiny_disk, TOML, RECORDS)
    assert {p.name for p in tiny_disk.iterdir()} == {"filler", "study.toml", "outputs.jsonl"}


def test_network_file_systems_are_refused() -> None:
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n"
        "//nas/share /mnt/my\\040share cifs rw 0 0\ntmpfs /home/ann/fast tmpfs rw 0 0\n"
    )
    assert file_system(Path("/work"), mounts) == "ext4"
    assert file_system(Path("/home/ann/fast/x"), mounts) == "tmpfs"
    check_local(Path("/home/ann/fast"), mounts)
    for folder in ("/home/ann", "/mnt/my share/x"):
        with pytest.raises(DataError, match="network file system"):
            check_local(Path(folder), mounts)


def test_an_older_study_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    script = (Path(__file__).parent / "study_version1.sql").read_text("utf-8")
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    with open_database(str(path)) as database:
        (version,) = database.read(lambda db: db.one("PRAGMA user_version"))
        assert version == VERSION
        (row,) = study_judgements(database).records()
        assert (row["item"], row["value"], row["annotator"]) == ("i1", 4.0, "ann")
        study = load_settings(database).study
        ann = database.read(lambda db: find_annotator(db, 1))
        given = database.write(lambda db: next_task(db, study, ann))
        assert (given.task, given.position) == (2, 2)
    with open_database(str(path)) as again:  # and only once
        assert len(study_judgements(again)) == 1


def test_an_older_study_is_read_without_an_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    script = (Path(__file__).parent / "study_version1.sql").read_text("utf-8")
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    before = path.read_bytes()
    (row,) = read_judgements(path).records()
    assert (row["item"], row["value"], row["annotator"]) == ("i1", 4.0, "ann")
    assert path.read_bytes() == before


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such study"):
        open_database(str(tmp_path / "none.db"))
    (tmp_path / "text.db").write_text("hello, this is no database at all" * 100)
    with pytest.raises(DataError, match="is no study"):
        open_database(str(tmp_path / "text.db"))
    sqlite3.connect(tmp_path / "newer.db").execute("PRAGMA user_version = 99").close()
    with pytest.raises(DataError, match="newer nlgauge"):
        open_database(str(tmp_path / "newer.db"))
    with pytest.raises(DataError, match="is there already"):
        open_database(str(tmp_path / "text.db"), new=True)


def test_nothing_half_made_stays_behind(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "best-worst"\n'
    with pytest.raises(DataError, match="tuples of 4 texts need as many; there are 2"):
        make_study(tmp_path, toml, RECORDS[:2])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["outputs.jsonl", "study.toml"]
