// YiSi: for every n-gram the most similar one on the other side. In YiSi-0, words are as similar as their
// longest common substring is long; its columns: the score, 1, precision, recall.
#pragma once

#include "core/kernel.hpp"
#include "ngram/substring.hpp"

namespace nlg {

struct YisiOptions {
  u32 order;
  double alpha;
  bool substring;  // or exact matches only
  bool idf;        // or all words weigh the same
  // As the tool (fd07bfc) does it: words are bytes, different words are never wholly unlike in exact
  // matching, and a word that is not in the references is looked up in lower case.
  bool tool;
};

// How well the n-grams of two texts find each other. An n-gram is as similar to another as its words
// are, place by place; the words of its own side weigh.
class NgramSimilarity {
 public:
  // Precision and recall. `row(i, out)` gives the similarities of a hypothesis word and all words of
  // the reference; both texts have words.
  template <class Row>
  std::pair<double, double> operator()(const double* hyp_weights, u32 hyp, const double* ref_weights, u32 ref,
                                       u32 order, Row&& row) {
    const u32 n = std::min({order, hyp, ref}), grams = ref - n + 1;
    window_.resize(static_cast<std::size_t>(n) * ref);  // similarities of the last n words
    best_.assign(grams, 0.0);
    double precise = 0, all = 0;
    for (u32 i = 0; i < hyp; ++i) {
      checkpoint(static_cast<u64>(n) * ref);
      row(i, &window_[static_cast<std::size_t>(i % n) * ref]);
      if (i + 1 < n) continue;
      own_.assign(grams, 0.0);
      other_.assign(grams, 0.0);
      double heft = 0;
      for (u32 k = 0; k < n; ++k) {
        const u32 at = i + 1 - n + k;
        const double* similarities = &window_[static_cast<std::size_t>(at % n) * ref] + k;
        const double* weights = ref_weights + k;
        const double weight = hyp_weights[at];
        for (u32 j = 0; j < grams; ++j) {
          own_[j] += weight * similarities[j];
          other_[j] += weights[j] * similarities[j];
        }
        heft += weight;
      }
      for (u32 j = 0; j < grams; ++j) best_[j] = std::max(best_[j], other_[j]);
      precise += *std::max_element(own_.begin(), own_.end());
      all += heft;
    }
    double recalled = 0, whole = 0;
    for (u32 j = 0; j < grams; ++j) {
      recalled += best_[j];
      for (u32 k = 0; k < n; ++k) whole += ref_weights[j + k];
    }
    return {all > 0 ? precise / all : 0, whole > 0 ? recalled / whole : 0};
  }

 private:
  std::vector<double> window_, best_, own_, other_;
};

class YisiWorker final : public Worker {
 public:
  YisiWorker(const Frequencies& frequencies, YisiOptions options) : frequency_(frequencies), options_(options) {}

  void row(const Segment& s, double* out) override {
    const u32 hyp = s.hyp().size;
    double precision = 0, recall = 0;
    if (hyp > 0) {
      spell(s.hyp_words(), hyp, hyp_);
      for (u32 r = 0; r < s.ref_count(); ++r) {
        if (s.ref(r).size == 0) continue;
        spell(s.ref_words(r), s.ref(r).size, ref_);
        if (options_.substring) common_.build(ref_);
        const auto [p, q] = compare_(hyp_.weights.data(), hyp, ref_.weights.data(), s.ref(r).size, options_.order,
                                     [&](u32 i, double* out) { similarities(s, r, i, out); });
        precision = std::max(precision, p);
        recall = std::max(recall, q);
      }
    }
    const double mean = options_.alpha * precision + (1 - options_.alpha) * recall;
    out[0] = precision > 0 && recall > 0 ? precision * recall / mean : 0;
    out[1] = 1;
    out[2] = precision;
    out[3] = recall;
  }

 private:
  struct Text : Spelling {
    std::vector<double> weights;
  };

  void spell(const Word* words, u32 size, Text& out) {
    out.characters.clear();
    out.ends.assign(1, 0);
    out.weights.resize(size);
    for (u32 i = 0; i < size; ++i) {
      const auto* s = reinterpret_cast<const u8*>(words[i].data);
      for (u32 k = 0, step = 1; k < words[i].size; k += step)
        out.characters.push_back(options_.tool ? s[k] : decode(s + k, step));
      out.ends.push_back(static_cast<u32>(out.characters.size()));
      out.weights[i] = options_.idf ? weight(words[i]) : 1.0;
    }
  }

  double weight(const Word& word) {
    u32 found = frequency_.kept(fingerprint(word));
    if (found == 0 && options_.tool) {
      lowered_.assign(word.data, word.size);
      for (char& c : lowered_) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      lowered_.append(8, '\0');
      found = frequency_.kept(fingerprint(make_word(lowered_.data(), word.size)));
    }
    return std::log2(1 + (static_cast<double>(frequency_.documents()) + 1) / (found + 1.0));
  }

  // Similarities of a hypothesis word and all words of a reference.
  void similarities(const Segment& s, u32 r, u32 i, double* out) {
    const Ids ref = s.ref(r);
    if (!options_.substring) {
      const double otherwise = options_.tool ? 1e-5 : 0.0;
      for (u32 j = 0; j < ref.size; ++j) out[j] = ref[j] == s.hyp()[i] ? 1.0 : otherwise;
      return;
    }
    lengths_.resize(ref.size);
    common_(hyp_[i], lengths_.data());
    for (u32 j = 0; j < ref.size; ++j)
      out[j] = 2.0 * lengths_[j] / (static_cast<double>(hyp_[i].second) + ref_[j].second);
  }

  const Frequencies& frequency_;
  YisiOptions options_;
  CommonSubstrings common_;
  Text hyp_, ref_;
  std::string lowered_;
  std::vector<u32> lengths_;
  NgramSimilarity compare_;
};

class YisiKernel final : public Kernel {
 public:
  YisiKernel(std::shared_ptr<const Frequencies> frequencies, YisiOptions options)
      : frequencies_(std::move(frequencies)), options_(options) {}
  std::size_t columns() const override { return 4; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<YisiWorker>(*frequencies_, options_); }

 private:
  std::shared_ptr<const Frequencies> frequencies_;
  YisiOptions options_;
};

}  // namespace nlg
