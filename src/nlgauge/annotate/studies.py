"""The steps of a study from Python, as the commands take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlgauge.annotate.design.study_file import read_study
from nlgauge.annotate.design.study_records import read_records
from nlgauge.annotate.store.annotators import Annotator, add_annotators, linked_annotators
from nlgauge.annotate.store.database import StudyDatabase, is_address, open_database
from nlgauge.annotate.store.sqlite import remove_study
from nlgauge.annotate.store.studies import create_study, load_settings
from nlgauge.errors import SpecError, fetch
from nlgauge.io.files import read_utf8

LOCAL = "http://127.0.0.1:8000"  # where `serve` listens unless told


def new_study(study_file: str, outputs: Sequence[str], database: str) -> StudyDatabase:
    """Check a study and its records, and make its database, which is returned open."""
    study = read_study(study_file)
    records = read_records(outputs, study)
    text = read_utf8(study_file).decode()
    made = open_database(database, new=True)
    try:
        create_study(made, text, study, records)
    except BaseException:
        made.close()
        if not is_address(database):  # nothing half made stays behind
            remove_study(database)
        raise
    return made


def new_links(
    database: StudyDatabase, count: int = 1, *, names: Sequence[str] = (), role: str = "",
    days: float = 30, url: str = LOCAL,
) -> dict[str, str]:  # fmt: skip
    """Add annotators and return the links to send them, by their pseudonyms."""
    if count < 1 or days <= 0:
        raise SpecError(f"count={count}, days={days:g}: both must be above 0")
    study = load_settings(database).study
    roles = sorted({page.role for page in study.pages} | study.later_roles)
    if role not in roles:
        known = " or ".join(f"--role {each}" if each else "no role" for each in roles)
        raise SpecError(f"role={role!r}: nobody with it has a task in this study; give {known}")
    link = _linking(database, url)
    added = database.write(lambda db: add_annotators(db, count, names=names, role=role, days=days))
    return {annotator.name: link(annotator) for annotator in added}


def known_links(database: StudyDatabase, *, url: str = LOCAL) -> dict[str, str]:
    """Return once more the links of all annotators who have one that is valid."""
    link = _linking(database, url)
    return {annotator.name: link(annotator) for annotator in database.read(linked_annotators)}


def _linking(database: StudyDatabase, url: str) -> Callable[[Annotator], str]:
    try:
        from nlgauge.annotate.web.tokens import Tokens
    except ImportError as error:
        from nlgauge.errors import ResourceMissing

        raise ResourceMissing(f"links need {error.name}", remedy=fetch("annotate")) from None
    if not url.startswith(("http://", "https://")):
        raise SpecError(f"url={url!r}: expected an address like https://study.example.org")
    tokens = Tokens(load_settings(database).secret)
    return lambda annotator: f"{url.rstrip('/')}/a/{tokens.link(annotator)}"
