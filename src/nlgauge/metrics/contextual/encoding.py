"""The options of metrics that may look at one layer of an encoder."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.core.metric import State
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.models.cache.embeddings import Embeddings, embeddings_of
from nlgauge.models.encoders.encoder import HELP, Encoder, check_layers, find_encoder
from nlgauge.models.lookups import PieceLookup


@dataclass(frozen=True, kw_only=True)
class Encoding(LookupMetric[State]):
    """A metric that may look at one layer of an encoder, and the options that say which."""

    model: str = option("minilm", HELP)
    layer: int | None = option(
        None, "of the model; none: the best that is known, or the last", low=0, high=1000
    )
    device: str = option("cpu", "of torch; models that run without it are always on the processor")

    def encoder(self) -> Encoder:
        """Return the model, or raise ResourceMissing with the command to run."""
        return find_encoder(self.model, device=self.device)

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(self.encoder())

    def layer_of(self) -> int:
        """Return the layer that is meant."""
        encoder = self.encoder()
        if self.layer is not None:
            check_layers(encoder, [self.layer])
            return self.layer
        usual = self.layers_known().get(encoder.name.rpartition(" ")[0], encoder.layers)
        return min(usual, encoder.layers)

    def layers_known(self) -> dict[str, int]:
        """Return, by model, the layer that agrees best with people."""
        return {}

    def encoding(self) -> dict[str, str]:
        """Name the weights, and the layer if the options do not say it; for signatures."""
        layer = {} if self.layer is not None else {"layer": str(self.layer_of())}
        return {"model": self.encoder().name, **layer}

    def layers_read(self) -> tuple[int, ...]:
        """Return the layers that rows ask for; by default the one that is meant."""
        return (self.layer_of(),)

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        if self.asks_encoder():
            self.embeddings_in(corpus).expect(self.layers_read())

    def asks_encoder(self) -> bool:
        """Return whether these options look whole texts up in the encoder."""
        return self.asks_model()

    def embeddings_in(self, corpus: Corpus) -> Embeddings:
        """Return the store of the corpus's embeddings."""
        return embeddings_of(corpus, self.model, device=self.device)
