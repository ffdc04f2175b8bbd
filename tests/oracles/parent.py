"""PARENT as its paper and official tool define it, n-gram by n-gram."""

from __future__ import annotations

import math
from collections import Counter


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above, row = row, [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]


def overlap(table):
    known = {word for _, value in table for word in value.split()}
    return lambda gram: sum(word in known for word in gram) / len(gram)


def cooccurrence(table, counts):
    known = {word for _, value in table for word in value.split()}
    known |= {"_".join(attribute.split()) for attribute, _ in table}

    def likely(word):
        if word in known:
            return 1.0
        given = [counts.get(f"{b}|||{word}", 0) / counts[b] for b in known if b in counts]
        return max(given, default=0.0)

    return lambda gram: math.prod(map(likely, gram)) ** (1 / len(gram))


def mentioned(table, text):
    shares = [lcs(v.split(), text) / len(v.split()) for _, v in table if v.split()]
    return sum(shares) / len(shares) if shares else 1.0


def geometric(values):
    return 0.0 if 0 in values else math.prod(values) ** (1 / len(values))


def parent(hyp, refs, table, *, order=4, weight=0.5, smoothing=1e-5, entailed=None):
    """F, precision and recall of the best non-empty reference; `weight` None: estimated."""
    entailed = entailed or overlap(table)
    hyp, results = hyp.split(), []
    for ref in (ref.split() for ref in refs if ref.split() and hyp):
        precisions, recalls = [], []
        for n in range(1, order + 1):
            ours, theirs = ngrams(hyp, n), ngrams(ref, n)
            top = 0.0
            for gram, count in ours.items():
                share = min(1, theirs[gram] / count)
                top += count * (share + (1 - share) * entailed(gram))
            precisions.append(top / ours.total() if ours else 0.0)
            bottom = sum(count * entailed(gram) for gram, count in theirs.items())
            top = sum(
                count * entailed(gram) * min(1, ours[gram] / count)
                for gram, count in theirs.items()
            )
            recalls.append(top / bottom if bottom else 1.0)
        precisions[1:] = [p or smoothing for p in precisions[1:]]
        recalls[1:] = [r or smoothing for r in recalls[1:]]
        precision = geometric(precisions)
        share = 1 - mentioned(table, ref) if weight is None else weight
        ref_recall = geometric(recalls) or smoothing
        recall = ref_recall ** (1 - share) * (mentioned(table, hyp) or smoothing) ** share
        f = 2 * precision * recall / (precision + recall + 1e-8)
        results.append((f, precision, recall))
    return max(results, key=lambda result: result[0], default=(0.0, 0.0, 0.0))
