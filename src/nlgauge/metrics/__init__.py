"""The metrics, one file each, by family; every class is exported here."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports_when_asked

if TYPE_CHECKING:
    from nlgauge.metrics.alignment.gtm import GTM as GTM
    from nlgauge.metrics.alignment.meteor import METEOR as METEOR
    from nlgauge.metrics.alignment.meteor_next import METEOR15 as METEOR15
    from nlgauge.metrics.alignment.meteor_pp import MeteorPP as MeteorPP
    from nlgauge.metrics.alignment.meteor_pp import MeteorPP2 as MeteorPP2
    from nlgauge.metrics.alignment.uniprf import UniPRF as UniPRF
    from nlgauge.metrics.character.character import CharacTER as CharacTER
    from nlgauge.metrics.character.chrf import ChrF as ChrF
    from nlgauge.metrics.character.eed import EED as EED
    from nlgauge.metrics.character.yisi import YiSi0 as YiSi0
    from nlgauge.metrics.checkpoints.comet import COMET as COMET
    from nlgauge.metrics.checkpoints.comet import XCOMET as XCOMET
    from nlgauge.metrics.checkpoints.comet import COMETKiwi as COMETKiwi
    from nlgauge.metrics.checkpoints.regressors import BleurtCheckpoint as BleurtCheckpoint
    from nlgauge.metrics.checkpoints.regressors import MetricXReference as MetricXReference
    from nlgauge.metrics.checkpoints.regressors import MetricXSource as MetricXSource
    from nlgauge.metrics.content.network import WordNetwork as WordNetwork
    from nlgauge.metrics.content.nuggets import NuggetF as NuggetF
    from nlgauge.metrics.content.pourpre import POURPRE as POURPRE
    from nlgauge.metrics.content.similarity import SimAVLS as SimAVLS
    from nlgauge.metrics.content.similarity import SimR as SimR
    from nlgauge.metrics.content.similarity import SimRpre as SimRpre
    from nlgauge.metrics.content.similarity import SimTVM as SimTVM
    from nlgauge.metrics.content.units import Factoid as Factoid
    from nlgauge.metrics.content.units import Pyramid as Pyramid
    from nlgauge.metrics.content.units import RelativeUtility as RelativeUtility
    from nlgauge.metrics.contextual.bertscore import BERTr as BERTr
    from nlgauge.metrics.contextual.bertscore import BERTScore as BERTScore
    from nlgauge.metrics.contextual.moverscore import MoverScore as MoverScore
    from nlgauge.metrics.contextual.source_similarity import SourceSimilarity as SourceSimilarity
    from nlgauge.metrics.contextual.yisi import YiSi1 as YiSi1
    from nlgauge.metrics.contextual.yisi import YiSi2 as YiSi2
    from nlgauge.metrics.dialogue.adem import ADEM as ADEM
    from nlgauge.metrics.dialogue.cmade import CMADE as CMADE
    from nlgauge.metrics.dialogue.diversity import Distinct as Distinct
    from nlgauge.metrics.dialogue.diversity import SelfBLEU as SelfBLEU
    from nlgauge.metrics.dialogue.gan_d import GanDiscriminator as GanDiscriminator
    from nlgauge.metrics.dialogue.leic import LEIC as LEIC
    from nlgauge.metrics.dialogue.maude import MAUDE as MAUDE
    from nlgauge.metrics.dialogue.reply_cosine import ReplyCosine as ReplyCosine
    from nlgauge.metrics.dialogue.reply_length import ReplyLength as ReplyLength
    from nlgauge.metrics.dialogue.roberta_eval import RobertaEval as RobertaEval
    from nlgauge.metrics.dialogue.ruber import RUBER as RUBER
    from nlgauge.metrics.dialogue.ruber import RuberBERT as RuberBERT
    from nlgauge.metrics.dialogue.ssrem import SSREM as SSREM
    from nlgauge.metrics.edit.accuracy import GSA as GSA
    from nlgauge.metrics.edit.accuracy import SSA as SSA
    from nlgauge.metrics.edit.cder import CDER as CDER
    from nlgauge.metrics.edit.invwer import INVWER as INVWER
    from nlgauge.metrics.edit.iter import ITER as ITER
    from nlgauge.metrics.edit.per import MPER as MPER
    from nlgauge.metrics.edit.per import PER as PER
    from nlgauge.metrics.edit.recognition import CER as CER
    from nlgauge.metrics.edit.recognition import MER as MER
    from nlgauge.metrics.edit.recognition import WIL as WIL
    from nlgauge.metrics.edit.recognition import WIP as WIP
    from nlgauge.metrics.edit.ter import TER as TER
    from nlgauge.metrics.edit.terp import TERp as TERp
    from nlgauge.metrics.edit.wer import MWER as MWER
    from nlgauge.metrics.edit.wer import WER as WER
    from nlgauge.metrics.embedding.cosine import EmbeddingAverage as EmbeddingAverage
    from nlgauge.metrics.embedding.cosine import GreedyMatching as GreedyMatching
    from nlgauge.metrics.embedding.cosine import VectorExtrema as VectorExtrema
    from nlgauge.metrics.embedding.ruber import RuberReferenced as RuberReferenced
    from nlgauge.metrics.embedding.sentence_mover import SMS as SMS
    from nlgauge.metrics.embedding.we_wpi import WEWPI as WEWPI
    from nlgauge.metrics.embedding.wmd import WMD as WMD
    from nlgauge.metrics.embedding.wmd import WMDSimilarity as WMDSimilarity
    from nlgauge.metrics.embedding.wmdo import WMDO as WMDO
    from nlgauge.metrics.grounded.parent import PARENT as PARENT
    from nlgauge.metrics.grounded.rouge_c import RougeC as RougeC
    from nlgauge.metrics.judge.direct_assessment import JudgeDA as JudgeDA
    from nlgauge.metrics.judge.error_judges import JudgeESA as JudgeESA
    from nlgauge.metrics.judge.error_judges import JudgeMQM as JudgeMQM
    from nlgauge.metrics.judge.pairwise_judge import JudgePairwise as JudgePairwise
    from nlgauge.metrics.judge.rubric import JudgeRubric as JudgeRubric
    from nlgauge.metrics.likelihood.conditional import ReferenceLikelihood as ReferenceLikelihood
    from nlgauge.metrics.likelihood.conditional import SourceLikelihood as SourceLikelihood
    from nlgauge.metrics.likelihood.perplexity import Perplexity as Perplexity
    from nlgauge.metrics.ngram.aev import PS as PS
    from nlgauge.metrics.ngram.aev import RS as RS
    from nlgauge.metrics.ngram.aev import AEv as AEv
    from nlgauge.metrics.ngram.answers import ExactMatch as ExactMatch
    from nlgauge.metrics.ngram.answers import TokenF1 as TokenF1
    from nlgauge.metrics.ngram.bleu import BLEU as BLEU
    from nlgauge.metrics.ngram.cider import CIDEr as CIDEr
    from nlgauge.metrics.ngram.cider import CIDErD as CIDErD
    from nlgauge.metrics.ngram.companions import Compression as Compression
    from nlgauge.metrics.ngram.companions import Novelty as Novelty
    from nlgauge.metrics.ngram.companions import Repetition as Repetition
    from nlgauge.metrics.ngram.delta_bleu import DeltaBLEU as DeltaBLEU
    from nlgauge.metrics.ngram.gleu import GLEU as GLEU
    from nlgauge.metrics.ngram.nist import NIST as NIST
    from nlgauge.metrics.ngram.overlap import WordOverlap as WordOverlap
    from nlgauge.metrics.ngram.rouge_l import RougeL as RougeL
    from nlgauge.metrics.ngram.rouge_n import RougeN as RougeN
    from nlgauge.metrics.ngram.rouge_s import RougeS as RougeS
    from nlgauge.metrics.ngram.rouge_s import RougeSU as RougeSU
    from nlgauge.metrics.ngram.rouge_w import RougeW as RougeW
    from nlgauge.metrics.order.impact import IMPACT as IMPACT
    from nlgauge.metrics.order.rank import NKT as NKT
    from nlgauge.metrics.order.rank import NKTP as NKTP
    from nlgauge.metrics.order.rank import NSR as NSR
    from nlgauge.metrics.order.rank import NSRP as NSRP
    from nlgauge.metrics.order.rank import KendallDistance as KendallDistance
    from nlgauge.metrics.order.ribes import RIBES as RIBES
    from nlgauge.metrics.semantics.meant import MEANT as MEANT
    from nlgauge.metrics.semantics.meant import MEANT2 as MEANT2
    from nlgauge.metrics.semantics.xmeant import XMEANT as XMEANT
    from nlgauge.metrics.syntax.constituents import STM as STM
    from nlgauge.metrics.syntax.constituents import TKM as TKM
    from nlgauge.metrics.syntax.constituents import CPOverlap as CPOverlap
    from nlgauge.metrics.syntax.fragments import DSTM as DSTM
    from nlgauge.metrics.syntax.fragments import HWCM as HWCM
    from nlgauge.metrics.syntax.grammar import SimGram as SimGram
    from nlgauge.metrics.syntax.kernel import DTKM as DTKM
    from nlgauge.metrics.syntax.overlap import DPOverlap as DPOverlap
    from nlgauge.metrics.syntax.relations import DepF as DepF
    from nlgauge.metrics.syntax.spice import SPICE as SPICE
    from nlgauge.metrics.syntax.spice import SPIDEr as SPIDEr
    from nlgauge.metrics.syntax.treelets import GTA as GTA
    from nlgauge.metrics.syntax.treelets import QLA as QLA
    from nlgauge.metrics.syntax.treelets import STA as STA
    from nlgauge.metrics.syntax.treelets import UA as UA
    from nlgauge.metrics.trained.answerability import QBLEU as QBLEU
    from nlgauge.metrics.trained.answerability import QMETEOR as QMETEOR
    from nlgauge.metrics.trained.answerability import QNIST as QNIST
    from nlgauge.metrics.trained.answerability import QROUGE as QROUGE
    from nlgauge.metrics.trained.beer import BEER as BEER
    from nlgauge.metrics.trained.blend import BLEND as BLEND
    from nlgauge.metrics.trained.cross_encoders import BERTMTE as BERTMTE
    from nlgauge.metrics.trained.cross_encoders import BLEURT as BLEURT
    from nlgauge.metrics.trained.esim import ESIM as ESIM
    from nlgauge.metrics.trained.gauge import Gauge as Gauge
    from nlgauge.metrics.trained.human_or_machine import KSSVM as KSSVM
    from nlgauge.metrics.trained.human_or_machine import Composite as Composite
    from nlgauge.metrics.trained.human_or_machine import NNEval as NNEval
    from nlgauge.metrics.trained.nubia import NUBIA as NUBIA
    from nlgauge.metrics.trained.regression import Regression as Regression
    from nlgauge.metrics.trained.ruse import RUSE as RUSE
    from nlgauge.metrics.trained.simile import SIMILE as SIMILE


def _homes() -> dict[str, list[str]]:
    from nlgauge.core.registry import homes

    return homes()


__getattr__, __dir__ = exports_when_asked(__name__, _homes)
