// How often the n-grams of all references of a corpus occur: NIST's information, CIDEr's document
// frequencies, YiSi's word weights.
//
// N-grams are known by 64-bit fingerprints. They do not depend on the order of the segments, so
// neither does anything here; among ten million different n-grams the odds that any two of them
// are taken for one are about one in 400,000. N-grams that occur once need not be kept.
#pragma once

#include <array>
#include <cmath>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

namespace detail {

inline u64 fold(u64 a, u64 b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}

}  // namespace detail

inline u64 fingerprint(const Word& word) {
  u64 h = detail::fold(word.head ^ 0xA0761D6478BD642Full, word.tail ^ 0xE7037ED1A0B428DBull ^ word.size);
  for (u32 i = 8; i + 8 < word.size; i += 8)
    h = detail::fold(h ^ load8(word.data + i), 0x8EBC6AF09C88C6E3ull);
  return h;
}

// The n-gram that starts with `gram` and has one more word.
inline u64 extended(u64 gram, u64 word) {
  return detail::fold(gram ^ 0x589965CC75374CC3ull, word ^ 0x1D8E4E27C47D124Full);
}

// A set of n-grams, numbered from 0 in the order they come; cheap to empty.
class GramNumbers {
 public:
  void clear(std::size_t capacity) {
    std::size_t slots = 256;
    while (slots < 2 * capacity) slots <<= 1;
    if (slots_.size() < slots) slots_.assign(slots, {0, 0, 0}), round_ = 0;
    if (++round_ == 0) slots_.assign(slots_.size(), {0, 0, 0}), round_ = 1;
    mask_ = slots_.size() - 1;
    size_ = 0;
  }
  // Its number; `added` tells whether it is new.
  u32 add(u64 gram, bool& added) {
    std::size_t at = gram & mask_;
    while (slots_[at].round == round_ && slots_[at].gram != gram) at = (at + 1) & mask_;
    added = slots_[at].round != round_;
    if (added) slots_[at] = {gram, round_, size_++};
    return slots_[at].number;
  }
  static constexpr u32 kNone = ~0u;
  u32 find(u64 gram) const {
    std::size_t at = gram & mask_;
    while (slots_[at].round == round_ && slots_[at].gram != gram) at = (at + 1) & mask_;
    return slots_[at].round == round_ ? slots_[at].number : kNone;
  }
  u32 size() const { return size_; }

 private:
  struct Slot {
    u64 gram;
    u32 round, number;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  u32 round_ = 0, size_ = 0;
};

// What counts as one occurrence.
enum class CountUnit { kToken, kReference, kSegment };

class Frequencies {
 public:
  // Of an n-gram; 1 for all that were not seen twice.
  u32 operator()(u64 gram) const { return std::max(1u, kept(gram)); }
  // The same; 0 for those that were not kept.
  u32 kept(u64 gram) const {
    return slots_[place(gram)].count;
  }
  void prefetch(u64 gram) const { __builtin_prefetch(&slots_[gram >> shift_]); }
  // Whether an n-gram is never more frequent than its parts: not so in a file.
  bool counted() const { return words_ > 0; }
  u64 words() const { return words_; }          // tokens of all references
  u64 documents() const { return documents_; }  // references or segments
  std::size_t size() const { return size_; }    // n-grams that are kept
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

  // Adds what was counted in another part of a corpus; both must have kept every n-gram.
  void merge(const Frequencies& other) {
    words_ += other.words_;
    documents_ += other.documents_;
    for (const Slot& slot : other.slots_) {
      if (slot.count == 0) continue;
      checkpoint(8);
      if (2 * (size_ + 1) > slots_.size()) store(entries(1), 2 * (size_ + 1));
      Slot& own = slots_[place(slot.gram)];
      size_ += own.count == 0;
      own.gram = slot.gram;
      own.count = slot.count > ~own.count ? ~0u : own.count + slot.count;
    }
  }
  // The same without n-grams that occur less often.
  Frequencies at_least(u32 least) const {
    Frequencies result;
    result.words_ = words_;
    result.documents_ = documents_;
    const auto kept = entries(least);
    result.store(kept, kept.size());
    return result;
  }
  // Calls take(gram, count) for all n-grams, by their fingerprints.
  template <class Take>
  void each(Take&& take) const {
    auto kept = entries(1);
    std::sort(kept.begin(), kept.end(), [](const Slot& a, const Slot& b) { return a.gram < b.gram; });
    for (const Slot& slot : kept) take(slot.gram, slot.count);
  }
  static Frequencies restored(const u64* grams, const u32* counts, std::size_t size, u64 words, u64 documents) {
    Frequencies result;
    result.words_ = words;
    result.documents_ = documents;
    std::vector<Slot> kept;
    for (std::size_t i = 0; i < size; ++i) kept.push_back({grams[i], counts[i]});
    result.store(kept, kept.size());
    return result;
  }

  // Keeps n-grams that occur `least` times, 1 or 2.
  static Frequencies count(const Batch& batch, std::size_t segments, const Preparation& preparation, u32 order,
                           CountUnit unit, u32 least) {
    Frequencies result;
    result.documents_ = unit == CountUnit::kReference ? static_cast<u64>(batch.ref_starts[segments]) : segments;
    std::vector<Slot> kept;
    // So many passes that the n-grams of one fit into memory easily: a text has few more n-grams
    // of one order than a fifth of its bytes.
    const u64 passes = 1 + batch.refs.bytes() / 5 * order / kGramsPerPass;
    for (u64 pass = 0; pass < passes; ++pass) {
      Parts parts;
      result.words_ = collect(batch, segments, preparation, order, unit, parts,
                              [&](u64 gram) { return passes == 1 || gram % passes == pass; });
      for (auto& part : parts) {
        tally(part, least, kept);
        std::vector<u64>().swap(part);
      }
    }
    result.store(kept, kept.size());
    return result;
  }

