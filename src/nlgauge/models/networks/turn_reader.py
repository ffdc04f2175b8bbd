"""Score a reply after reading the turns before it one after the other, as MAUDE does (Sinha et
al., 2020). It needs no torch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats, checked_threads
from nlgauge.models.networks.esim_network import lstm_of
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, unpacked_arrays
from nlgauge.models.networks.reply_networks import layers_of, relu, run_layers


class TurnReader:
    """A turn reader projects vectors of utterances, reads those of the turns in both directions
    twice, and compares what is largest in each dimension with the reply.
    """

    def __init__(self, arrays: Arrays, width: int) -> None:
        found = unpacked_arrays(arrays)
        self._projection = PaddedLayer(found, "projection", width)
        inner = self._projection.outputs
        half = found["first.recurrent"].shape[1]
        self._first = lstm_of(found, "first", inner, half)
        self._second = lstm_of(found, "second", 2 * half, half)
        self._joined = PaddedLayer(found, "joined", 2 * half)
        if self._joined.outputs != inner:
            raise ValueError("what is read of turns and the reply are of two widths")
        self._layers = layers_of(found, 4 * inner)

    def predict(
        self,
        vectors: Floats,
        turns: npt.NDArray[np.intp],
        starts: npt.NDArray[np.int64],
        replies: npt.NDArray[np.intp],
        *,
        threads: int = 1,
    ) -> Floats:
        """Return logits of replies; the turns of segment i are turns[starts[i]:starts[i + 1]]."""
        threads = checked_threads(threads)
        stretched = np.asarray(vectors * np.sqrt(vectors.shape[1]), np.float32)
        small = self._projection(stretched, threads=threads)
        read = self._first(np.ascontiguousarray(small[turns]), starts, threads=threads)
        read = self._second(np.ascontiguousarray(read), starts, threads=threads)
        most = np.maximum.reduceat(read, starts[:-1], axis=0)
        context, reply = self._joined(most, threads=threads), small[replies]
        parts = [context, reply, np.abs(context - reply), context * reply]
        rows = np.concatenate(parts, axis=1)
        return run_layers(self._layers, rows, relu, threads=threads)
