"""The metrics that `nlgauge train` fits to judged outputs, and what each learns.

The module imports nothing, so that the command can list them without loading the library.
"""

TRAINABLE = {
    "beer": "the weights of matched characters, words and word order, from ranks or ratings",
    "bert-mte": "a network that reads hypothesis and reference at once, by torch",
    "blend": "a support vector regression over the scores of many metrics",
    "bleurt": "BERT-MTE's network, after it learned what other metrics say, by torch",
    "composite": "a network that tells captions of people from machines' by six scores",
    "nneval": "the same network, which looks at BLEU, too",
    "gauge": "our own metric of metrics, matches of vectors and networks",
    "ks-svm": "a plane between translations of people and of machines",
    "ruse": "a network on the vectors of both sentences, by torch",
    "nubia": "small networks on similarity, entailment, fluency and lengths, by torch",
    "esim": "a network that aligns the pieces of both sentences, by torch",
    "ruber": "a network that tells true replies of dialogues from others, by torch",
    "ruber-bert": "the same on vectors of an encoder, by torch",
    "ssrem": "a matrix between turns and replies, from who says what to whom, by torch",
    "maude": "a network that reads dialogues turn by turn, from broken replies, by torch",
    "adem": "matrices between context, reference and reply, from ratings, by torch",
    "roberta-eval": "next utterances of dialogues, then ratings of replies, by torch",
    "gan-d": "a network that tells turns of people from those of machines, by torch",
    "cmade": "which of two rated dialogues is better, in three stages, by torch",
    "leic": "a network that tells captions of people from others, by torch",
}
# Metrics that learn from whole dialogues, in place of judged outputs.
FROM_DIALOGUES = ("ruber", "ruber-bert", "ssrem", "maude", "gan-d", "cmade")
RATED_DIALOGUES = ("cmade",)  # those of them that learn ratings of dialogues
FIRST_STAGE = ("roberta-eval",)  # metrics that learn from dialogues before judged outputs
# Metrics whose own options are tuned: they need no model's file.
TUNABLE = {
    "meteor-1.5": "alpha, beta, gamma, delta and the weights of modules, from METEOR 1.5's on",
    "q-bleu": "the weights of entities, question words, content and function words, and delta",
    "q-meteor": "the same with METEOR beside",
    "q-nist": "the same with NIST beside",
    "q-rouge": "the same with ROUGE-L beside",
}
