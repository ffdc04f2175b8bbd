// PARENT: n-gram precision and recall that credit what the table entails, and recall of the table.
#pragma once

#include <cmath>
#include <string>
#include <unordered_map>

#include "core/kernel.hpp"
#include "ngram/ngram.hpp"

namespace nlg {

// Length of the longest common subsequence, 64 positions of `b` at a time (Hyyrö's recurrence); the
// carries between blocks are kept for every position of `a`.
class LcsLength {
 public:
  void reset(u32 vocabulary) { masks_.assign(vocabulary + 1, 0); }

  u32 operator()(Ids a, Ids b) {
    u32 length = 0;
    carry_.assign(a.size, 0);
    for (u32 first = 0; first < b.size; first += 64) {
      const u32 last = std::min(b.size, first + 64);
      for (u32 j = first; j < last; ++j) masks_[b[j]] |= 1ull << (j - first);
      u64 open = ~0ull;
      for (u32 i = 0; i < a.size; ++i) {
        const u64 here = masks_[a[i]], step = open & here;
        const u64 partial = open + step, sum = partial + carry_[i];
        carry_[i] = (partial < open) | (sum < partial);
        open = sum | (open & ~here);
      }
      const u64 used = last - first == 64 ? ~0ull : (1ull << (last - first)) - 1;
      length += static_cast<u32>(__builtin_popcountll(~open & used));
      for (u32 j = first; j < last; ++j) masks_[b[j]] = 0;
      checkpoint(2 * a.size);
    }
    return length;
  }

 private:
  std::vector<u64> masks_;
  std::vector<u8> carry_;
};

// How likely a word of the text is where a word stands in the table, from counts of both: the keys
// are words, and pairs "table word|||text word".
class Cooccurrence {
 public:
  void add(std::string_view key, double count) {
    constexpr std::string_view kBetween = "|||";
    const std::size_t at = key.find(kBetween, 1);
    if (at == key.npos) alone_[number(key)] = count;
    else together_[pair(number(key.substr(0, at)), number(key.substr(at + kBetween.size())))] = count;
  }
  u32 find(std::string_view word) const {
    const auto found = numbers_.find(std::string(word));
    return found == numbers_.end() ? kUnknown : found->second;
  }
  double probability(u32 table_word, u32 text_word) const {
    const auto all = alone_.find(table_word);
    const auto both = together_.find(pair(table_word, text_word));
    return all == alone_.end() || both == together_.end() || all->second <= 0 ? 0 : both->second / all->second;
  }
  static constexpr u32 kUnknown = 0;

 private:
  u32 number(std::string_view word) {
    return numbers_.try_emplace(std::string(word), static_cast<u32>(numbers_.size()) + 1).first->second;
  }
  static u64 pair(u32 a, u32 b) { return static_cast<u64>(a) << 32 | b; }
  std::unordered_map<std::string, u32> numbers_;  // from 1
  std::unordered_map<u32, double> alone_;
  std::unordered_map<u64, double> together_;
};

struct ParentOptions {
  u32 order;
  double smoothing;
  double lambda;  // weight of the table in the recall; negative: what the reference leaves out
};

// The texts of a segment are its references and the texts of its table; which is which stands
// in the column of weights.
class ParentWorker final : public Worker {
 public:
  static constexpr double kReference = 0, kRecord = 1, kEntailsOnly = 0.5, kAttribute = -1;
  static constexpr std::size_t kColumns = 7;

  ParentWorker(ParentOptions options, const Cooccurrence* model) : options_(options), model_(model) {}

  // Columns: F, 1, precision, recall, recall of the reference, recall of the table, λ.
  void row(const Segment& s, double* out) override {
    std::fill_n(out, kColumns, 0.0);
    out[1] = 1;
    if (s.hyp().size == 0) return;
    read_table(s);
    lcs_.reset(s.vocabulary);
    hyp_credits_.resize(s.hyp().size);
    for (u32 i = 0; i < s.hyp().size; ++i) hyp_credits_[i] = credit(s.hyp()[i], s.hyp_words()[i]);
    weigh(hyp_credits_, hyp_weights_);
    const double table = coverage(s, s.hyp());
    bool first = true;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      if (s.ref_weights[r] != kReference || s.ref(r).size == 0) continue;
      double result[kColumns];
      against(s, r, table, result);
      if (first || result[0] > out[0]) std::copy_n(result, kColumns, out);
      first = false;
    }
  }

