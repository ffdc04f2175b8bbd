// ROUGE-S and ROUGE-SU: ordered pairs of words with a limited number of words between them.
#pragma once

#include "ngram/rouge.hpp"

namespace nlg {

struct SkipOptions {
  u32 gap = ~0u;           // most words between the two
  bool unigrams = false;   // count single words, too
  bool drop_last = false;  // ROUGE-1.5.5 leaves out the last word among them
};

// Σ over pairs of words of min(count in the hypothesis, count in the reference): for every word,
// how often each word follows it within reach. Takes time in proportion to length times the
// smaller of reach and vocabulary.
class SkipMatches {
 public:
  u64 count(Ids hyp, Ids ref, u32 vocabulary, u32 gap) {
    const u32 longest = std::max(hyp.size, ref.size);
    reach_ = gap < longest ? gap + 1 : longest;
    in_hyp_.build(hyp, vocabulary);
    in_ref_.build(ref, vocabulary);
    left_.assign(vocabulary + 1, 0);
    u64 matches = 0;
    for (u32 a = 1; a <= vocabulary; ++a) {
      const Ids from_hyp = in_hyp_[a], from_ref = in_ref_[a];
      if (from_hyp.size == 0 || from_ref.size == 0) continue;
      for_followers(ref, a, from_ref, [&](u32 b, u32 times) { left_[b] += times; });
      for_followers(hyp, a, from_hyp, [&](u32 b, u32 times) {
        const u64 taken = std::min<u64>(times, left_[b]);
        left_[b] -= taken;
        matches += b == 0 ? 0 : taken;
      });
      for_followers(ref, a, from_ref, [&](u32 b, u32) { left_[b] = 0; });
      checkpoint(2 * ref.size + hyp.size);
    }
    return matches;
  }

 private:
  // Calls f(b, times) for the words b that follow a.
  template <class F>
  void for_followers(Ids text, u32 a, Ids positions, F&& f) const {
    if (static_cast<u64>(positions.size) * reach_ <= text.size) {
      for (u32 i : positions)
        for (u32 j = i + 1; j < text.size && j <= i + reach_; ++j) f(text[j], 1);
      return;
    }
    u32 open = 0;  // how many a are within reach
    for (u32 j = positions[0]; j < text.size; ++j) {
      if (j > reach_ + positions[0]) open -= text[j - reach_ - 1] == a;
      if (open > 0) f(text[j], open);
      open += text[j] == a;
    }
  }

  u32 reach_ = 0;
  Positions in_hyp_, in_ref_;
  std::vector<u64> left_;
};

class RougeSWorker final : public RougeWorker {
 public:
  RougeSWorker(const RougeOptions& options, SkipOptions skip) : RougeWorker(options), skip_(skip) {}

 protected:
  RougeCounts count(const Segment& s, u32 r) override {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    u64 hits = matches_.count(hyp, ref, s.vocabulary, skip_.gap);
    if (skip_.unigrams) hits += single(s, hyp, ref);
    return {static_cast<double>(hits), base(ref), base(hyp)};
  }

 private:
  u32 singles(Ids text) const { return text.size - (skip_.drop_last && text.size > 0); }

  double base(Ids text) const {
    const double n = text.size, reach = std::min<double>(skip_.gap + 1.0, std::max(0.0, n - 1));
    return reach * (n - reach) + reach * (reach - 1) / 2 + (skip_.unigrams ? singles(text) : 0);
  }
  u32 single(const Segment& s, Ids hyp, Ids ref) {
    left_.assign(s.vocabulary + 1, 0);
    for (u32 i = 0; i < singles(ref); ++i) ++left_[ref[i]];
    u32 hits = 0;
    for (u32 i = 0; i < singles(hyp); ++i)
      if (left_[hyp[i]] > 0) --left_[hyp[i]], ++hits;
    return hits;
  }

  SkipOptions skip_;
  SkipMatches matches_;
  std::vector<u32> left_;
};

class RougeSKernel final : public RougeKernel {
 public:
  RougeSKernel(const RougeOptions& options, SkipOptions skip) : RougeKernel(options), skip_(skip) {}
  std::unique_ptr<Worker> worker() const override { return std::make_unique<RougeSWorker>(options_, skip_); }

 private:
  SkipOptions skip_;
};

}  // namespace nlg
