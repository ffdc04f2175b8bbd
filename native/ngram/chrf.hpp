// Statistics of chrF: for every order, hypothesis n-grams, reference n-grams and clipped matches
// against the reference with the best score.
#pragma once

#include <array>
#include <cstdlib>

#include "core/kernel.hpp"
#include "ngram/ngram.hpp"
#include "core/simd.hpp"

namespace nlg {

struct ChrfOptions {
  u32 char_order = 6, word_order = 0;
  double beta = 2;
  bool whitespace = false, eps_smoothing = false;
  u32 orders() const { return char_order + word_order; }
};

// The score that chooses a segment's reference, operation for operation as in sacreBLEU 2.6.
inline double chrf_score(const ChrfOptions& o, const double* stats) {
  constexpr double eps = 1e-16;
  const double factor = o.beta * o.beta;
  double sum = 0, precision = 0, recall = 0;
  u32 effective = 0;
  for (u32 n = 0; n < o.orders(); ++n) {
    const double hyp = stats[3 * n], ref = stats[3 * n + 1], match = stats[3 * n + 2];
    const double p = hyp > 0 ? match / hyp : eps, r = ref > 0 ? match / ref : eps;
    const double denominator = factor * p + r;
    sum += denominator > 0 ? (1 + factor) * p * r / denominator : eps;
    if (hyp > 0 && ref > 0) precision += p, recall += r, ++effective;
  }
  if (o.eps_smoothing) return 100 * sum / o.orders();
  if (effective == 0) return 0;
  precision /= effective;
  recall /= effective;
  if (precision + recall == 0) return 0;
  const double score = (1 + factor) * precision * recall;
  return 100 * (score / (factor * precision + recall));
}

namespace detail {

// One lane per n-gram order: 1..4 in `low`, 5..8 in `high`.
constexpr int kLanes = 8;
typedef u64 Lanes __attribute__((vector_size(32)));

struct State {
  Lanes low, high;
};

// `walk_narrow` of ngram.hpp with the orders 1..8 side by side: `masks` has W words (or `width`, if
// W is 0) for every row, `rows` the hypothesis characters' rows.
template <u32 W>
NLG_BODY void match_orders(const u32* rows, u32 n, const u64* masks, u32 width,
                                                        State* E, State* used, u64* matches) {
  const u32 w = W ? W : width;
  const Lanes zero = {};
  const Lanes first_order = {~0ull, 0, 0, 0};
  Lanes total_low = zero, total_high = zero;
  for (u32 k = 0; k < w; ++k) E[k] = used[k] = {zero, zero};
  for (u32 i = 0; i < n; ++i) {
    const u64* here = masks + static_cast<std::size_t>(rows[i]) * w;
    Lanes carry_low = zero, carry_high = zero, done_low = zero, done_high = zero;
    for (u32 k = 0; k < w; ++k) {
      const Lanes mask = zero + here[k];
      // every lane receives what the order below it had; the first is open everywhere
      const Lanes low = __builtin_shufflevector(E[k].low, E[k].low, 3, 0, 1, 2);
      const Lanes high = __builtin_shufflevector(E[k].high, E[k].low, 7, 0, 1, 2);
      E[k].low = ((low << 1 | carry_low >> 63) | first_order) & mask;
      E[k].high = (high << 1 | carry_high >> 63) & mask;
      carry_low = low;
      carry_high = high;
      const Lanes open_low = E[k].low & ~used[k].low & ~done_low;
      const Lanes open_high = E[k].high & ~used[k].high & ~done_high;
      used[k].low |= open_low & (zero - open_low);
      used[k].high |= open_high & (zero - open_high);
      done_low |= reinterpret_cast<Lanes>(open_low != zero);
      done_high |= reinterpret_cast<Lanes>(open_high != zero);
    }
    total_low -= done_low;
    total_high -= done_high;
  }
  std::memcpy(matches, &total_low, sizeof total_low);
  std::memcpy(matches + 4, &total_high, sizeof total_high);
}

NLG_BODY void match_orders_any(const u32* rows, u32 n, const u64* masks, u32 width,
                                                            State* E, State* used, u64* matches) {
  State E4[4], used4[4];
  switch (width) {
    case 1: return match_orders<1>(rows, n, masks, 1, E4, used4, matches);
    case 2: return match_orders<2>(rows, n, masks, 2, E4, used4, matches);
    case 3: return match_orders<3>(rows, n, masks, 3, E4, used4, matches);
    default: return match_orders<0>(rows, n, masks, width, E, used, matches);
  }
}

inline void match_orders_base(const u32* rows, u32 n, const u64* masks, u32 width, State* E, State* used, u64* matches) {
  match_orders_any(rows, n, masks, width, E, used, matches);
}
NLG_AVX2 inline void match_orders_avx2(const u32* rows, u32 n, const u64* masks, u32 width, State* E, State* used,
                                       u64* matches) {
  match_orders_any(rows, n, masks, width, E, used, matches);
}

constexpr u32 kMaxChrfWidth = 16;  // longer references go through NgramChain

}  // namespace detail

// Clipped matches of character n-grams.
class CharacterMatches {
 public:
  CharacterMatches()
      : row_of_(static_cast<u32*>(std::calloc(0x110000, sizeof(u32)))), avx2_(NLG_HAS_AVX2()) {
    if (!row_of_) throw std::bad_alloc();
  }

