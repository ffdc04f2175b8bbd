// Characters as small integers, for distances between texts.
#pragma once

#include "core/segment.hpp"
#include "text/unicode.hpp"

namespace nlg {

// ASCII characters are their code plus 1; other characters of the reference are numbered from 129,
// and those it does not have are 0.
class CharacterIds {
 public:
  CharacterIds() : id_of_(0x110000, 0) {}

  u32 vocabulary() const { return 128 + static_cast<u32>(known_.size()); }
  Ids hyp() const { return {hyp_.data(), static_cast<u32>(hyp_.size())}; }
  Ids ref() const { return {ref_.data(), static_cast<u32>(ref_.size())}; }

  // First the reference, then the hypothesis; pieces are joined by blanks.
  void start() {
    for (u32 cp : known_) id_of_[cp] = 0;
    known_.clear();
    hyp_.clear();
    ref_.clear();
  }
  void add_ref(const Word& word) {
    append(word, ref_, [&](u32 cp) {
      if (id_of_[cp] == 0) known_.push_back(cp), id_of_[cp] = vocabulary();
      return id_of_[cp];
    });
  }
  void add_hyp(const Word& word) {
    append(word, hyp_, [&](u32 cp) { return id_of_[cp]; });
  }

 private:
  template <class F>
  static void append(const Word& word, std::vector<u32>& out, F&& id) {
    const std::size_t size = out.size();
    out.resize(size + word.size + 1);
    u32* p = out.data() + size;
    if (size > 0) *p++ = ' ' + 1;
    const auto* s = reinterpret_cast<const u8*>(word.data);
    for (u32 i = 0, length = 1; i < word.size; i += length) {
      const u32 cp = s[i] < 0x80 ? (length = 1, s[i]) : decode(s + i, length);
      *p++ = cp < 0x80 ? cp + 1 : id(cp);
    }
    out.resize(p - out.data());
  }
  std::vector<u32> id_of_, known_, hyp_, ref_;
};

}  // namespace nlg
