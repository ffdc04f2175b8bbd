"""The tables of a study, the same in SQLite and PostgreSQL, and upgrades of older ones.

Answers and judgements are only ever added: triggers refuse to change them, and to delete them
unless the annotator asked for it, which is on record in `deletion`. An answer to the same task
again is a further row; the last one counts, as the view `counted` says.
"""

from __future__ import annotations

from collections.abc import Sequence

VERSION = 3
# {id} and {bytes} are a key that counts by itself and a type for bytes.
TABLES = (
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE item (id {id}, name TEXT NOT NULL UNIQUE, record TEXT NOT NULL)",
    """CREATE TABLE output (id {id}, item BIGINT NOT NULL REFERENCES item, system TEXT NOT NULL,
        text TEXT NOT NULL, UNIQUE (item, system))""",
    # `given`: to how many annotators; `draw`: the place in a random order; `kind`: main, gold;
    # `arm`: the systems that it is about; `role`: of the annotators who may get it; `excluded`:
    # those who may not.
    """CREATE TABLE task (id {id}, page BIGINT NOT NULL, stage BIGINT NOT NULL, kind TEXT NOT NULL,
        item BIGINT REFERENCES item, outputs TEXT NOT NULL, data TEXT NOT NULL,
        wanted BIGINT NOT NULL, given BIGINT NOT NULL DEFAULT 0, draw BIGINT NOT NULL,
        role TEXT NOT NULL DEFAULT '', excluded TEXT NOT NULL DEFAULT '[]',
        arm TEXT NOT NULL DEFAULT '')""",
    "CREATE INDEX task_order ON task (kind, role, stage, given, draw) WHERE given < wanted",
    "CREATE INDEX task_arm ON task (kind, arm, given, draw) WHERE given < wanted",
    """CREATE TABLE annotator (id {id}, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
        slot BIGINT UNIQUE, expires BIGINT NOT NULL, consented BIGINT, state TEXT NOT NULL)""",
    # A design that was drawn before: which annotator, by number, gets which tasks.
    """CREATE TABLE plan (slot BIGINT NOT NULL, position BIGINT NOT NULL,
        task BIGINT NOT NULL REFERENCES task, PRIMARY KEY (slot, position))""",
    # `kind`: main, repeat, gold, control; `propensity`: how probable it was to be given.
    """CREATE TABLE assignment (id {id}, annotator BIGINT NOT NULL REFERENCES annotator,
        task BIGINT NOT NULL REFERENCES task, kind TEXT NOT NULL, position BIGINT NOT NULL,
        given_at DOUBLE PRECISION NOT NULL, propensity DOUBLE PRECISION,
        UNIQUE (annotator, task, kind))""",
    "CREATE INDEX assignment_of ON assignment (annotator, position)",
    """CREATE TABLE answer (id {id}, assignment BIGINT NOT NULL REFERENCES assignment,
        key TEXT NOT NULL UNIQUE, content TEXT NOT NULL, seconds DOUBLE PRECISION,
        answered_at DOUBLE PRECISION NOT NULL, correct BIGINT)""",
    "CREATE INDEX answer_of ON answer (assignment, id)",
    # `answer` is empty for what was known before, such as labels of the corpus.
    """CREATE TABLE judgement (answer BIGINT REFERENCES answer, item TEXT, system TEXT,
        criterion TEXT, label TEXT, against TEXT, protocol TEXT, part TEXT, annotator TEXT,
        value DOUBLE PRECISION, severity TEXT, span_start BIGINT, span_end BIGINT)""",
    "CREATE INDEX judgement_of ON judgement (answer)",
    "CREATE TABLE media (name TEXT PRIMARY KEY, type TEXT NOT NULL, data {bytes} NOT NULL)",
    """CREATE TABLE deletion (annotator BIGINT NOT NULL REFERENCES annotator,
        asked_at DOUBLE PRECISION NOT NULL)""",
)
# Only the last answer counts, and of a task that was repeated only the first time.
VIEWS = (
    """CREATE VIEW counted AS SELECT answer.* FROM answer JOIN
        (SELECT assignment, MAX(id) AS id FROM answer GROUP BY assignment) AS last
        ON last.id = answer.id""",
    """CREATE VIEW judgements AS SELECT judgement.item, judgement.system,
        COALESCE(annotator.name, judgement.annotator) AS annotator, judgement.criterion,
        judgement.label, judgement.against, judgement.protocol, judgement.part, judgement.value,
        counted.seconds, COALESCE(assignment.kind, 'main') AS kind, assignment.propensity,
        counted.id AS answer, counted.answered_at, judgement.severity, judgement.span_start,
        judgement.span_end
        FROM judgement LEFT JOIN counted ON counted.id = judgement.answer
        LEFT JOIN assignment ON assignment.id = counted.assignment
        LEFT JOIN annotator ON annotator.id = assignment.annotator
        WHERE judgement.answer IS NULL OR counted.id IS NOT NULL""",
)
_ASKED = """SELECT 1 FROM deletion JOIN assignment ON assignment.annotator = deletion.annotator
    JOIN answer ON answer.assignment = assignment.id WHERE answer.id = """
SQLITE_TRIGGERS = (
    *(
        f"""CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table}
            BEGIN SELECT RAISE(ABORT, '{table}s are never changed'); END"""
        for table in ("answer", "judgement")
    ),
    *(
        f"""CREATE TRIGGER {table}_stays BEFORE DELETE ON {table}
            WHEN NOT EXISTS ({_ASKED} OLD.{column})
            BEGIN SELECT RAISE(ABORT, '{table}s are deleted only on request'); END"""
        for table, column in (("answer", "id"), ("judgement", "answer"))
    ),
)
POSTGRES_TRIGGERS = (
    """CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '% is never changed', TG_TABLE_NAME; END $$""",
    f"""CREATE FUNCTION answer_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NOT EXISTS ({_ASKED} OLD.id) THEN
        RAISE EXCEPTION 'answers are deleted only on request'; END IF; RETURN OLD; END $$""",
    f"""CREATE FUNCTION judgement_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NOT EXISTS ({_ASKED} OLD.answer) THEN
        RAISE EXCEPTION 'judgements are deleted only on request'; END IF; RETURN OLD; END $$""",
    *(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION kept()"
        for table in ("answer", "judgement")
    ),
    *(
        f"""CREATE TRIGGER {table}_stays BEFORE DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION {table}_stays()"""
        for table in ("answer", "judgement")
    ),
)
# What brings a study of the version before up to each version. Version 1 had neither propensities
# nor roles, version 2 no places of marks.
UPGRADES: dict[int, Sequence[str]] = {
    2: (
        "DROP VIEW judgements",
        "ALTER TABLE assignment ADD COLUMN propensity DOUBLE PRECISION",
        "ALTER TABLE task ADD COLUMN role TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE task ADD COLUMN excluded TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE task ADD COLUMN arm TEXT NOT NULL DEFAULT ''",
        "DROP INDEX task_order",
        *TABLES[4:6],
    ),
    3: (
        "DROP VIEW IF EXISTS judgements",
        "ALTER TABLE judgement ADD COLUMN severity TEXT",
        "ALTER TABLE judgement ADD COLUMN span_start BIGINT",
        "ALTER TABLE judgement ADD COLUMN span_end BIGINT",
        VIEWS[1],
    ),
}
