-- A study as the first version of the tables kept it: no roles, no propensities.
PRAGMA user_version = 1;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
CREATE TABLE output (id INTEGER PRIMARY KEY, item BIGINT NOT NULL REFERENCES item, system TEXT NOT NULL,
    text TEXT NOT NULL, UNIQUE (item, system));
CREATE TABLE task (id INTEGER PRIMARY KEY, page BIGINT NOT NULL, stage BIGINT NOT NULL, kind TEXT NOT NULL,
    item BIGINT REFERENCES item, outputs TEXT NOT NULL, data TEXT NOT NULL,
    wanted BIGINT NOT NULL, given BIGINT NOT NULL DEFAULT 0, draw BIGINT NOT NULL);
CREATE INDEX task_order ON task (kind, stage, given, draw);
CREATE TABLE annotator (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    slot BIGINT UNIQUE, expires BIGINT NOT NULL, consented BIGINT, state TEXT NOT NULL);
CREATE TABLE plan (slot BIGINT NOT NULL, position BIGINT NOT NULL,
    task BIGINT NOT NULL REFERENCES task, PRIMARY KEY (slot, position));
CREATE TABLE assignment (id INTEGER PRIMARY KEY, annotator BIGINT NOT NULL REFERENCES annotator,
    task BIGINT NOT NULL REFERENCES task, kind TEXT NOT NULL, position BIGINT NOT NULL,
    given_at DOUBLE PRECISION NOT NULL, UNIQUE (annotator, task, kind));
CREATE INDEX assignment_of ON assignment (annotator, position);
CREATE TABLE answer (id INTEGER PRIMARY KEY, assignment BIGINT NOT NULL REFERENCES assignment,
    key TEXT NOT NULL UNIQUE, content TEXT NOT NULL, seconds DOUBLE PRECISION,
    answered_at DOUBLE PRECISION NOT NULL, correct BIGINT);
CREATE INDEX answer_of ON answer (assignment, id);
CREATE TABLE judgement (answer BIGINT REFERENCES answer, item TEXT, system TEXT,
    criterion TEXT, label TEXT, against TEXT, protocol TEXT, part TEXT, annotator TEXT,
    value DOUBLE PRECISION);
CREATE INDEX judgement_of ON judgement (answer);
CREATE TABLE media (name TEXT PRIMARY KEY, type TEXT NOT NULL, data BLOB NOT NULL);
CREATE TABLE deletion (annotator BIGINT NOT NULL REFERENCES annotator, asked_at DOUBLE PRECISION NOT NULL);
CREATE VIEW counted AS SELECT answer.* FROM answer JOIN
    (SELECT assignment, MAX(id) AS id FROM answer GROUP BY assignment) AS last ON last.id = answer.id;
CREATE VIEW judgements AS SELECT judgement.item, judgement.system,
    COALESCE(annotator.name, judgement.annotator) AS annotator, judgement.criterion,
    judgement.label, judgement.against, judgement.protocol, judgement.part, judgement.value,
    counted.seconds, COALESCE(assignment.kind, 'main') AS kind,
    counted.id AS answer, counted.answered_at
    FROM judgement LEFT JOIN counted ON counted.id = judgement.answer
    LEFT JOIN assignment ON assignment.id = counted.assignment
    LEFT JOIN annotator ON annotator.id = assignment.annotator
    WHERE judgement.answer IS NULL OR counted.id IS NOT NULL;
INSERT INTO setting VALUES ('secret', 'a secret of the first version'), ('design', 'd1'), ('seed', '7'),
    ('study', '{"file": "title = \"Old\"\n[[question]]\nprotocol = \"fluency\"\n", "consent": "", "instructions": ""}');
INSERT INTO item VALUES (1, 'i1', '{}'), (2, 'i2', '{}');
INSERT INTO output VALUES (1, 1, 'north', 'One.'), (2, 2, 'north', 'Two.');
INSERT INTO task VALUES (1, 0, 0, 'main', 1, '[1]', '{}', 2, 1, 0), (2, 0, 0, 'main', 2, '[2]', '{}', 2, 0, 1);
INSERT INTO annotator VALUES (1, 'ann', '', NULL, 4000000000, 1, 'active');
INSERT INTO assignment VALUES (1, 1, 1, 'main', 1, 1000.0);
INSERT INTO answer VALUES (1, 1, '1/k', '{"form": {}, "answers": [{"fluency": "4"}]}', 2.5, 1003.0, NULL);
INSERT INTO judgement VALUES (1, 'i1', 'north', 'fluency', NULL, NULL, 'likert', NULL, NULL, 4.0);
