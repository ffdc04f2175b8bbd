"""What guards say of the sentences of a language before a metric starts."""

import warnings

from support.languages import SENTENCES

from nlgauge import Corpus, DataError, TextWarning
from nlgauge.core import registry
from nlgauge.core.understanding import guards


def texts(language: str) -> Corpus:
    """Two outputs, each with the other sentence for its reference and source."""
    _, one, other = SENTENCES[language]
    return Corpus.build([one, other], [[other], [one]], sources=[other, one])


def doubts(spec: str, corpus: Corpus) -> list[str]:
    """What is said before a metric starts, an error as well."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", TextWarning)
        try:
            guards.check({spec: registry.metric(spec)}, [corpus])
        except DataError as error:
            return [f"error: {error}"]
    return [str(each.message) for each in said if issubclass(each.category, TextWarning)]
