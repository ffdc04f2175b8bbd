// CIDEr and CIDEr-D: mean over the references of the similarity of tf-idf vectors of n-grams.
// Columns: the score, 1, and the similarity of each order.
#pragma once

#include "ngram/frequency.hpp"
#include "core/kernel.hpp"

namespace nlg {

// `clipped` and `sigma` make CIDEr-D of it: a hypothesis n-gram counts at most as often as in the
// reference, and texts of different length are penalised (sigma = 0: not at all).
struct CiderOptions {
  u32 order;
  bool clipped;
  double sigma;
};

class CiderWorker final : public Worker {
 public:
  CiderWorker(const Frequencies& frequencies, CiderOptions options)
      : frequency_(frequencies),
        options_(options),
        log_documents_(std::log(static_cast<double>(frequencies.documents()))) {}

  void row(const Segment& s, double* out) override {
    const u32 order = options_.order, refs = s.ref_count();
    std::fill_n(out, 2 + order, 0.0);
    out[1] = 1;
    read(s);
    for (u32 n = 0; n < order; ++n) number(n);
    in_hyp_.assign(numbers_.size(), 0);
    in_ref_.assign(numbers_.size(), 0);
    for (u32 n = 0; n < order; ++n) {
      const Ids hyp = grams(n, 0);
      for (u32 gram : hyp) ++in_hyp_[gram];
      const double hyp_norm = norm(hyp, in_hyp_);
      for (u32 r = 1; r <= refs; ++r) {
        const Ids ref = grams(n, r);
        for (u32 gram : ref) ++in_ref_[gram];
        if (const double norms = hyp_norm * norm(ref, in_ref_); norms != 0)
          out[2 + n] += product(ref) / norms * penalty(size(0), size(r));
        for (u32 gram : ref) in_ref_[gram] = 0;
      }
      if (refs > 0) out[2 + n] /= refs;
      out[0] += out[2 + n] / order;
    }
  }

 private:
  struct Sought {
    u64 gram;
    u32 number;
  };

  // Puts the words of all texts, hypothesis first, one after the other.
  void read(const Segment& s) {
    words_.clear();
    ends_.assign(1, 0);
    const auto append = [&](const Word* words, u32 size) {
      for (u32 k = 0; k < size; ++k) words_.push_back(fingerprint(words[k]));
      ends_.push_back(static_cast<u32>(words_.size()));
    };
    append(s.hyp_words(), s.hyp().size);
    for (u32 r = 0; r < s.ref_count(); ++r) append(s.ref_words(r), s.ref(r).size);
    open_ = words_;
    numbers_.clear(words_.size() * options_.order);
    numbered_.resize(words_.size() * options_.order);
    weights_.clear();
  }
  u32 size(u32 text) const { return ends_[text + 1] - ends_[text]; }

  // The numbers of a text's n-grams of n + 1 words.
  Ids grams(u32 n, u32 text) const {
    return {numbered_.data() + n * words_.size() + ends_[text], size(text) > n ? size(text) - n : 0};
  }

  // Numbers the n-grams of n + 1 words and finds the weights of new ones, all at once: each look-up
  // waits for memory.
  void number(u32 n) {
    u32* const out = numbered_.data() + n * words_.size();
    const u32* const shorter = out - words_.size();
    sought_.clear();
    for (u32 text = 0; text + 1 < ends_.size(); ++text) {
      for (u32 k = ends_[text]; k + n < ends_[text + 1]; ++k) {
        if (n > 0) open_[k] = extended(open_[k], words_[k + n]);
        bool added;
        out[k] = numbers_.add(open_[k], added);
        if (!added) continue;
        weights_.push_back(log_documents_);
        // What contains an n-gram of one document is in that document only.
        if (n > 0 && frequency_.counted() && (rare(shorter[k]) || rare(shorter[k + 1]))) continue;
        frequency_.prefetch(open_[k]);
        sought_.push_back({open_[k], out[k]});
      }
    }
    for (const Sought& s : sought_) weights_[s.number] -= log_(frequency_(s.gram));
  }
  bool rare(u32 gram) const { return weights_[gram] == log_documents_; }

  // Length of a text's vector; every occurrence of an n-gram brings its share.
  double norm(Ids text, const std::vector<u32>& counts) const {
    double sum = 0;
    for (u32 gram : text) sum += counts[gram] * weights_[gram] * weights_[gram];
    return std::sqrt(sum);
  }

  // Of the hypothesis' vector and a reference's.
  double product(Ids ref) const {
    double sum = 0;
    for (u32 gram : ref) {
      const double weight = weights_[gram], own = in_hyp_[gram] * weight;
      // A file may give negative weights, which clipping then makes smaller.
      if (in_hyp_[gram] != 0) sum += (options_.clipped ? std::min(own, in_ref_[gram] * weight) : own) * weight;
    }
    return sum;
  }

  // The official tools compare the numbers of bigrams, not of words (pycocoevalcap 1.2, vrama91):
  // one less on both sides, unless a text is empty.
  double penalty(u32 hyp, u32 ref) const {
    if (options_.sigma == 0) return 1;
    const double delta = static_cast<double>(hyp > 0 ? hyp - 1 : 0) - (ref > 0 ? ref - 1 : 0);
    return std::exp(-delta * delta / (2 * options_.sigma * options_.sigma));
  }

  const Frequencies& frequency_;
  CiderOptions options_;
  double log_documents_;
  Logarithms log_;
  GramNumbers numbers_;
  std::vector<double> weights_;  // idf by number
  std::vector<u64> words_, open_;             // open_[k]: the n-gram that starts at word k
  std::vector<u32> ends_, numbered_;
  std::vector<u32> in_hyp_, in_ref_;  // occurrences by number
  std::vector<Sought> sought_;
};

class CiderKernel final : public Kernel {
 public:
  CiderKernel(std::shared_ptr<const Frequencies> frequencies, CiderOptions options)
      : frequencies_(std::move(frequencies)), options_(options) {}
  std::size_t columns() const override { return 2 + options_.order; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<CiderWorker>(*frequencies_, options_); }

 private:
  std::shared_ptr<const Frequencies> frequencies_;
  CiderOptions options_;
};

}  // namespace nlg
