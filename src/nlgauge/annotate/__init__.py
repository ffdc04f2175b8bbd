"""Studies with people: forms, assignment, answers that are not lost, and pages in a browser."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.annotate.design.study import Study as Study
    from nlgauge.annotate.design.study_file import read_study as read_study
    from nlgauge.annotate.forms.protocol import Protocol as Protocol
    from nlgauge.annotate.protocols.registry import PROTOCOLS as PROTOCOLS
    from nlgauge.annotate.status import StudyStatus as StudyStatus
    from nlgauge.annotate.status import study_status as study_status
    from nlgauge.annotate.store.database import StudyDatabase as StudyDatabase
    from nlgauge.annotate.store.database import open_database as open_database
    from nlgauge.annotate.store.exporting import study_answers as study_answers
    from nlgauge.annotate.store.exporting import study_judgements as study_judgements
    from nlgauge.annotate.studies import known_links as known_links
    from nlgauge.annotate.studies import new_links as new_links
    from nlgauge.annotate.studies import new_study as new_study

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.annotate.design.study": ["Study"],
        "nlgauge.annotate.design.study_file": ["read_study"],
        "nlgauge.annotate.forms.protocol": ["Protocol"],
        "nlgauge.annotate.protocols.registry": ["PROTOCOLS"],
        "nlgauge.annotate.status": ["StudyStatus", "study_status"],
        "nlgauge.annotate.store.database": ["StudyDatabase", "open_database"],
        "nlgauge.annotate.store.exporting": ["study_answers", "study_judgements"],
        "nlgauge.annotate.studies": ["known_links", "new_links", "new_study"],
    },
)
