"""Read texts, judgements, scores and annotations, and write files that are whole or not there."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.io.annotations.brackets import read_trees as read_trees
    from nlgauge.io.annotations.brackets import write_trees as write_trees
    from nlgauge.io.annotations.conllu import read_conllu as read_conllu
    from nlgauge.io.annotations.conllu import write_conllu as write_conllu
    from nlgauge.io.annotations.roles import read_roles as read_roles
    from nlgauge.io.annotations.roles import write_roles as write_roles
    from nlgauge.io.judgements.judged_outputs import read_outputs as read_outputs
    from nlgauge.io.judgements.judgement_files import read_judgements as read_judgements
    from nlgauge.io.judgements.judgement_files import write_judgements as write_judgements
    from nlgauge.io.scores.score_files import read_scores as read_scores
    from nlgauge.io.scores.topic_similarities import read_similarities as read_similarities
    from nlgauge.io.texts.sources import read_documents as read_documents
    from nlgauge.io.texts.suites import FORMATS as FORMATS
    from nlgauge.io.texts.suites import guess_format as guess_format
    from nlgauge.io.texts.suites import read_suite as read_suite
    from nlgauge.io.write import atomic_write as atomic_write
    from nlgauge.io.write import write_jsonl as write_jsonl
    from nlgauge.io.write import write_tsv as write_tsv

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.io.annotations.brackets": ["read_trees", "write_trees"],
        "nlgauge.io.annotations.conllu": ["read_conllu", "write_conllu"],
        "nlgauge.io.annotations.roles": ["read_roles", "write_roles"],
        "nlgauge.io.judgements.judged_outputs": ["read_outputs"],
        "nlgauge.io.judgements.judgement_files": ["read_judgements", "write_judgements"],
        "nlgauge.io.scores.score_files": ["read_scores"],
        "nlgauge.io.scores.topic_similarities": ["read_similarities"],
        "nlgauge.io.texts.sources": ["read_documents"],
        "nlgauge.io.texts.suites": ["FORMATS", "guess_format", "read_suite"],
        "nlgauge.io.write": ["atomic_write", "write_jsonl", "write_tsv"],
    },
)
