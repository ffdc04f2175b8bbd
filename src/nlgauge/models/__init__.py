"""Load lexicons, vectors, encoders and parsers when they are first used, without metric logic."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.models.cache.analysis_stores import FrameStore as FrameStore
    from nlgauge.models.cache.analysis_stores import ParseStore as ParseStore
    from nlgauge.models.cache.analysis_stores import TreeStore as TreeStore
    from nlgauge.models.cache.embeddings import Embeddings as Embeddings
    from nlgauge.models.encoders.encoder import Encoder as Encoder
    from nlgauge.models.encoders.encoder import find_encoder as find_encoder
    from nlgauge.models.encoders.inference import Inference as Inference
    from nlgauge.models.encoders.inference import find_inference as find_inference
    from nlgauge.models.lexicon.wordnet import WordNet as WordNet
    from nlgauge.models.lexicon.wordnet import wordnet as wordnet
    from nlgauge.models.structure.annotator import labeller as labeller
    from nlgauge.models.structure.annotator import parser as parser
    from nlgauge.models.syntax.annotators import find_frames as find_frames
    from nlgauge.models.syntax.annotators import find_trees as find_trees
    from nlgauge.models.syntax.parsers import find_parser as find_parser
    from nlgauge.models.vectors.vector_files import read_vectors as read_vectors
    from nlgauge.models.vectors.vector_files import write_vectors as write_vectors
    from nlgauge.models.vectors.word_vectors import WordVectors as WordVectors
    from nlgauge.models.vectors.word_vectors import find_vectors as find_vectors

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.models.cache.analysis_stores": ["FrameStore", "ParseStore", "TreeStore"],
        "nlgauge.models.cache.embeddings": ["Embeddings"],
        "nlgauge.models.encoders.encoder": ["Encoder", "find_encoder"],
        "nlgauge.models.encoders.inference": ["Inference", "find_inference"],
        "nlgauge.models.lexicon.wordnet": ["WordNet", "wordnet"],
        "nlgauge.models.structure.annotator": ["labeller", "parser"],
        "nlgauge.models.syntax.annotators": ["find_frames", "find_trees"],
        "nlgauge.models.syntax.parsers": ["find_parser"],
        "nlgauge.models.vectors.vector_files": ["read_vectors", "write_vectors"],
        "nlgauge.models.vectors.word_vectors": ["WordVectors", "find_vectors"],
    },
)