 private:
  // Which words the table entails with certainty, and its words as the model knows them.
  void read_table(const Segment& s) {
    credits_.assign(s.vocabulary + 1, -1);
    table_words_.clear();
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const double role = s.ref_weights[r];
      if (role == kReference || (role == kAttribute && !model_)) continue;
      for (u32 k = 0; k < s.ref(r).size; ++k) {
        double& known = credits_[s.ref(r)[k]];
        if (known == 1) continue;
        known = 1;
        if (!model_) continue;
        const Word& word = s.ref_words(r)[k];
        if (const u32 id = model_->find({word.data, word.size})) table_words_.push_back(id);
      }
    }
  }

  // How far the table entails a word: 0..1.
  double credit(u32 id, const Word& word) {
    double& known = credits_[id];
    if (id != 0 && known >= 0) return known;
    double best = 0;
    if (model_) {
      if (const u32 text_word = model_->find({word.data, word.size}))
        for (u32 table_word : table_words_) best = std::max(best, model_->probability(table_word, text_word));
    }
    if (id != 0) known = best;
    return best;
  }

  // Weights of the n-grams that end at each position, order after order: the mean of their words'
  // credits, or the geometric mean under a model.
  void weigh(const std::vector<double>& credits, std::vector<double>& weights) {
    const std::size_t size = credits.size();
    weights.assign(size * options_.order, 0);
    window_.assign(size, model_ ? 1 : 0);
    for (u32 n = 0; n < options_.order && n < size; ++n) {
      for (std::size_t i = size; i-- > n;) {
        const double before = n == 0 ? window_[i] : window_[i - 1];
        window_[i] = model_ ? before * credits[i] : before + credits[i];
        weights[n * size + i] = !model_ ? window_[i] / (n + 1)
                                : n == 0 || window_[i] == 0 || window_[i] == 1 ? window_[i]
                                                                               : std::pow(window_[i], 1.0 / (n + 1));
      }
    }
  }

  // Mean over the records of the share of each that the text has in order; 1 without records.
  double coverage(const Segment& s, Ids text) {
    mentioned_.clear();
    for (u32 id : text)
      if (credits_[id] == 1) mentioned_.push_back(id);
    const Ids words{mentioned_.data(), static_cast<u32>(mentioned_.size())};
    double sum = 0;
    u32 records = 0;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      if (s.ref_weights[r] != kRecord || s.ref(r).size == 0) continue;
      sum += static_cast<double>(lcs_(words, s.ref(r))) / s.ref(r).size;
      ++records;
    }
    return records == 0 ? 1 : sum / records;
  }

  void against(const Segment& s, u32 r, double table, double* out) {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    const u32 order = options_.order;
    ref_credits_.resize(ref.size);
    for (u32 j = 0; j < ref.size; ++j) ref_credits_[j] = credit(ref[j], s.ref_words(r)[j]);
    weigh(ref_credits_, ref_weights_);

    // Clipped matches pair equal n-grams, and these have equal weights.
    double precise[kMaxOrder] = {}, recalled[kMaxOrder] = {};
    const auto count = [&](u32 n, u32 i, bool found) {
      const double weight = hyp_weights_[static_cast<std::size_t>(n) * hyp.size + i];
      precise[n] += found ? 1 : weight;
      recalled[n] += found ? weight : 0;
    };
    if (ref.size <= 64 * detail::kMaxWidth) {
      masks_.build(ref, s.vocabulary);
      const auto report = [&](u32 i, u32 found) {
        for (u32 n = 0; n < order && n <= i; ++n) count(n, i, found >> n & 1);
      };
      if (order <= 4) detail::walk<4>(hyp, masks_, report);
      else detail::walk<kMaxOrder>(hyp, masks_, report);
    } else {
      match_long(hyp, ref, s.vocabulary, count);
    }

    double log_precision = 0, log_recall = 0;
    for (u32 n = 0; n < order; ++n) {
      double entailed = 0;
      for (u32 j = n; j < ref.size; ++j) entailed += ref_weights_[static_cast<std::size_t>(n) * ref.size + j];
      double precision = hyp.size > n ? precise[n] / (hyp.size - n) : 0;
      double recall = entailed > 0 ? recalled[n] / entailed : 1;
      // Only the higher orders are smoothed; a zero of the first makes its mean zero.
      if (n > 0 && precision == 0) precision = options_.smoothing;
      if (n > 0 && recall == 0) recall = options_.smoothing;
      log_precision += std::log(precision) / order;
      log_recall += std::log(recall) / order;
    }
    const double smoothing = options_.smoothing;
    const double precision = std::exp(log_precision), mean_recall = std::exp(log_recall);
    const double ref_recall = mean_recall > 0 ? mean_recall : smoothing;
    const double table_recall = table > 0 ? table : smoothing;
    const double lambda = options_.lambda >= 0 ? options_.lambda : 1 - coverage(s, ref);
    const double recall = ref_recall > 0 && table_recall > 0
                              ? std::exp((1 - lambda) * std::log(ref_recall) + lambda * std::log(table_recall))
                              : 0;
    // The official tool's guard against 0 / 0; identical texts get 0.999999995.
    out[0] = 2 * precision * recall / (precision + recall + 1e-8);
    const double others[] = {1, precision, recall, ref_recall, table_recall, lambda};
    std::copy(std::begin(others), std::end(others), out + 1);
  }

  template <class F>
  void match_long(Ids hyp, Ids ref, u32 vocabulary, F&& count) {
    chain_.start(hyp, ref, {0, ref.size}, vocabulary);
    for (u32 n = 0; n < options_.order; ++n) {
      if (n > 0) chain_.advance();
      left_.assign(chain_.size() + 1, 0);
      for (u32 id : chain_.ref(0)) ++left_[id];
      left_[0] = 0;
      for (u32 i = n; i < hyp.size; ++i) {
        u32& left = left_[chain_.hyp()[i - n]];
        const bool found = left > 0;
        left -= found;
        count(n, i, found);
      }
    }
  }

  ParentOptions options_;
  const Cooccurrence* model_;
  std::vector<double> credits_;  // of each word id; negative: not looked up yet
  std::vector<double> hyp_credits_, ref_credits_, hyp_weights_, ref_weights_, window_;
  std::vector<u32> table_words_, mentioned_, left_;
  PositionMasks masks_;
  NgramChain chain_;
  LcsLength lcs_;
};

class ParentKernel final : public Kernel {
 public:
  ParentKernel(ParentOptions options, std::shared_ptr<const Cooccurrence> model)
      : options_(options), model_(std::move(model)) {}
  std::size_t columns() const override { return ParentWorker::kColumns; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<ParentWorker>(options_, model_.get()); }

 private:
  ParentOptions options_;
  std::shared_ptr<const Cooccurrence> model_;
};

}  // namespace nlg