  void set_hyp(std::string_view text, bool whitespace) { read(text, whitespace, hyp_); }
  u32 hyp_size() const { return static_cast<u32>(hyp_.size()); }
  u32 ref_size() const { return static_cast<u32>(ref_.size()); }

  void match(std::string_view ref_text, bool whitespace, u32 orders, u64* matches) {
    read(ref_text, whitespace, ref_);
    number();
    if (ref_.size() > 64 * detail::kMaxChrfWidth || orders > detail::kLanes) return match_long(orders, matches);
    const u32 width = std::max<u32>(1, (ref_size() + 63) / 64);
    masks_.assign(static_cast<std::size_t>(row_count_) * width, 0);
    for (u32 j = 0; j < ref_rows_.size(); ++j)
      masks_[static_cast<std::size_t>(ref_rows_[j]) * width + j / 64] |= 1ull << (j % 64);
    const auto run = avx2_ ? detail::match_orders_avx2 : detail::match_orders_base;
    u64 all[detail::kLanes];
    run(hyp_rows_.data(), hyp_size(), masks_.data(), width, E_.data(), used_.data(), all);
    std::copy_n(all, orders, matches);
  }

 private:
  static constexpr u32 kAbsent = 128;  // ASCII is its own row; this one stays empty

  static void read(std::string_view text, bool whitespace, std::vector<u32>& out) {
    out.resize(text.size());
    const auto* s = reinterpret_cast<const u8*>(text.data());
    u32* p = out.data();
    for (std::size_t i = 0; i < text.size();) {
      if (s[i] < 0x80) {
        *p = s[i];
        p += whitespace || !is_ascii_space(s[i]);
        ++i;
        continue;
      }
      u32 length;
      const u32 cp = decode(s + i, length);
      *p = cp;
      p += whitespace || !is_space(cp);
      i += length;
    }
    out.resize(p - out.data());
  }

  // Rows for the reference's characters; all others share the empty row.
  void number() {
    row_count_ = kAbsent + 1;
    ref_rows_.resize(ref_.size());
    touched_.clear();
    for (std::size_t j = 0; j < ref_.size(); ++j) {
      const u32 cp = ref_[j];
      if (cp < 0x80) {
        ref_rows_[j] = cp;
        continue;
      }
      if (row_of_[cp] == 0) {
        row_of_[cp] = row_count_++;
        touched_.push_back(cp);
      }
      ref_rows_[j] = row_of_[cp];
    }
    hyp_rows_.resize(hyp_.size());
    for (std::size_t i = 0; i < hyp_.size(); ++i) {
      const u32 cp = hyp_[i];
      hyp_rows_[i] = cp < 0x80 ? cp : row_of_[cp] ? row_of_[cp] : kAbsent;
    }
    for (u32 cp : touched_) row_of_[cp] = 0;
  }

