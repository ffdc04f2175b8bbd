// Statistics of NIST: hypothesis length, reference length, information of the matched n-grams of
// the orders 1..N, hypothesis n-grams of 1..N.
#pragma once

#include "ngram/frequency.hpp"
#include "core/kernel.hpp"
#include "ngram/ngram.hpp"
#include "ngram/reflength.hpp"

namespace nlg {

// For every position of the hypothesis, which n-grams that start there are matched, as bits.
template <int N>
class MatchedOrders {
 public:
  const std::vector<u16>& operator()(const Segment& s) {
    found_.assign(s.hyp().size, 0);
    if (s.longest_ref > 64 * detail::kMaxWidth || s.ref_count() > 32) {
      mark_long(s);
      return found_;
    }
    for (u32 r = 0; r < s.ref_count(); ++r) {
      masks_.build(s.ref(r), s.vocabulary);
      detail::walk<N>(s.hyp(), masks_, [&](u32 last, u32 found) {
        for (; found != 0; found &= found - 1) {
          const u32 n = static_cast<u32>(__builtin_ctz(found));
          found_[last - n] |= static_cast<u16>(1u << n);
        }
      });
    }
    return found_;
  }

 private:
  void mark_long(const Segment& s) {
    chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    for (u32 n = 0; n < N; ++n) {
      if (n > 0) chain_.advance();
      most_.assign(chain_.size() + 1, 0);
      count_.assign(chain_.size() + 1, 0);
      for (u32 r = 0; r < chain_.ref_count(); ++r) {
        for (u32 id : chain_.ref(r)) most_[id] = std::max(most_[id], ++count_[id]);
        for (u32 id : chain_.ref(r)) count_[id] = 0;
      }
      most_[0] = 0;
      for (u32 i = 0; i < s.hyp().size; ++i)
        if (u32& left = most_[chain_.hyp()[i]]; left > 0) --left, found_[i] |= static_cast<u16>(1u << n);
    }
  }

  PositionMasks masks_;
  NgramChain chain_;
  std::vector<u16> found_;
  std::vector<u32> most_, count_;
};

// `zero_is_nothing`: mteval (v11b to v14) asks Perl whether the n-gram's history is true, which the
// word "0" is not; bigrams after "0" are weighed like single words.
// `enclosed`: texts start and end with artificial words, of which `words` were counted in all
// references; only n-grams of two and more see them.
struct Enclosed {
  bool start = false, end = false;
  u64 words = 0;
};

template <int N>
class NistWorker final : public Worker {
 public:
  NistWorker(const Frequencies& frequencies, RefLength rule, bool zero_is_nothing, Enclosed enclosed)
      : frequency_(frequencies), ref_length_(rule), zero_is_nothing_(zero_is_nothing), enclosed_(enclosed) {}

  void row(const Segment& s, double* out) override {
    const auto& matched = matched_(s);
    const u32 length = s.hyp().size, artificial = enclosed_.start + enclosed_.end;
    out[0] = length > artificial ? length - artificial : 0;
    out[1] = ref_length_(s) - artificial;
    for (u32 n = 0; n < N; ++n) {
      out[2 + n] = 0;
      out[2 + N + n] = length > n ? length - n : 0;
    }
    out[2 + N] = out[0];
    words_.resize(length);
    for (u32 i = 0; i < length; ++i)
      if (s.hyp()[i] != 0) words_[i] = fingerprint(s.hyp_words()[i]);
    const double all = std::log(static_cast<double>(frequency_.words()) - static_cast<double>(enclosed_.words));
    for (u32 i = 0; i < length; ++i) {
      if (matched[i] == 0 && s.hyp()[i] == 0) continue;
      const bool alone = (enclosed_.start && i == 0) || (enclosed_.end && i == length - 1);
      u64 gram = words_[i];
      double before = all;
      for (u32 n = 0; matched[i] >> n != 0; ++n) {
        if (n > 0) gram = extended(gram, words_[i + n]);
        if (n == 1 && zero_is_nothing_ && is_zero(s.hyp_words()[i])) before = all;
        const double here = log_(frequency_(gram));
        if ((matched[i] >> n & 1) && !(n == 0 && alone)) out[2 + n] += before - here;
        before = here;
      }
    }
    for (u32 n = 0; n < N; ++n) out[2 + n] /= std::log(2.0);
  }

 private:
  static bool is_zero(const Word& word) { return word.size == 1 && *word.data == '0'; }

  const Frequencies& frequency_;
  RefLengthRule ref_length_;
  bool zero_is_nothing_;
  Enclosed enclosed_;
  MatchedOrders<N> matched_;
  Logarithms log_;
  std::vector<u64> words_;
};

// NLTK's NIST (3.10): for each order, the matches with the one reference that has most information in
// common, the longest of several, whose length is counted once for each order. Corpora weigh n-grams
// by all references, sentences by their own.
// Columns: |h| and reference length summed over the orders, information 1..N, n-grams 1..N, 1,
// reference length and information 1..N by the segment's own weights.
class NltkNistWorker final : public Worker {
 public:
  NltkNistWorker(const Frequencies& frequencies, u32 order) : frequency_(frequencies), order_(order) {}

