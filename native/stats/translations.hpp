// IBM model 1 (Brown et al., 1993): probabilities of words given words of another language, from pairs
// of texts by expectation maximisation.
//
// Expected counts are whole numbers of 2^-36, so that their sums do not depend on the order of
// the pairs, nor on threads. Only words that occur in a pair together are kept: 20 bytes each.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/kernel.hpp"

namespace nlg {

constexpr double kCountUnit = 68719476736.0;       // 2^36
constexpr std::size_t kMostTokens = std::size_t{1} << 28;  // whose counts fit into 64 bits

// Texts as numbers of words; text i is [starts[i], starts[i + 1]).
struct NumberedTexts {
  const u32* words;
  const std::int64_t* starts;
  std::size_t size;  // texts
  u32 vocabulary;    // words are smaller

  std::size_t length(std::size_t i) const { return static_cast<std::size_t>(starts[i + 1] - starts[i]); }
  const u32* begin(std::size_t i) const { return words + starts[i]; }
};

struct TooManyPairs : std::length_error {
  using std::length_error::length_error;
};

class WordTranslations {
 public:
  // Given word 0 stands for no word and must not occur; it is added to every text.
  WordTranslations(NumberedTexts given, NumberedTexts texts, std::size_t most_pairs, unsigned threads)
      : given_(given), texts_(texts), rows_(given.vocabulary) {
    collect(most_pairs, threads);
    for (Row& row : rows_) row.probabilities.assign(row.words.size(), 1.0 / std::max<u32>(1, texts.vocabulary));
  }

  std::size_t pairs() const {
    std::size_t sum = 0;
    for (const Row& row : rows_) sum += row.words.size();
    return sum;
  }

  // One round; returns the log-likelihood of the texts under the probabilities before it.
  double iterate(unsigned threads) {
    for (Row& row : rows_) row.counts.assign(row.words.size(), 0);
    std::vector<double> logs(texts_.size, 0.0);
    parallel(
        texts_.size, threads,
        [&] {
          return [&, places = std::vector<u32>()](std::size_t first, std::size_t last) mutable {
            for (std::size_t i = first; i < last; ++i) logs[i] = expect(i, places);
          };
        },
        16);
    for (Row& row : rows_) row.maximise();
    double sum = 0;
    for (const double log : logs) sum += log;
    return sum;
  }

  // All entries of at least this probability, by given word and word.
  template <class Take>
  void entries(double least, Take&& take) const {
    for (u32 e = 0; e < rows_.size(); ++e)
      for (std::size_t k = 0; k < rows_[e].words.size(); ++k)
        if (rows_[e].probabilities[k] >= least) take(e, rows_[e].words[k], rows_[e].probabilities[k]);
  }

 private:
  struct Row {
    std::vector<u32> words;  // ascending
    std::vector<double> probabilities;
    std::vector<u64> counts;

    u32 find(u32 word) const {
      return static_cast<u32>(std::lower_bound(words.begin(), words.end(), word) - words.begin());
    }
    void maximise() {
      double total = 0;  // exact: whole numbers below 2^53 times the unit in all but absurd corpora
      for (const u64 count : counts) total += static_cast<double>(count);
      if (total == 0) return;
      for (std::size_t k = 0; k < counts.size(); ++k) probabilities[k] = static_cast<double>(counts[k]) / total;
    }
  };

  u32 given_word(std::size_t text, std::size_t place) const { return place == 0 ? 0 : given_.begin(text)[place - 1]; }

  // The words that occur together with each given word.
  void collect(std::size_t most_pairs, unsigned threads) {
    std::vector<std::vector<u32>> texts_with(given_.vocabulary);
    for (std::size_t i = 0; i < texts_.size; ++i)
      for (std::size_t place = 0; place <= given_.length(i); ++place) {
        auto& found = texts_with[given_word(i, place)];
        if (found.empty() || found.back() != i) found.push_back(static_cast<u32>(i));
      }
    std::atomic<std::size_t> total{0};
    parallel(
        rows_.size(), threads,
        [&] {
          return [&, seen = std::vector<u32>(texts_.vocabulary, 0)](std::size_t first, std::size_t last) mutable {
            for (std::size_t e = first; e < last; ++e) {
              auto& words = rows_[e].words;
              for (const u32 i : texts_with[e]) {
                checkpoint(texts_.length(i));
                for (std::size_t j = 0; j < texts_.length(i); ++j) {
                  const u32 word = texts_.begin(i)[j];
                  if (seen[word] == e + 1) continue;
                  seen[word] = static_cast<u32>(e + 1);
                  words.push_back(word);
                }
              }
              if ((total += words.size()) > most_pairs) throw TooManyPairs("too many pairs of words");
              std::sort(words.begin(), words.end());
              words.shrink_to_fit();
            }
          };
        },
        16);
  }

  // Adds the expected counts of one text; returns its log-likelihood.
  double expect(std::size_t i, std::vector<u32>& places) {
    const std::size_t others = given_.length(i) + 1, size = texts_.length(i);
    places.resize(others);
    checkpoint(16 * others * size + 1);
    double log = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const u32 word = texts_.begin(i)[j];
      double sum = 0;
      for (std::size_t k = 0; k < others; ++k) {
        const Row& row = rows_[given_word(i, k)];
        places[k] = row.find(word);
        sum += row.probabilities[places[k]];
      }
      if (!(sum > 0)) continue;
      log += std::log(sum / static_cast<double>(others));
      for (std::size_t k = 0; k < others; ++k) {
        Row& row = rows_[given_word(i, k)];
        const double share = row.probabilities[places[k]] / sum;
        __atomic_fetch_add(&row.counts[places[k]], static_cast<u64>(share * kCountUnit + 0.5), __ATOMIC_RELAXED);
      }
    }
    return log;
  }

  NumberedTexts given_, texts_;
  std::vector<Row> rows_;
};

}  // namespace nlg