  void match_long(u32 orders, u64* matches) {
    for (auto* rows : {&hyp_rows_, &ref_rows_})
      for (u32& row : *rows) row = row == kAbsent ? 0 : row + 1;  // the chain's 0 is "absent"
    const std::vector<u32> ends{0, ref_size()};
    chain_.start({hyp_rows_.data(), hyp_size()}, {ref_rows_.data(), ref_size()}, ends, row_count_ + 1);
    chain_.clipped(orders, matches);
  }

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  // By code point; fresh pages are zero, so that only those of the scripts in use are ever touched.
  std::unique_ptr<u32[], Free> row_of_;
  std::vector<u32> hyp_, ref_, hyp_rows_, ref_rows_, touched_;
  std::vector<u64> masks_;
  std::array<detail::State, detail::kMaxChrfWidth> E_, used_;
  NgramChain chain_;
  u32 row_count_ = 0;
  bool avx2_;
};

// chrF+'s words: white-space separated, with one punctuation mark split off the end or, if none
// stands there, the start (so "(hi)" gives "(hi" and ")").
inline void chrf_words(std::string_view text, std::vector<Word>& buffer, std::vector<Word>& out) {
  if (buffer.size() < max_words(text.size())) buffer.resize(2 * max_words(text.size()));
  const Word* const end = detail::split_space(text, buffer.data());
  const auto punct = [](u8 c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
  };
  out.clear();
  for (const Word* w = buffer.data(); w != end; ++w) {
    const u32 n = w->size;
    const bool one_character = n == utf8_length(static_cast<u8>(w->data[0]));
    if (!one_character && punct(static_cast<u8>(w->data[n - 1]))) {
      out.push_back(make_word(w->data, n - 1));
      out.push_back(make_word(w->data + n - 1, 1));
    } else if (!one_character && punct(static_cast<u8>(w->data[0]))) {
      out.push_back(make_word(w->data, 1));
      out.push_back(make_word(w->data + 1, n - 1));
    } else {
      out.push_back(*w);
    }
  }
}

// Clipped matches of word n-grams.
class WordNgramMatches {
 public:
  void count(Ids hyp, Ids ref, u32 vocabulary, u32 orders, u64* matches) {
    if (orders > kTogether || ref.size > 64 * detail::kMaxWidth) {
      chain_.start(hyp, ref, {0, ref.size}, vocabulary);
      return chain_.clipped(orders, matches);
    }
    masks_.build(ref, vocabulary);
    u32 all[kTogether] = {};
    detail::walk<kTogether>(hyp, masks_, [&](u32, u32 found) {
      for (u32 n = 0; n < kTogether; ++n) all[n] += found >> n & 1;
    });
    std::copy_n(all, orders, matches);
  }

 private:
  static constexpr u32 kTogether = 2;  // the orders of chrF++

  PositionMasks masks_;
  NgramChain chain_;
};

class ChrfWorker final : public Worker {
 public:
  explicit ChrfWorker(const ChrfOptions& options) : options_(options), stats_(3 * options.orders()) {}

  void row(const Segment& s, double* out) override {
    std::fill_n(out, stats_.size(), 0);
    characters_.set_hyp(s.hyp_text, options_.whitespace);
    if (options_.word_order > 0) chrf_words(s.hyp_text, buffer_, hyp_words_);
    double best = -1;
    for (auto ref : s.ref_texts) {
      match(ref);
      if (s.ref_texts.size() == 1) {
        std::copy(stats_.begin(), stats_.end(), out);
        return;
      }
      const double score = chrf_score(options_, stats_.data());
      if (score > best) {
        best = score;
        std::copy(stats_.begin(), stats_.end(), out);
      }
    }
  }

 private:
  void match(std::string_view ref) {
    u64 matches[kMaxOrder];
    if (options_.char_order > 0) characters_.match(ref, options_.whitespace, options_.char_order, matches);
    record(0, options_.char_order, characters_.hyp_size(), characters_.ref_size(), matches);
    if (options_.word_order == 0) return;
    chrf_words(ref, buffer_, ref_words_);
    interner_.reset(static_cast<u32>(ref_words_.size()));
    refs_.clear();
    hyp_.clear();
    for (const Word& w : ref_words_) refs_.push_back(interner_.add(w));
    for (const Word& w : hyp_words_) hyp_.push_back(interner_.find(w));
    const u32 hyp_size = static_cast<u32>(hyp_.size()), ref_size = static_cast<u32>(refs_.size());
    words_.count({hyp_.data(), hyp_size}, {refs_.data(), ref_size}, interner_.size(), options_.word_order, matches);
    record(options_.char_order, options_.word_order, hyp_size, ref_size, matches);
  }

  void record(u32 first, u32 orders, u32 hyp_size, u32 ref_size, const u64* matches) {
    for (u32 n = 0; n < orders; ++n) {
      double* s = stats_.data() + 3 * (first + n);
      s[1] = ref_size > n ? ref_size - n : 0;
      s[0] = s[1] > 0 && hyp_size > n ? hyp_size - n : 0;  // none counted where the reference has none
      s[2] = static_cast<double>(matches[n]);
    }
  }

 public:
  static constexpr u32 kMaxOrder = 32;

 private:
  ChrfOptions options_;
  std::vector<double> stats_;
  CharacterMatches characters_;
  WordNgramMatches words_;
  Interner interner_;
  std::vector<Word> buffer_, hyp_words_, ref_words_;
  std::vector<u32> hyp_, refs_;
};

class ChrfKernel final : public Kernel {
 public:
  explicit ChrfKernel(const ChrfOptions& options) : options_(options) {}
  std::size_t columns() const override { return 3 * options_.orders(); }
  bool needs_words() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<ChrfWorker>(options_); }

 private:
  ChrfOptions options_;
};

}  // namespace nlg