  void row(const Segment& s, double* out) override {
    const u32 length = s.hyp().size, n_own = 2 + 2 * order_;
    std::fill_n(out, n_own + 2 + order_, 0);
    out[0] = static_cast<double>(order_) * length;
    out[n_own] = 1;
    start(s);
    for (u32 n = 0; n < order_; ++n) {
      next_order(s, n);
      out[2 + order_ + n] = length > n ? length - n : 0;
      Best all, own;
      for (u32 r = 0; r < s.ref_count(); ++r) {
        double of_all = 0, of_own = 0;
        match(r, of_all, of_own);
        all.take(of_all, s.ref(r).size);
        own.take(of_own, s.ref(r).size);
      }
      out[1] += all.length;
      out[2 + n] = all.information;
      out[n_own + 1] += own.length;
      out[n_own + 2 + n] = own.information;
    }
  }

 private:
  struct Best {
    double information = 0, length = 0;
    void take(double more, double ref_length) {
      if (more < information || (more == information && ref_length < length)) return;
      information = more;
      length = ref_length;
    }
  };

  void start(const Segment& s) {
    const u32 length = s.hyp().size;
    words_.resize(length);
    for (u32 i = 0; i < length; ++i) words_[i] = s.hyp()[i] == 0 ? 0 : fingerprint(s.hyp_words()[i]);
    before_.assign(length, static_cast<double>(frequency_.words()));
    own_before_.assign(length, static_cast<double>(s.all_refs().size));
    grams_ = words_;
  }

  // The information of the n-grams from each hypothesis word on that any reference has.
  void next_order(const Segment& s, u32 n) {
    if (n == 0) chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    else chain_.advance();
    in_own_.assign(chain_.size() + 1, 0);
    in_hyp_.assign(chain_.size() + 1, 0);
    for (u32 r = 0; r < chain_.ref_count(); ++r)
      for (u32 id : chain_.ref(r)) ++in_own_[id];
    all_.assign(words_.size(), 0);
    own_.assign(words_.size(), 0);
    for (u32 i = 0; i < words_.size(); ++i) {
      const u32 id = chain_.hyp()[i];
      if (id == 0) continue;
      ++in_hyp_[id];
      if (n > 0) grams_[i] = extended(grams_[i], words_[i + n]);
      const double here = frequency_(grams_[i]), own_here = in_own_[id];
      all_[i] = std::log(before_[i] / here) / std::log(2.0);
      own_[i] = std::log(own_before_[i] / own_here) / std::log(2.0);
      before_[i] = here;
      own_before_[i] = own_here;
    }
  }

  // What the hypothesis shares with a reference, summed in the order in which it comes.
  void match(u32 r, double& all, double& own) {
    in_ref_.assign(chain_.size() + 1, 0);
    for (u32 id : chain_.ref(r)) ++in_ref_[id];
    for (u32 i = 0; i < words_.size(); ++i) {
      const u32 id = chain_.hyp()[i];
      if (id == 0 || in_ref_[id] == 0) continue;
      const double count = std::min(in_hyp_[id], in_ref_[id]);
      in_ref_[id] = 0;
      all += all_[i] * count;
      own += own_[i] * count;
    }
  }

  const Frequencies& frequency_;
  u32 order_;
  NgramChain chain_;
  std::vector<u64> words_, grams_;
  std::vector<double> before_, own_before_, all_, own_;
  std::vector<u32> in_hyp_, in_own_, in_ref_;
};

class NltkNistKernel final : public Kernel {
 public:
  NltkNistKernel(std::shared_ptr<const Frequencies> frequencies, u32 order)
      : frequencies_(std::move(frequencies)), order_(order) {}
  std::size_t columns() const override { return 4 + 3 * order_; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<NltkNistWorker>(*frequencies_, order_); }

 private:
  std::shared_ptr<const Frequencies> frequencies_;
  u32 order_;
};

class NistKernel final : public Kernel {
 public:
  NistKernel(std::shared_ptr<const Frequencies> frequencies, u32 order, RefLength rule, bool zero_is_nothing,
             Enclosed enclosed)
      : frequencies_(std::move(frequencies)),
        order_(order),
        rule_(rule),
        zero_is_nothing_(zero_is_nothing),
        enclosed_(enclosed) {}
  std::size_t columns() const override { return 2 + 2 * order_; }
  std::unique_ptr<Worker> worker() const override { return make<1>(); }

 private:
  template <int N>
  std::unique_ptr<Worker> make() const {
    if constexpr (N < kMaxOrder)
      if (order_ > N) return make<N + 1>();
    return std::make_unique<NistWorker<N>>(*frequencies_, rule_, zero_is_nothing_, enclosed_);
  }
  std::shared_ptr<const Frequencies> frequencies_;
  u32 order_;
  RefLength rule_;
  bool zero_is_nothing_;
  Enclosed enclosed_;
};

}  // namespace nlg
