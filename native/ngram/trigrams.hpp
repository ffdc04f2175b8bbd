// Probabilities of words after two others, from the arrays of an n-gram model: trigrams where there are
// any, else bigrams and words below them, with the weight that their context leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "core/words.hpp"

namespace nlg {

constexpr unsigned kWordBits = 20;  // of a word's number in a key

// Where each of some distinct keys is in the array that they came from.
class KeyTable {
 public:
  KeyTable(const std::int64_t* keys, std::size_t size) : keys_(keys) {
    std::size_t slots = 4;
    while (slots < 2 * size) slots *= 2;
    slots_.assign(slots, -1);
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t at = slot(keys[i]);
      while (slots_[at] >= 0) at = (at + 1) & (slots - 1);
      slots_[at] = static_cast<std::int32_t>(i);
    }
  }

  // Its place, or -1.
  std::int32_t find(std::int64_t key) const {
    for (std::size_t at = slot(key);; at = (at + 1) & (slots_.size() - 1)) {
      const std::int32_t found = slots_[at];
      if (found < 0 || keys_[found] == key) return found;
    }
  }

 private:
  std::size_t slot(std::int64_t key) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(mixed >> 20) & (slots_.size() - 1);
  }

  const std::int64_t* keys_;
  std::vector<std::int32_t> slots_;
};

// The arrays are the caller's, and stay where they are.
struct TrigramArrays {
  const double *one, *one_left;
  std::size_t words;
  const std::int64_t* two_keys;
  const double *two, *two_left;
  std::size_t pairs;
  const std::int64_t* three_keys;
  const double* three;
  std::size_t triples;
};

class Trigrams {
 public:
  explicit Trigrams(const TrigramArrays& arrays)
      : a_(arrays), pairs_(arrays.two_keys, arrays.pairs), triples_(arrays.three_keys, arrays.triples) {}

  std::size_t words() const { return a_.words; }

  double one(u32 word) const { return a_.one[word]; }

  // The logarithm of the probability of a word after one other.
  double two(u32 before, u32 word) const {
    const std::int32_t at = pairs_.find(key(before, word));
    return at < 0 ? a_.one_left[before] + a_.one[word] : a_.two[at];
  }

  // The same after two others.
  double three(u32 first, u32 second, u32 word) const {
    const std::int64_t context = key(first, second);
    const std::int32_t at = triples_.find(context << kWordBits | word);
    if (at >= 0) return a_.three[at];
    const std::int32_t seen = pairs_.find(context);
    return (seen < 0 ? 0.0 : a_.two_left[seen]) + two(second, word);
  }

 private:
  static std::int64_t key(u32 first, u32 second) {
    return static_cast<std::int64_t>(first) << kWordBits | static_cast<std::int64_t>(second);
  }

  TrigramArrays a_;
  KeyTable pairs_, triples_;
};

}  // namespace nlg