  // Of given n-grams (words joined by blanks), as a file has them.
  static Frequencies given(const Texts& grams, const u32* counts, u64 documents) {
    Frequencies result;
    result.documents_ = documents;
    std::vector<Slot> kept;
    std::vector<Word> words;
    Scratch scratch;
    for (std::size_t i = 0; i < grams.size(); ++i) {
      checkpoint(16 + grams[i].size());
      words.resize(max_words(grams[i].size()));
      const Word* const end = tokenize(Tokenizer::kSpace, grams[i], scratch, words.data());
      if (end == words.data() || counts[i] < 2) continue;
      u64 gram = fingerprint(words[0]);
      for (const Word* w = words.data() + 1; w != end; ++w) gram = extended(gram, fingerprint(*w));
      kept.push_back({gram, counts[i]});
    }
    result.store(kept, kept.size());
    return result;
  }

 private:
  struct Slot {
    u64 gram;
    u32 count;
  };
  static constexpr u64 kGramsPerPass = 1u << 25;
  static constexpr u32 kPartBits = 11;
  using Parts = std::array<std::vector<u64>, 1u << kPartBits>;

  // Fills the parts, by the leading bits of the fingerprints, and returns the number of words.
  template <class Wanted>
  static u64 collect(const Batch& batch, std::size_t segments, const Preparation& preparation, u32 order, CountUnit unit,
                     Parts& parts, Wanted&& wanted) {
    const Texts no_hyps(Texts::arena(0), std::vector<u64>(segments + 1, 0));
    const Batch references{no_hyps, batch.refs, batch.ref_starts, nullptr};
    SegmentReader reader(references, preparation, true, true);
    GramNumbers seen;
    std::vector<u64> words;
    u64 total = 0;
    for (std::size_t i = 0; i < segments; ++i) {
      const Segment& s = reader.read(i);
      const std::size_t tokens = s.all_refs().size;
      total += tokens;
      if (unit == CountUnit::kSegment) seen.clear(tokens * order);
      for (u32 r = 0; r < s.ref_count(); ++r) {
        const u32 length = s.ref(r).size;
        if (unit == CountUnit::kReference) seen.clear(static_cast<std::size_t>(length) * order);
        words.resize(length);
        for (u32 k = 0; k < length; ++k) words[k] = fingerprint(s.ref_words(r)[k]);
        for (u32 k = 0; k < length; ++k) {
          checkpoint(8 * order);
          u64 gram = words[k];
          for (u32 n = 0;;) {
            bool fresh = true;
            if (unit != CountUnit::kToken) seen.add(gram, fresh);
            if (fresh && wanted(gram)) parts[gram >> (64 - kPartBits)].push_back(gram);
            if (++n == order || k + n == length) break;
            gram = extended(gram, words[k + n]);
          }
        }
      }
    }
    return total;
  }

  // A part is small enough to be counted in cache.
  static void tally(const std::vector<u64>& part, u32 least, std::vector<Slot>& kept) {
    std::size_t slots = 64;
    while (slots < 2 * part.size()) slots <<= 1;
    std::vector<Slot> table(slots, Slot{0, 0});
    checkpoint(8 * part.size());
    for (u64 gram : part) {
      std::size_t at = gram & (slots - 1);
      while (table[at].count != 0 && table[at].gram != gram) at = (at + 1) & (slots - 1);
      table[at].gram = gram;
      ++table[at].count;
    }
    for (const Slot& slot : table)
      if (slot.count >= least) kept.push_back(slot);
  }

  // Where an n-gram is, or would be.
  std::size_t place(u64 gram) const {
    std::size_t at = gram >> shift_;
    while (slots_[at].count != 0 && slots_[at].gram != gram) at = (at + 1) & mask_;
    return at;
  }

  std::vector<Slot> entries(u32 least) const {
    std::vector<Slot> kept;
    for (const Slot& slot : slots_)
      if (slot.count != 0 && slot.count >= least) kept.push_back(slot);
    return kept;
  }

  void store(const std::vector<Slot>& kept, std::size_t capacity) {
    u32 bits = 6;
    while ((1ull << bits) < 2 * capacity) ++bits;
    mask_ = (1ull << bits) - 1;
    shift_ = 64 - bits;
    size_ = 0;
    slots_.assign(mask_ + 1, Slot{0, 0});
    for (const Slot& slot : kept) {
      checkpoint(8);
      Slot& own = slots_[place(slot.gram)];
      size_ += own.count == 0;
      own = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(2, Slot{0, 0});
  std::size_t mask_ = 1, size_ = 0;
  u32 shift_ = 63;
  u64 words_ = 0, documents_ = 0;
};

// Logarithms of small whole numbers, for frequencies.
class Logarithms {
 public:
  Logarithms() {
    for (u32 i = 1; i < logs_.size(); ++i) logs_[i] = std::log(static_cast<double>(i));
  }
  double operator()(u32 n) const { return n < logs_.size() ? logs_[n] : std::log(static_cast<double>(n)); }

 private:
  std::vector<double> logs_ = std::vector<double>(1024, 0.0);
};

}  // namespace nlg
