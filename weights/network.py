"""Define the network behind parser and labeller: an encoder, and a small head for each task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from batches import REACH, Batch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding
from transformers import BertModel

from nlgauge.models.structure.word_reader import SHAPES


@dataclass(frozen=True)
class Sizes:
    """Sizes are how many labels of each kind there are, and the width of the two span layers."""

    tags: int
    labels: int
    roles: int
    parse_width: int = 256
    role_width: int = 384


class Network(nn.Module):
    """The network scores tags, predicates, constituents and arguments."""

    def __init__(self, base: str | Path, sizes: Sizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.encoder = BertModel.from_pretrained(
            base, add_pooling_layer=False, attention_probs_dropout_prob=0.0
        )
        embeddings = self.encoder.embeddings
        first = embeddings.token_type_embeddings.weight.data[0]
        # The encoder knows no capitals: the shape of a word takes the place of the segment.
        embeddings.token_type_embeddings = nn.Embedding.from_pretrained(
            first.repeat(SHAPES, 1), freeze=False
        )
        embeddings.word_embeddings.weight.requires_grad_(False)
        embeddings.position_embeddings.weight.requires_grad_(False)
        width = 2 * self.encoder.config.hidden_size
        self.tag = nn.Linear(width, sizes.tags)
        self.predicate = nn.Linear(width, 2)
        self.parse_left = nn.Linear(width, sizes.parse_width)
        self.parse_right = nn.Linear(width, sizes.parse_width, bias=False)
        self.parse_label = nn.Linear(sizes.parse_width, sizes.labels)
        self.role_left = nn.Linear(width, sizes.role_width)
        self.role_right = nn.Linear(width, sizes.role_width, bias=False)
        self.role_predicate = nn.Linear(width, sizes.role_width, bias=False)
        self.role_start = nn.Embedding(2 * REACH + 1, sizes.role_width)
        self.role_end = nn.Embedding(2 * REACH + 1, sizes.role_width)
        self.role_label = nn.Linear(sizes.role_width, sizes.roles)
        for table in (self.role_start, self.role_end):
            nn.init.normal_(table.weight, std=0.05)
        self.dropout = nn.Dropout(dropout)

    def heads(self) -> list[nn.Parameter]:
        """Return all parameters that are not the encoder's."""
        return [p for name, p in self.named_parameters() if not name.startswith("encoder.")]

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return scores of tags and predicates by word, of labels by span, of roles by pair."""
        hidden = self.encoder(
            input_ids=torch.from_numpy(batch.ids),
            attention_mask=torch.from_numpy(batch.mask),
            token_type_ids=torch.from_numpy(batch.shapes),
        ).last_hidden_state
        hidden = self.dropout(hidden.flatten(0, 1))
        first, last = hidden[torch.from_numpy(batch.first)], hidden[torch.from_numpy(batch.last)]
        words = torch.cat([first, last], dim=1)
        # A gap between words sees the last piece before it and the first one after it.
        before, after = (
            hidden[torch.from_numpy(batch.before)],
            hidden[torch.from_numpy(batch.after)],
        )
        gaps = torch.cat([before, after], dim=1)

        left, right = torch.from_numpy(batch.left), torch.from_numpy(batch.right)
        spans = embedding(left, self.parse_left(gaps)) + embedding(right, self.parse_right(gaps))
        labels = self.parse_label(spans.relu_())

        predicates = self.role_predicate(words[torch.from_numpy(batch.predicates)])
        of, gap = torch.from_numpy(batch.of), torch.from_numpy(batch.gap)
        starts = embedding(of, predicates) + embedding(gap, self.role_left(gaps))
        starts = starts + self.role_start(torch.from_numpy(batch.start))
        ends = embedding(gap, self.role_right(gaps))
        ends = ends + self.role_end(torch.from_numpy(batch.end))
        pairs = embedding(torch.from_numpy(batch.pair_left), starts)
        pairs = pairs + embedding(torch.from_numpy(batch.pair_right), ends)
        roles = self.role_label(pairs.relu_())
        return self.tag(words), self.predicate(words), labels, roles

    def losses(self, batch: Batch) -> dict[str, Tensor]:
        """Return cross-entropies in nats per word."""
        tags, predicates, labels, roles = self(batch)
        each = {
            "tags": (tags, batch.tags),
            "predicates": (predicates, batch.is_predicate),
            "labels": (labels, batch.labels),
        }
        count = len(batch.tags)
        found = {
            name: cross_entropy(scores, torch.from_numpy(gold), reduction="sum") / count
            for name, (scores, gold) in each.items()
        }
        by_pair = cross_entropy(roles, torch.from_numpy(batch.pair_roles), reduction="none")
        found["roles"] = by_pair @ torch.from_numpy(batch.pair_weights) / count
        return found
