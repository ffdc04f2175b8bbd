// ROUGE-S and ROUGE-SU: ordered pairs of words with a limited number of words between them.
#pragma once

#include "rouge.hpp"

namespace nlg {

struct SkipOptions {
  u32 gap = ~0u;           // most words between the two
  bool unigrams = false;   // count single words, too
  bool drop_last = false;  // ROUGE-1.5.5 leaves out the last word among them
};

// Σ over pairs of words of min(count in the hypothesis, count in the reference).
class SkipMatches {
 public:
  u64 count(Ids hyp, Ids ref, u32 vocabulary, u32 gap) {
    const u32 longest = std::max(hyp.size, ref.size);
    reach_ = gap < longest ? gap + 1 : longest;
    return reach_ < vocabulary ? by_pair(hyp, ref) : by_first_word(hyp, ref, vocabulary);
  }

 private:
  // Takes time in proportion to length times reach.
  u64 by_pair(Ids hyp, Ids ref) {
    std::size_t slots = 64;
    while (slots < 2 * static_cast<std::size_t>(ref.size) * reach_) slots <<= 1;
    table_.assign(slots, {0, 0});
    const auto slot = [&](u32 a, u32 b) -> std::pair<u64, u32>& {
      const u64 key = static_cast<u64>(a) << 32 | b;
      std::size_t at = (key * 0x9E3779B97F4A7C15ull) >> 32 & (slots - 1);
      while (table_[at].second != 0 && table_[at].first != key) at = (at + 1) & (slots - 1);
      table_[at].first = key;
      return table_[at];
    };
    const auto for_pairs = [&](Ids text, auto&& on_pair) {
      for (u32 i = 0; i < text.size; ++i) {
        if (text[i] == 0) continue;
        const u32 end = std::min(text.size, i + 1 + std::min(reach_, text.size));
        for (u32 j = i + 1; j < end; ++j)
          if (text[j] != 0) on_pair(text[i], text[j]);
      }
    };
    // Counts are kept one higher, so that a pair that is used up still holds its slot.
    for_pairs(ref, [&](u32 a, u32 b) {
      u32& count = slot(a, b).second;
      count += count == 0 ? 2 : 1;
    });
    u64 matches = 0;
    for_pairs(hyp, [&](u32 a, u32 b) {
      u32& count = slot(a, b).second;
      if (count > 1) --count, ++matches;
    });
    return matches;
  }

  // Takes time in proportion to length times vocabulary: for every word, how often each word
  // follows it within reach.
  u64 by_first_word(Ids hyp, Ids ref, u32 vocabulary) {
    in_hyp_.assign(vocabulary + 1, 0);
    in_ref_.assign(vocabulary + 1, 0);
    known_.assign(vocabulary + 1, 0);
    for (u32 id : hyp) known_[id] = 1;
    u64 matches = 0;
    for (u32 a = 1; a <= vocabulary; ++a) {
      if (!known_[a]) continue;
      followers(hyp, a, in_hyp_);
      followers(ref, a, in_ref_);
      for (u32 b = 1; b <= vocabulary; ++b) {
        matches += std::min(in_hyp_[b], in_ref_[b]);
        in_hyp_[b] = in_ref_[b] = 0;
      }
    }
    return matches;
  }
  void followers(Ids text, u32 a, std::vector<u64>& counts) const {
    u32 open = 0;
    for (u32 j = 0; j < text.size; ++j) {
      if (j > reach_) open -= text[j - reach_ - 1] == a;
      counts[text[j]] += open;
      open += text[j] == a;
    }
  }

  u32 reach_ = 0;
  std::vector<std::pair<u64, u32>> table_;
  std::vector<u64> in_hyp_, in_ref_;
  std::vector<u8> known_;
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
