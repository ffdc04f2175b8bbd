// What BEER 2.0 counts in two texts: pieces of characters and words, and lengths.
#pragma once

#include "ngram/chrf.hpp"
#include "ngram/rouge_skip.hpp"

namespace nlg {

// The texts have one blank between words, and none behind the last; with one in front, or nothing
// at all, the first word is empty. Only the first reference is looked at.
//
// Columns: pieces of the hypothesis, of the reference, and matches, for characters (orders 1..6),
// words (orders 1..4) and pairs of words (at most 1, 2, 3, 4, any number between them); then the
// words of both texts, and their characters.
class BeerWorker final : public Worker {
 public:
  static constexpr u32 kCharOrders = 6, kWordOrders = 4, kGaps = 5;
  static constexpr u32 kColumns = 3 * (kCharOrders + kWordOrders + kGaps) + 4;

  void row(const Segment& s, double* out) override {
    std::fill_n(out, kColumns, 0.0);
    if (s.ref_texts.empty()) return;
    double* const lengths = out + kColumns - 4;
    characters(s.hyp_text, s.ref_texts[0], out, lengths + 2);
    number_words(s.hyp_text, s.ref_texts[0]);
    const Ids hyp{hyp_.data(), static_cast<u32>(hyp_.size())}, ref{ref_.data(), static_cast<u32>(ref_.size())};
    lengths[0] = hyp.size;
    lengths[1] = ref.size;
    words(hyp, ref, out + 3 * kCharOrders);
    pairs(hyp, ref, out + 3 * (kCharOrders + kWordOrders));
  }

 private:
  static void put(double*& out, double hyp, double ref, double matches) {
    out[0] = hyp;
    out[1] = ref;
    out[2] = matches;
    out += 3;
  }

  static std::string_view without_last(std::string_view text) {
    std::size_t size = text.empty() ? 0 : text.size() - 1;
    while (size > 0 && (static_cast<u8>(text[size]) & 0xC0) == 0x80) --size;
    return text.substr(0, size);
  }

  // The tool's pieces of order n have n - 1 characters, and the last one of the text is left out:
  // those of order 1 are empty, and all alike.
  void characters(std::string_view hyp, std::string_view ref, double* out, double* lengths) {
    u64 matches[kCharOrders - 1];
    characters_.set_hyp(without_last(hyp), true);
    characters_.match(without_last(ref), true, kCharOrders - 1, matches);
    const u32 m = characters_.hyp_size() + !hyp.empty(), n = characters_.ref_size() + !ref.empty();
    lengths[0] = m;
    lengths[1] = n;
    put(out, m, n, std::min(m, n));
    for (u32 k = 1; k < kCharOrders; ++k)
      put(out, m > k ? m - k : 0, n > k ? n - k : 0, static_cast<double>(matches[k - 1]));
  }

  // n-grams, and two more that stand at the text's start and end.
  void words(Ids hyp, Ids ref, double* out) {
    chain_.start(hyp, ref, {0, ref.size}, interner_.size());
    for (u32 n = 1; n <= kWordOrders; ++n) {
      if (n > 1) chain_.advance();
      const u32 m = std::min(hyp.size, n), k = std::min(ref.size, n);
      const bool start = m == k && std::equal(hyp.begin(), hyp.begin() + m, ref.begin());
      const bool end = m == k && std::equal(hyp.end() - m, hyp.end(), ref.end() - m);
      put(out, grams(hyp, n), grams(ref, n), chain_.clipped() + start + end);
    }
  }

  static double grams(Ids text, u32 n) { return 2 + (text.size >= n ? text.size - n + 1 : 0); }

  void pairs(Ids hyp, Ids ref, double* out) {
    for (u32 gap : {1u, 2u, 3u, 4u, ~0u})
      put(out, pair_count(hyp.size, gap), pair_count(ref.size, gap),
          static_cast<double>(skips_.count(hyp, ref, interner_.size(), gap)));
  }

  static double pair_count(u32 size, u32 gap) {
    const double n = size, reach = std::min<double>(gap + 1.0, std::max(0.0, n - 1));
    return reach * (n - reach) + reach * (reach - 1) / 2;
  }

  void number_words(std::string_view hyp, std::string_view ref) {
    interner_.reset(static_cast<u32>(1 + std::count(ref.begin(), ref.end(), ' ')));
    ref_.clear();
    hyp_.clear();
    split(ref, [&](const Word& word) { ref_.push_back(interner_.add(word)); });
    split(hyp, [&](const Word& word) { hyp_.push_back(interner_.find(word)); });
  }

  template <class F>
  static void split(std::string_view text, F&& on_word) {
    static constexpr char kEmpty[8] = {'\n'};  // stands for the empty word: texts have no line ends
    for (;;) {
      const std::size_t size = std::min(text.find(' '), text.size());
      on_word(size ? make_word(text.data(), static_cast<u32>(size)) : make_word(kEmpty, 1));
      if (size == text.size()) return;
      text.remove_prefix(size + 1);
    }
  }

  CharacterMatches characters_;
  NgramChain chain_;
  SkipMatches skips_;
  Interner interner_;
  std::vector<u32> hyp_, ref_;
};

class BeerKernel final : public Kernel {
 public:
  std::size_t columns() const override { return BeerWorker::kColumns; }
  bool needs_words() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<BeerWorker>(); }
};

}  // namespace nlg
