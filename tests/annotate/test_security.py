"""What must be refused is refused, with a status that says so; what must be text stays text."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.studies.study_server import HttpAnnotator, StudyServer, make_study

from nlgauge.annotate import new_links, open_database
from nlgauge.annotate.store.annotators import Annotator, delete_answers
from nlgauge.annotate.store.studies import load_settings
from nlgauge.annotate.web.guards import LARGEST_BODY, RateLimit
from nlgauge.annotate.web.markdown import to_html
from nlgauge.annotate.web.owner import set_password
from nlgauge.annotate.web.tokens import Tokens
from nlgauge.cli import main
from nlgauge.errors import SpecError

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&amp;"
TOML = f"""
title = '''{EVIL.replace("'", "")}'''
show = ["source"]
instructions = '''# {EVIL.replace("'", "")}'''
[[question]]
protocol = "fluency"
"""
RECORDS = [
    {"id": k, "system": EVIL, "hypothesis": f"{EVIL} {k}", "source": EVIL} for k in range(40)
]
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyServer]:
    with StudyServer(make_study(tmp_path_factory.mktemp("s"), TOML, RECORDS)) as server:
        yield server


@pytest.fixture
def stranger(server: StudyServer) -> HttpAnnotator:
    return HttpAnnotator(server.url)


def refused(annotator: HttpAnnotator, path: str) -> None:
    answer = annotator.get(path)
    assert answer.status == 403
    assert annotator.cookies == {}


def test_forged_link(server: StudyServer, stranger: HttpAnnotator) -> None:
    good = urlsplit(server.links()[0]).path
    payload, _, signature = good.rpartition(".")
    refused(stranger, f"{payload}.{signature[::-1]}")
    refused(stranger, good[:-2])
    other = Tokens("another secret").link(Annotator(1, "a", "", None, 2**40, False, "active"))
    refused(stranger, f"/a/{other}")


def test_expired_link(server: StudyServer, stranger: HttpAnnotator) -> None:
    with open_database(server.name) as database:
        tokens = Tokens(load_settings(database).secret)
    old = Annotator(1, "a", "", None, int(time.time()) - 1, False, "active")
    refused(stranger, f"/a/{tokens.link(old)}")


def test_link_of_another_study(stranger: HttpAnnotator, tmp_path: Path) -> None:
    with StudyServer(make_study(tmp_path, TOML, RECORDS)) as foreign:
        refused(stranger, urlsplit(foreign.links()[0]).path)


def test_a_session_is_no_link_and_a_link_no_session(server: StudyServer) -> None:
    annotator = server.annotator()
    (cookie,) = annotator.cookies.values()
    refused(HttpAnnotator(server.url), f"/a/{cookie}")
    other = HttpAnnotator(server.url)
    other.cookies["nlgauge_study"] = urlsplit(server.links()[0]).path.removeprefix("/a/")
    assert other.get("/work").status == 403


def test_nothing_without_a_session(stranger: HttpAnnotator) -> None:
    for path in ("/work", "/instructions", "/leave", "/media/x"):
        assert stranger.get(path).status == 403
    for path in ("/answer", "/consent", "/leave"):
        assert stranger.post(path, {"given": "1", "key": "12345678"}).status == 403


@pytest.mark.parametrize("token", ["", "0" * 64, "é" * 10])
def test_missing_or_wrong_csrf_token(server: StudyServer, token: str) -> None:
    annotator = server.annotator()
    annotator.open()
    fields = {**annotator.fields(), "q0.fluency": "3"}
    assert annotator.post("/answer", {**fields, "csrf": token}).status == 403
    del fields["csrf"]
    assert annotator.post("/answer", fields).status == 403
    assert annotator.post("/leave", {}).status == 403
    assert annotator.open()


def test_csrf_token_of_another_session(server: StudyServer) -> None:
    one, other = server.annotator(), server.annotator()
    one.open(), other.open()
    fields = {**one.fields(), "q0.fluency": "3", "csrf": other.hidden("csrf")}
    assert one.post("/answer", fields).status == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
     {"Sec_Fetch_Site": "same-site"}],
)  # fmt: skip
def test_cross_origin_post(server: StudyServer, headers: dict[str, str]) -> None:
    annotator = server.annotator()
    annotator.open()
    fields = {**annotator.fields(), "q0.fluency": "3"}
    assert annotator.post("/answer", fields, **headers).status == 403
    own = {"Origin": f"http://{annotator.host}", "Sec_Fetch_Site": "same-origin"}
    assert annotator.post("/answer", fields, **own).status == 303


def test_a_server_before_this_one_may_rename_the_host(server: StudyServer) -> None:
    annotator = server.annotator()
    annotator.open()
    fields = {**annotator.fields(), "q0.fluency": "3"}
    renamed = {"Origin": "https://study.example.org", "Sec_Fetch_Site": "same-origin"}
    assert annotator.post("/answer", fields, **renamed).status == 303


def test_task_of_another_annotator(server: StudyServer) -> None:
    one, other = server.annotator(), server.annotator()
    one.open(), other.open()
    fields = {**one.fields(), "q0.fluency": "3", "given": other.hidden("given")}
    assert one.post("/answer", fields).status == 403
    for given in ("0", "-1", "x", "9" * 30, "1 OR 1=1"):
        assert one.post("/answer", {**fields, "given": given}).status in (400, 403)


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
     "/static/", "/media/../../etc/passwd", "/media/%2e%2e%2fstudy.db", "/study.db", "/.git/config",
     "/templates/task.html", "/static/annotate.css/..", "/%00"],
)  # fmt: skip
def test_path_traversal(server: StudyServer, path: str) -> None:
    annotator = server.annotator()
    assert annotator.get(path).status == 404


def test_oversize_body(server: StudyServer) -> None:
    annotator = server.annotator()
    annotator.open()
    fields = {**annotator.fields(), "q0.fluency": "3" * (LARGEST_BODY + 1)}
    assert annotator.post("/answer", fields).status == 413
    # Without a length that is told before.
    annotator = server.annotator()
    connection = annotator.connection
    connection.putrequest("POST", "/answer")
    connection.putheader("Cookie", "; ".join(f"{k}={v}" for k, v in annotator.cookies.items()))
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    block = b"%x\r\n%s\r\n" % (1 << 16, b"a" * (1 << 16))
    try:
        for _ in range(2 * LARGEST_BODY >> 16):
            connection.send(block)
        connection.send(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
    else:
        assert connection.getresponse().status == 413


def test_too_many_fields(server: StudyServer) -> None:
    annotator = server.annotator()
    body = "&".join(f"a{k}=1" for k in range(6000))
    assert annotator.request("POST", "/answer", body).status == 400
    assert annotator.request("POST", "/answer", "%ff=%fe&csrf=%ff").status == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods(server: StudyServer, method: str) -> None:
    assert server.annotator().request(method, "/work").status == 405


def test_scripts_are_shown_as_text(server: StudyServer) -> None:
    annotator = server.annotator(names=[EVIL])
    for path in ("/work", "/instructions", "/leave", "/"):
        page = annotator.get(path).text
        assert "<script>alert" not in page
        assert "onerror=alert(2)>" not in page.replace("&gt;", "")
        assert not re.search(r"<(script|style)\b(?![^>]*\bsrc=)", page)  # nothing inline
        assert not re.search(r"\s(on\w+|style)=", re.sub(r"&lt;.*?&gt;", "", page))
    annotator.get("/work")
    assert annotator.texts()[0] == EVIL


def test_markdown_lets_no_html_and_no_script_through() -> None:
    made = to_html(
        "# A\n\n[x](javascript:alert(1)) [y](https://a.example/?q=\"onx='1'>) **b** `<i>`\n\n"
        "- one\n- <b>two</b>\n\n> quoted *em*\n\n<script>x</script>"
    )
    assert "<script" not in made and "<i>" not in made and "<b>" not in made
    assert 'href="javascript' not in made
    assert '"onx' not in made
    assert re.findall(r"<(\w+)", made) == [
        "h1", "p", "a", "strong", "code", "ul", "li", "li", "blockquote", "p", "em", "p",
    ]  # fmt: skip
    link = to_html("see [the *page*](https://a.example/x_y_z) and [mail](mailto:a@b.example)")
    assert 'href="https://a.example/x_y_z"' in link
    assert 'href="mailto:a@b.example"' in link


def test_every_answer_has_the_policy(server: StudyServer) -> None:
    annotator = server.annotator()
    for path in ("/", "/work", "/static/send.js", "/nothing", "/a/x", "/owner"):
        headers = annotator.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers


def test_cookies(server: StudyServer) -> None:
    annotator = HttpAnnotator(server.url)
    cookie = annotator.get(urlsplit(server.links()[0]).path).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_owner(tmp_path: Path) -> None:
    name = make_study(tmp_path, TOML, RECORDS)
    with StudyServer(name) as own:
        owner = HttpAnnotator(own.url)
        assert owner.get("/owner").status == 404  # there is no password that anybody knows
        with open_database(name) as database:
            with pytest.raises(SpecError, match="10 or more"):
                set_password(database, "short")
            set_password(database, PASSWORD)
            (stored,) = database.read(
                lambda db: db.one("SELECT value FROM setting WHERE name = 'owner'")
            )
        assert stored.startswith("$argon2id$")
        assert PASSWORD not in stored
        owner.get("/owner")
        csrf = owner.hidden("csrf")
        assert owner.post("/owner/login", {"password": PASSWORD}).status == 403
        assert owner.post("/owner/login", {"csrf": csrf, "password": "wrong"}).status == 403
        annotator = own.annotator()
        owner.cookies["nlgauge_owner"] = annotator.cookies["nlgauge_study"]
        assert "Password" in owner.get("/owner").text  # an annotator is no owner
        answer = owner.post("/owner/login", {"csrf": csrf, "password": PASSWORD})
        assert answer.status == 303
        assert "SameSite=strict" in answer.headers["set-cookie"]
        page = owner.get("/owner")
        assert page.status == 200
        assert "Password" not in page.text
        own.site.guesses = RateLimit(0, 3)
        statuses = [
            owner.post("/owner/login", {"csrf": csrf, "password": "guess"}).status for _ in range(4)
        ]
        assert statuses == [403, 403, 403, 429]


def test_links_cannot_be_guessed_fast(tmp_path: Path) -> None:
    with StudyServer(make_study(tmp_path, TOML, RECORDS)) as own:
        stranger = HttpAnnotator(own.url)
        assert {stranger.get(f"/a/guess{k}").status for k in range(15)} == {403, 429}


def test_links_are_told_again_but_not_of_who_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = make_study(tmp_path, TOML, RECORDS)
    with open_database(name) as database:
        made = new_links(database, names=["ann", "ben"]) | new_links(database, days=1e-9)
        database.write(lambda db: delete_answers(db, 2))
    assert main(["annotate", "links", name, "--again"]) == 0
    assert capsys.readouterr().out == f"ann\t{made['ann']}\n"


def test_guesses_do_not_keep_out_others_behind_the_same_address(tmp_path: Path) -> None:
    with StudyServer(make_study(tmp_path, TOML, RECORDS)) as own:
        stranger = HttpAnnotator(own.url)
        assert [stranger.get(f"/a/guess{k}").status for k in range(12)][-1] == 429
        links = own.links(30)
        assert {HttpAnnotator(own.url).get(urlsplit(link).path).status for link in links} == {303}


def test_rate_limit_lets_go_on_after_a_while() -> None:
    now = [0.0]
    limit = RateLimit(2, 3, clock=lambda: now[0])
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]
    assert limit.allows("b")
    now[0] = 0.5
    assert [limit.allows("a") for _ in range(2)] == [True, False]


def test_deletion_on_request(tmp_path: Path) -> None:
    name = make_study(tmp_path, TOML, RECORDS)
    with StudyServer(name) as own:
        stays, goes = own.annotator(names=["stays"]), own.annotator(names=["goes-for-good"])
        for annotator in (stays, goes):
            for _ in range(3):
                annotator.open()
                assert annotator.answer({"q0.fluency": "3"}).status == 200
        goes.get("/leave")
        done = goes.post("/leave", {"csrf": goes.hidden("csrf")})
        assert "Deleted: 3 answers" in done.text
        assert goes.get("/work").status in (403, 410)
        assert stays.open()
        with open_database(name) as database:
            rows = database.read(lambda db: db.rows("SELECT annotator FROM judgements"))
            assert rows == [("stays",)] * 3
            # What was asked of the one who left is asked of others again.
            ((given,),) = database.read(lambda db: db.rows("SELECT SUM(given) FROM task"))
            assert given == 4
            with pytest.raises(Exception, match="only on request"):
                database.write(lambda db: db.run("DELETE FROM answer"))
            with pytest.raises(Exception, match="never changed"):
                database.write(lambda db: db.run("UPDATE answer SET seconds = 1"))
            with pytest.raises(Exception, match="never changed"):
                database.write(lambda db: db.run("UPDATE judgement SET value = 1"))
    assert b"goes-for-good" not in Path(name).read_bytes()


def test_deleted_words_are_shown_to_nobody(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "cross-comprehension"\nfewest = 1\nmost = 1\n'
    record = {"id": "d", "document": "It rained.", "system": "robot", "hypothesis": "Rain, it was."}
    name = make_study(tmp_path, toml, [record, {**record, "system": "other"}])
    with StudyServer(name) as own:
        author = own.annotator(names=["goes-for-good"], role="author")
        author.open()
        author.answer({"q0.summary": "my-summary", "q0.question1": "my-question",
                       "q0.answer1": "my-answer"})  # fmt: skip
        reader = own.annotator(role="reader")
        assert reader.open()
        assert reader.answer({"q0.answer": "A reader's answer"}).status == 200
        assert reader.open()  # the second summary; and then the author leaves
        late = reader.fields()
        author.get("/leave")
        author.post("/leave", {"csrf": author.hidden("csrf")})
        for path in ("/work", "/work?at=1"):
            assert reader.get(path).status in (200, 303)
            assert "my-question" not in reader.page
        assert not reader.open()
        assert reader.post("/answer", {**late, "q0.answer": "Too late"}).status == 403
        assert not own.annotator(role="judge").open()
    kept = Path(name).read_bytes()
    assert b"my-" not in kept
    assert b"goes-for-good" not in kept
    assert b"A reader's answer" in kept


def test_deleted_units_of_a_pyramid_go(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "pyramid"\n[assignment]\nannotators = 1\n'
    record = {"id": "d", "references": ["Rain.", "Rain."], "system": "s", "hypothesis": "Rained."}
    name = make_study(tmp_path, toml, [record])
    with StudyServer(name) as own:
        builder, other = (own.annotator(names=[each]) for each in ("goes-for-good", "stays"))
        builder.open()
        builder.answer({"q0.units": '[{"text":"1","start":0,"end":4,"label":"my-unit"}]'})
        assert not other.open()  # the builder marks the output, too
        builder.get("/leave")
        builder.post("/leave", {"csrf": builder.hidden("csrf")})
        assert other.open()  # the pyramid is built anew
        assert "my-unit" not in other.page
    assert b"my-unit" not in Path(name).read_bytes()


def test_no_address_is_stored(server: StudyServer, capfd: pytest.CaptureFixture[str]) -> None:
    annotator = server.annotator()
    annotator.open()
    annotator.answer({"q0.fluency": "3"})
    annotator.get("/a/forged")
    with open_database(server.name) as database:
        tables = database.read(
            lambda db: [t for (t,) in db.rows("SELECT name FROM sqlite_master WHERE type='table'")]
        )
        for table in tables:
            rows = database.read(lambda db, table=table: db.rows(f"SELECT * FROM {table}"))
            assert "127.0.0.1" not in str(rows)
    assert "127.0.0.1" not in "".join(capfd.readouterr())


def test_secrets_differ_and_files_are_private(tmp_path: Path) -> None:
    secrets = []
    for k in range(2):
        folder = tmp_path / str(k)
        folder.mkdir()
        name = make_study(folder, TOML, RECORDS)
        assert Path(name).stat().st_mode & 0o777 == 0o600
        with open_database(name) as database:
            secrets.append(load_settings(database).secret)
    assert secrets[0] != secrets[1]
    assert min(map(len, secrets)) >= 40
