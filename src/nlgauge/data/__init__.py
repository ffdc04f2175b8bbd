"""Hold what is scored and judged: corpora, judgements, and the leaf types of annotations."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.data.constituents import Constituent as Constituent
    from nlgauge.data.constituents import TreeParser as TreeParser
    from nlgauge.data.contexts import Context as Context
    from nlgauge.data.corpus import Corpus as Corpus
    from nlgauge.data.corpus import References as References
    from nlgauge.data.corpus import Suite as Suite
    from nlgauge.data.error_spans import ErrorSpan as ErrorSpan
    from nlgauge.data.frames import Frame as Frame
    from nlgauge.data.frames import FrameSentence as FrameSentence
    from nlgauge.data.frames import Role as Role
    from nlgauge.data.frames import RoleLabeller as RoleLabeller
    from nlgauge.data.judge_server import JudgeServer as JudgeServer
    from nlgauge.data.judgements import Judgements as Judgements
    from nlgauge.data.parses import Parse as Parse
    from nlgauge.data.parses import Parser as Parser
    from nlgauge.data.run_context import RunContext as RunContext
    from nlgauge.data.text_lists import TextLists as TextLists
    from nlgauge.data.topic_similarities import TopicSimilarities as TopicSimilarities
    from nlgauge.kernels import Texts as Texts

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.data.constituents": ["Constituent", "TreeParser"],
        "nlgauge.data.run_context": ["RunContext"],
        "nlgauge.data.contexts": ["Context"],
        "nlgauge.data.corpus": ["Corpus", "References", "Suite"],
        "nlgauge.data.error_spans": ["ErrorSpan"],
        "nlgauge.data.frames": ["Frame", "FrameSentence", "Role", "RoleLabeller"],
        "nlgauge.data.judge_server": ["JudgeServer"],
        "nlgauge.data.judgements": ["Judgements"],
        "nlgauge.data.parses": ["Parse", "Parser"],
        "nlgauge.data.text_lists": ["TextLists"],
        "nlgauge.data.topic_similarities": ["TopicSimilarities"],
        "nlgauge.kernels": ["Texts"],
    },
)
