// Words as slices of text, and a small exact interner for the words of one segment.
#pragma once

#include "core/texts.hpp"

namespace nlg {

// Eight leading bytes, eight trailing bytes and the length settle equality for words of up to
// sixteen bytes; longer ones compare their bytes.
struct Word {
  u64 head, tail;
  const char* data;
  u32 size;

  bool operator==(const Word& o) const {
    return head == o.head && tail == o.tail && size == o.size &&
           (size <= 16 || std::memcmp(data, o.data, size) == 0);
  }
  u32 hash() const {
    return static_cast<u32>(((head ^ tail * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull) >> 44) + size;
  }
};

inline u64 load8(const char* p) {
  u64 v;
  std::memcpy(&v, p, 8);
  return v;
}

// The word [p, p + n), n > 0; eight bytes from p must be readable.
inline Word make_word(const char* p, u32 n) {
  // Without branches: lengths come in no order that could be predicted.
  const u32 in_head = n < 8 ? n : 8;
  const u64 tail = load8(p + n - in_head);
  return {load8(p) & (~0ull >> (64 - 8 * in_head)), n > 8 ? tail : 0, p, n};
}

// Numbers the distinct words of a segment from 1; 0 means "not seen".
class Interner {
 public:
  void reset(u32 capacity) {
    u32 slots = 128;  // at most a quarter full: collisions cost more than the memory
    while (slots < 4 * capacity) slots <<= 1;
    if (slots_.size() < slots) slots_.resize(slots);
    if (words_.size() < capacity + 1) words_.resize(2 * capacity + 1);
    std::memset(slots_.data(), 0, slots * sizeof(u32));
    mask_ = slots - 1;
    size_ = 0;
  }
  u32 add(const Word& w) {
    u32& slot = find_slot(w);
    if (slot == 0) {
      slot = ++size_;
      words_[size_] = w;
    }
    return slot;
  }
  u32 find(const Word& w) { return find_slot(w); }
  u32 size() const { return size_; }
  const Word& word(u32 id) const { return words_[id]; }

 private:
  u32& find_slot(const Word& w) {
    u32 at = w.hash() & mask_;
    while (slots_[at] != 0 && !(words_[slots_[at]] == w)) at = (at + 1) & mask_;
    return slots_[at];
  }
  std::vector<u32> slots_;
  std::vector<Word> words_;
  u32 mask_ = 0, size_ = 0;
};

}  // namespace nlg
