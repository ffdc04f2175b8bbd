// How long computations can be stopped: by a signal such as Ctrl-C, or because another thread failed.
//
// Loops call `checkpoint(work)` with about the number of steps since they last did. It only counts,
// and looks up about every millisecond: the threads of `parallel` look at a flag, a thread that came
// from Python asks `signals` every kPatience. What it throws unwinds the computation.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace nlg {

// A thread stops because another one failed, whose exception is the one to be seen.
struct Stopped {};

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{50};

// Handles pending signals and throws if a handler did; set by the bindings, which know Python.
inline void (*signals)() = nullptr;

namespace detail {
struct Watch {
  std::uint64_t work = 0;
  const std::atomic<bool>* stop = nullptr;  // of the `parallel` this thread works for
  bool helper = false;                      // made by `parallel`: signals are not its business
  Clock::time_point asked{};
};
inline thread_local Watch watch;
}  // namespace detail

// For loops whose rounds take a tenth of a millisecond and more.
[[gnu::noinline, gnu::cold]] inline void look_up() {
  auto& watch = detail::watch;
  watch.work = 0;
  if (watch.stop != nullptr && watch.stop->load(std::memory_order_relaxed)) throw Stopped();
  if (watch.helper || signals == nullptr) return;
  const Clock::time_point now = Clock::now();
  if (now - watch.asked < kPatience) return;
  watch.asked = now;
  signals();
}

inline void checkpoint(std::uint64_t work) {
  if (__builtin_expect((detail::watch.work += work) >= (1u << 18), 0)) look_up();
}

}  // namespace nlg
