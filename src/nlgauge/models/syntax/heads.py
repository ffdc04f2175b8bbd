"""Turn constituents into dependencies by the head rules of Collins (1999) for English."""

from __future__ import annotations

from nlgauge.data.constituents import Constituent
from nlgauge.data.parses import ROOT, Parse

# For each label: the side to start from, and the children to look for, the most wanted first.
RULES = {
    "ADJP": (
        "left",
        "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
    ),
    "ADVP": ("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": ("right", "CC RB IN"),
    "FRAG": ("right", ""),
    "INTJ": ("left", ""),
    "LST": ("right", "LS :"),
    "NAC": ("left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "PP": ("right", "IN TO VBG VBN RP FW"),
    "PRN": ("left", ""),
    "PRT": ("right", "RP"),
    "QP": ("left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": ("right", "VP NP ADVP ADJP PP"),
    "S": ("left", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": ("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": ("left", "SQ S SINV SBARQ FRAG"),
    "SINV": ("left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": ("left", "VBZ VBD VBP VB MD VP SQ"),
    "UCP": ("right", ""),
    "VP": ("left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": ("left", "CC WRB JJ ADJP"),
    "WHADVP": ("right", "CC WRB"),
    "WHNP": ("left", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": ("right", "IN TO FW"),
}
# Noun phrases: any of a group, from its side; then the next group.
NOUN_PHRASE = (
    ("right", "NN NNP NNPS NNS NX POS JJR"),
    ("left", "NP"),
    ("right", "$ ADJP PRN"),
    ("right", "CD"),
    ("right", "JJ JJS RB QP"),
)
_UNIVERSAL = {
    **dict.fromkeys("NN NNS".split(), "NOUN"),
    **dict.fromkeys("NNP NNPS".split(), "PROPN"),
    **dict.fromkeys("VB VBD VBG VBN VBP VBZ".split(), "VERB"),
    **dict.fromkeys("JJ JJR JJS".split(), "ADJ"),
    **dict.fromkeys("RB RBR RBS WRB".split(), "ADV"),
    **dict.fromkeys("DT PDT WDT".split(), "DET"),
    **dict.fromkeys("PRP PRP$ WP WP$ EX".split(), "PRON"),
    **dict.fromkeys("IN RP".split(), "ADP"),
    **dict.fromkeys("TO POS".split(), "PART"),
    **dict.fromkeys("# $ SYM".split(), "SYM"),
    **dict.fromkeys(", . : `` '' -LRB- -RRB-".split(), "PUNCT"),
    **{"MD": "AUX", "CC": "CCONJ", "CD": "NUM", "UH": "INTJ"},
}


def head_child(label: str, children: list[str]) -> int:
    """Return which child, by their labels, is the head of a constituent with that label."""
    head = _noun_phrase(children) if label in ("NP", "NX") else _ruled(label, children)
    # Of a coordination, the head is what comes before the conjunction.
    if head >= 2 and children[head - 1] in ("CC", "CONJP"):
        head -= 2
    return head


def _ruled(label: str, children: list[str]) -> int:
    side, wanted = RULES.get(label, ("left", ""))
    order = range(len(children)) if side == "left" else range(len(children))[::-1]
    for name in wanted.split():
        for i in order:
            if children[i] == name:
                return i
    return order[0]


def _noun_phrase(children: list[str]) -> int:
    if children[-1] == "POS":
        return len(children) - 1
    for side, wanted in NOUN_PHRASE:
        order = range(len(children)) if side == "left" else range(len(children))[::-1]
        for i in order:
            if children[i] in wanted.split():
                return i
    return len(children) - 1


def dependencies(tree: Constituent) -> Parse:
    """Return the parse in which each word depends on the head of the smallest constituent of which
    it is not the head; the relation is the label of the largest one of which it is.
    """
    words: list[Constituent] = []
    found: dict[int, int] = {}  # by constituent: its head word's number
    heads: dict[int, int] = {}
    relations: dict[int, str] = {}
    stack = [(tree, False)]  # without recursion: trees may be deep
    while stack:
        node, done = stack.pop()
        if node.word is not None:
            words.append(node)
            found[id(node)] = len(words)
        elif not done:
            stack += [(node, True), *((child, False) for child in reversed(node.children))]
        else:
            numbers = [found[id(child)] for child in node.children]
            head = numbers[head_child(node.label, [child.label for child in node.children])]
            found[id(node)] = head
            for child, number in zip(node.children, numbers, strict=True):
                if number != head:
                    heads[number], relations[number] = head, child.label
    tags = tuple(node.label for node in words)
    spelt = tuple(node.word or "" for node in words)
    places = range(1, len(words) + 1)
    return Parse(
        words=spelt,
        lemmas=spelt,
        tags=tuple(_UNIVERSAL.get(tag, "X") for tag in tags),
        fine_tags=tags,
        heads=tuple(heads.get(i, ROOT) for i in places),
        relations=tuple(relations.get(i, "root") for i in places),
    )
