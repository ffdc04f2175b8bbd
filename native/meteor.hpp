// METEOR (Banerjee and Lavie, 2005): links found in stages, then chunks. Columns, for the best
// reference: links, chunks, |h|, |r|, score, 1.
#pragma once

#include <cmath>
#include <string>
#include <unordered_set>

#include "kernel.hpp"
#include "matching.hpp"
#include "stem.hpp"

namespace nlg {

// The words of a pair of texts, and which of them earlier stages have linked.
struct StageInput {
  Ids hyp, ref;  // equal words of the two texts have equal numbers; a hypothesis word may have 0
  const Word *hyp_words, *ref_words;
  u32 vocabulary;
  const LinkedWords& links;
};

// One way to tell that words correspond, on one thread.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  // Numbers or pairs free words; `out` is empty.
  virtual void offer(const StageInput& in, Candidates& out) = 0;

 protected:
  // class_of(word, id) for every free word.
  template <class F>
  static void number(const StageInput& in, Candidates& out, F&& class_of) {
    for (u32 j = 0; j < in.ref.size; ++j)
      if (in.links.ref[j] == kUnlinked) out.ref_class[j] = class_of(in.ref_words[j], in.ref[j]);
    for (u32 i = 0; i < in.hyp.size; ++i)
      if (in.links.hyp[i] == kUnlinked) out.hyp_class[i] = class_of(in.hyp_words[i], in.hyp[i]);
  }
};

// A configured stage, shared by threads.
class StageKind {
 public:
  virtual ~StageKind() = default;
  virtual std::unique_ptr<MatchStage> make() const = 0;
};

// The same word; words of a given list are left alone.
class ExactStage final : public StageKind {
 public:
  explicit ExactStage(const std::vector<std::string>& except) : except_(except.begin(), except.end()) {}
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Exact>(except_); }

 private:
  using List = std::unordered_set<std::string>;
  class Exact final : public MatchStage {
   public:
    explicit Exact(const List& except) : except_(except) {}
    void offer(const StageInput& in, Candidates& out) override {
      out.classes = in.vocabulary;
      number(in, out, [&](const Word& word, u32 id) {
        return except_.empty() || except_.count(std::string(word.data, word.size)) == 0 ? id : 0;
      });
    }

   private:
    const List& except_;
  };
  List except_;
};

// The same stem.
class StemStage final : public StageKind {
 public:
  explicit StemStage(Stemmer stemmer) : stemmer_(stemmer) {}
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Stem>(stemmer_); }

 private:
  class Stem final : public MatchStage {
   public:
    explicit Stem(Stemmer stemmer) : cache_(stemmer) {}
    void offer(const StageInput& in, Candidates& out) override {
      cache_.trim();
      for (u32 id : met_) class_[id] = 0;
      met_.clear();
      number(in, out, [&](const Word& word, u32) {
        const u32 id = cache_.id(word);
        if (id >= class_.size()) class_.resize(2 * id + 64, 0);
        if (class_[id] == 0) {
          met_.push_back(id);
          class_[id] = static_cast<u32>(met_.size());
        }
        return class_[id];
      });
      out.classes = static_cast<u32>(met_.size());
    }

   private:
    StemCache cache_;
    std::vector<u32> class_, met_;  // number of each stem in this pair of texts
  };
  Stemmer stemmer_;
};

using Stages = std::vector<std::shared_ptr<const StageKind>>;

enum class Linking { kBest, kLast };

// Runs the stages over a pair of texts.
class StagedAligner {
 public:
  StagedAligner(const Stages& stages, Linking linking) : linking_(linking) {
    for (const auto& kind : stages) stages_.push_back(kind->make());
  }

  const LinkedWords& align(Ids hyp, const Word* hyp_words, Ids ref, const Word* ref_words, u32 vocabulary) {
    links_.clear(hyp.size, ref.size);
    const StageInput input{hyp, ref, hyp_words, ref_words, vocabulary, links_};
    for (u32 k = 0; k < stages_.size(); ++k) {
      candidates_.clear(hyp.size, ref.size);
      stages_[k]->offer(input, candidates_);
      if (linking_ == Linking::kBest) best_.run(candidates_, k, links_);
      else last_.run(candidates_, k, links_);
    }
    return links_;
  }

 private:
  Linking linking_;
  std::vector<std::unique_ptr<MatchStage>> stages_;
  Candidates candidates_;
  LinkedWords links_;
  BestLinks best_;
  LastLinks last_;
};

struct MeteorConfig {
  Stages stages;
  Linking linking;
  double alpha, beta, gamma;
};

class MeteorWorker final : public Worker {
 public:
  explicit MeteorWorker(const MeteorConfig& config) : config_(config), aligner_(config.stages, config.linking) {}

  void row(const Segment& s, double* out) override {
    const Ids hyp = s.hyp();
    std::fill_n(out, 6, 0.0);
    out[2] = hyp.size;
    out[5] = 1;
    double best = -1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const Ids ref = s.ref(r);
      if (ref.size == 0) continue;
      const auto& links = aligner_.align(hyp, s.hyp_words(), ref, s.ref_words(r), s.vocabulary);
      const auto linked = static_cast<double>(std::count_if(links.hyp.begin(), links.hyp.end(),
                                                            [](u32 j) { return j != kUnlinked; }));
      const double chunks = links.chunks();
      const double value = score(linked, chunks, hyp.size, ref.size);
      if (value <= best) continue;
      best = value;
      out[0] = linked, out[1] = chunks, out[3] = ref.size, out[4] = value;
    }
  }

 private:
  double score(double linked, double chunks, double hyp_size, double ref_size) const {
    if (linked == 0) return 0;
    const double precision = linked / hyp_size, recall = linked / ref_size;
    const double mean = precision * recall / (config_.alpha * precision + (1 - config_.alpha) * recall);
    return mean * (1 - config_.gamma * std::pow(chunks / linked, config_.beta));
  }
  MeteorConfig config_;
  StagedAligner aligner_;
};

class MeteorKernel final : public Kernel {
 public:
  explicit MeteorKernel(MeteorConfig config) : config_(std::move(config)) {}
  std::size_t columns() const override { return 6; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<MeteorWorker>(config_); }

 private:
  MeteorConfig config_;
};

}  // namespace nlg
