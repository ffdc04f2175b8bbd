// CIDEr and CIDEr-D: mean over the references of the similarity of tf-idf vectors of n-grams.
// Columns: the score, 1, and the similarity of each order.
#pragma once

#include "frequency.hpp"
#include "kernel.hpp"
#include "ngram.hpp"

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
    const u32 order = options_.order, refs = s.ref_count(), hyp_length = s.hyp().size;
    std::fill_n(out, 2 + order, 0.0);
    out[1] = 1;
    numbers_.clear((static_cast<std::size_t>(hyp_length) + s.all_refs().size) * order);
    weights_.clear();
    number(s.hyp_words(), hyp_length);
    in_hyp_.assign(numbers_.size(), 0);
    count(in_hyp_, 1);
    double hyp_norms[kMaxOrder] = {};
    for (u32 n = 0; n < order; ++n) hyp_norms[n] = norm(n, in_hyp_);
    for (u32 r = 0; r < refs; ++r) {
      const u32 length = s.ref(r).size;
      number(s.ref_words(r), length);
      in_hyp_.resize(numbers_.size(), 0);
      in_ref_.resize(numbers_.size(), 0);
      count(in_ref_, 1);
      for (u32 n = 0; n < order; ++n)
        if (const double lengths = hyp_norms[n] * norm(n, in_ref_); lengths != 0)
          out[2 + n] += product(n) / lengths * penalty(hyp_length, length);
      count(in_ref_, ~0u);
    }
    if (refs == 0) return;
    for (u32 n = 0; n < order; ++n) {
      out[2 + n] /= refs;
      out[0] += out[2 + n];
    }
    out[0] /= order;
  }

 private:
  // Fills grams_[n] with the numbers of a text's n-grams, and the weights of those that are new.
  void number(const Word* text, u32 length) {
    words_.resize(length);
    for (u32 k = 0; k < length; ++k) words_[k] = fingerprint(text[k]);
    for (u32 n = 0; n < options_.order; ++n) grams_[n].clear();
    for (u32 k = 0; k < length; ++k) {
      u64 gram = words_[k];
      bool rare = false;  // what contains an n-gram of one document is in that document only
      for (u32 n = 0;;) {
        bool added;
        const u32 id = numbers_.add(gram, added);
        if (added) weights_.push_back(log_documents_ - log_(rare ? 1 : frequency_(gram)));
        rare = frequency_.counted() && weights_[id] == log_documents_;
        grams_[n].push_back(id);
        if (++n == options_.order || k + n == length) break;
        gram = extended(gram, words_[k + n]);
      }
    }
  }

  void count(std::vector<u32>& counts, u32 step) {
    for (u32 n = 0; n < options_.order; ++n)
      for (u32 gram : grams_[n]) counts[gram] += step;
  }

  // Length of the vector of the text numbered last; every occurrence brings its share.
  double norm(u32 n, const std::vector<u32>& counts) const {
    double sum = 0;
    for (u32 gram : grams_[n]) sum += counts[gram] * weights_[gram] * weights_[gram];
    return std::sqrt(sum);
  }

  // Of the hypothesis' vector and that of the reference numbered last.
  double product(u32 n) const {
    double sum = 0;
    for (u32 gram : grams_[n]) {
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
  std::vector<u64> words_;
  std::vector<u32> grams_[kMaxOrder], in_hyp_, in_ref_;
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
