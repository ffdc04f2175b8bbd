// One segment as the kernels see it: texts after case folding, words as small integers.
#pragma once

#include <algorithm>

#include "tokenize.hpp"

namespace nlg {

// A hypothesis column and its references; those of segment i are [ref_starts[i], ref_starts[i + 1]).
struct Batch {
  const Texts& hyps;
  const Texts& refs;
  const std::int64_t* ref_starts;
  const double* ref_weights;  // one per reference, or null
};

struct Preparation {
  Tokenizer tokenizer = Tokenizer::kSpace;
  bool lowercase = false;
};

struct Ids {
  const u32* data;
  u32 size;
  u32 operator[](std::size_t i) const { return data[i]; }
  const u32* begin() const { return data; }
  const u32* end() const { return data + size; }
};

class Segment {
 public:
  std::string_view hyp_text;
  std::vector<std::string_view> ref_texts;
  const double* ref_weights = nullptr;

  // Words of the references are numbered 1..vocabulary; a hypothesis word in none of them is 0.
  u32 vocabulary = 0;
  u32 longest_ref = 0;
  Ids hyp() const { return {hyp_ids_.data(), static_cast<u32>(hyp_ids_.size())}; }
  u32 ref_count() const { return static_cast<u32>(ref_texts.size()); }
  Ids ref(std::size_t r) const { return {ref_ids_.data() + ref_ends_[r], ref_ends_[r + 1] - ref_ends_[r]}; }
  const std::vector<u32>& ref_ends() const { return ref_ends_; }  // starts with 0
  // The words themselves, for kernels that look into them.
  const Word* hyp_words() const { return hyp_words_; }
  const Word* ref_words(std::size_t r) const { return ref_words_ + ref_ends_[r]; }
  Ids all_refs() const { return {ref_ids_.data(), static_cast<u32>(ref_ids_.size())}; }

 private:
  friend class SegmentReader;
  std::vector<u32> hyp_ids_, ref_ids_, ref_ends_;
  const Word *hyp_words_ = nullptr, *ref_words_ = nullptr;
};

// Reads segments one after the other into the same buffers.
class SegmentReader {
 public:
  SegmentReader(const Batch& batch, Preparation preparation, bool words)
      : batch_(batch), preparation_(preparation), words_wanted_(words) {}

  const Segment& read(std::size_t i) {
    scratch_.clear();
    const auto first = static_cast<std::size_t>(batch_.ref_starts[i]);
    const auto last = static_cast<std::size_t>(batch_.ref_starts[i + 1]);
    segment_.hyp_text = prepare(batch_.hyps[i]);
    segment_.ref_texts.resize(last - first);
    for (std::size_t r = first; r < last; ++r) segment_.ref_texts[r - first] = prepare(batch_.refs[r]);
    segment_.ref_weights = batch_.ref_weights ? batch_.ref_weights + first : nullptr;
    if (words_wanted_) number_words();
    return segment_;
  }

 private:
  std::string_view prepare(std::string_view text) {
    if (!preparation_.lowercase) return text;
    std::string& out = scratch_.take();
    out.resize(lower_bound_size(text.size()) + kPadding);
    const char* end = lower(text, out.data(), scratch_.code_points);
    return {out.data(), static_cast<std::size_t>(end - out.data())};
  }

  Word* tokenize_into(std::string_view text, Word* out) {
    return tokenize(preparation_.tokenizer, text, scratch_, out);
  }

  void number_words() {
    std::size_t room = max_words(segment_.hyp_text.size());
    for (auto text : segment_.ref_texts) room += max_words(text.size());
    if (buffer_.size() < room) buffer_.resize(2 * room);

    Word* out = buffer_.data();
    auto& ends = segment_.ref_ends_;
    ends.assign(1, 0);
    segment_.longest_ref = 0;
    for (auto text : segment_.ref_texts) {
      out = tokenize_into(text, out);
      ends.push_back(static_cast<u32>(out - buffer_.data()));
      segment_.longest_ref = std::max(segment_.longest_ref, ends.back() - ends[ends.size() - 2]);
    }
    const Word* const hyp_end = tokenize_into(segment_.hyp_text, out);

    segment_.ref_words_ = buffer_.data();
    segment_.hyp_words_ = out;
    interner_.reset(ends.back());
    segment_.ref_ids_.resize(ends.back());
    for (u32 k = 0; k < ends.back(); ++k) segment_.ref_ids_[k] = interner_.add(buffer_[k]);
    segment_.hyp_ids_.resize(hyp_end - out);
    for (std::size_t k = 0; k < segment_.hyp_ids_.size(); ++k) segment_.hyp_ids_[k] = interner_.find(out[k]);
    segment_.vocabulary = interner_.size();
  }

  const Batch& batch_;
  Preparation preparation_;
  bool words_wanted_;
  Segment segment_;
  Scratch scratch_;
  Interner interner_;
  std::vector<Word> buffer_;
};

}  // namespace nlg
