// The pool processes every item once, reduces in order, and rethrows the lowest item's exception,
// whatever the timing, without deadlocks.
#include "demotic/base/thread_pool.h"

#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const StopFlag kGoOn;

struct Failure : std::runtime_error {
  explicit Failure(int64_t item) : std::runtime_error(std::to_string(item)), item(item) {}
  int64_t item;
};

// Some items take longer, differently in each round.
void dawdle(uint64_t round, int64_t item) {
  Rng rng = Rng(round).fork(static_cast<uint64_t>(item));
  if (rng.below(4) == 0) std::this_thread::sleep_for(std::chrono::microseconds(rng.below(300)));
}

// The item of the exception thrown by `call`, or -1.
template <typename Call>
int64_t failed_item(Call&& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.item;
  }
  return -1;
}

}  // namespace

TEST_CASE("every item is processed once by a worker of the pool, call after call") {
  for (int threads = 1; threads <= 8; ++threads) {
    ThreadPool pool(threads);
    CHECK_EQ(pool.threads(), threads);
    for (int64_t count : {0, 1, 2, 7, 1000, 1, 0, 50}) {
      std::vector<int> done(count);
      pool.for_each(count, kGoOn, [&](int64_t item, int worker) {
        CHECK(worker >= 0 && worker < threads);
        ++done[item];
      });
      CHECK_EQ(std::accumulate(done.begin(), done.end(), int64_t{0}), count);
      for (int times : done) CHECK_EQ(times, 1);
    }
  }
}

TEST_CASE("each worker has its own number, so scratch space needs no lock") {
  ThreadPool pool(6);
  std::vector<int64_t> sums(6);
  pool.for_each(20000, kGoOn, [&](int64_t item, int worker) { sums[worker] += item; });
  CHECK_EQ(std::accumulate(sums.begin(), sums.end(), int64_t{0}), 20000 * 19999 / 2);
}

TEST_CASE("fewer than one thread is one") {
  ThreadPool pool(-3);
  CHECK_EQ(pool.threads(), 1);
  int done = 0;
  pool.for_each(5, kGoOn, [&](int64_t, int) { ++done; });
  CHECK_EQ(done, 5);
}

TEST_CASE("results are reduced in order with any number of threads and any delays") {
  for (int threads = 1; threads <= 8; ++threads) {
    ThreadPool pool(threads);
    for (int64_t count : {0, 1, 3, 400}) {
      std::vector<int64_t> order;
      bool inside = false;
      pool.map_reduce(
          count, kGoOn,
          [&](int64_t item, int) {
            dawdle(static_cast<uint64_t>(threads), item);
            return std::make_unique<int64_t>(item * item);
          },
          [&](int64_t item, std::unique_ptr<int64_t> square) {
            CHECK(!std::exchange(inside, true));
            CHECK_EQ(*square, item * item);
            order.push_back(item);
            inside = false;
          });
      std::vector<int64_t> expected(count);
      std::iota(expected.begin(), expected.end(), 0);
      CHECK(order == expected);
    }
  }
}

TEST_CASE("workers do not run further ahead than the window") {
  constexpr int kThreads = 4;
  ThreadPool pool(kThreads);
  std::atomic<int64_t> reduced{0};
  pool.map_reduce(
      300, kGoOn,
      [&](int64_t item, int) {
        CHECK(item < reduced + 8 * kThreads);
        if (item % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return item;
      },
      [&](int64_t, int64_t) { ++reduced; });
  CHECK_EQ(reduced.load(), 300);
}

TEST_CASE("the exception of the lowest item is rethrown") {
  for (uint64_t round = 0; round < 60; ++round) {
    ThreadPool pool(1 + static_cast<int>(round % 8));
    const auto work = [&](int64_t item) {
      // The later ones fail sooner.
      if (item == 40) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      dawdle(round, item);
      if (item >= 40 && item % 2 == 0) throw Failure(item);
    };
    CHECK_EQ(
        failed_item([&] { pool.for_each(200, kGoOn, [&](int64_t item, int) { work(item); }); }),
        40);
    int64_t reduced = 0;
    CHECK_EQ(failed_item([&] {
               pool.map_reduce(
                   200, kGoOn,
                   [&](int64_t item, int) {
                     work(item);
                     return item;
                   },
                   [&](int64_t item, int64_t) { CHECK_EQ(item, reduced++); });
             }),
             40);
    CHECK_EQ(reduced, 40);
  }
}

TEST_CASE("a reduce that throws fails for its item and is not called again") {
  for (uint64_t round = 0; round < 60; ++round) {
    ThreadPool pool(1 + static_cast<int>(round % 8));
    int64_t last = -1;
    CHECK_EQ(failed_item([&] {
               pool.map_reduce(
                   300, kGoOn,
                   [&](int64_t item, int) {
                     dawdle(round, item);
                     if (item == 105) throw Failure(item);
                     return item;
                   },
                   [&](int64_t item, int64_t) {
                     last = item;
                     if (item == 100) throw Failure(item);
                   });
             }),
             100);
    CHECK_EQ(last, 100);
  }
}

TEST_CASE("a pool can be used after a failure") {
  ThreadPool pool(4);
  for (int round = 0; round < 20; ++round) {
    CHECK_EQ(failed_item([&] {
               pool.for_each(50, kGoOn, [](int64_t item, int) {
                 if (item == 9) throw Failure(item);
               });
             }),
             9);
    std::atomic<int> done{0};
    pool.for_each(50, kGoOn, [&](int64_t, int) { ++done; });
    CHECK_EQ(done.load(), 50);
  }
}

TEST_CASE("the stop flag ends both kinds of call") {
  for (int threads = 1; threads <= 8; ++threads) {
    ThreadPool pool(threads);
    StopFlag each, reduce, before;
    std::atomic<int64_t> done{0};
    CHECK_THROWS_AS(pool.for_each(1 << 30, each,
                                  [&](int64_t, int) {
                                    if (++done >= 100) each.raise();  // every thread that sees it
                                  }),
                    Interrupted);
    CHECK(done >= 100 && done < 100 + 8);
    CHECK_THROWS_AS(pool.map_reduce(
                        1 << 30, reduce, [](int64_t item, int) { return item; },
                        [&](int64_t item, int64_t) {
                          if (item == 500) reduce.raise();
                        }),
                    Interrupted);
    before.raise();
    CHECK_THROWS_AS(pool.for_each(10, before, [](int64_t, int) { CHECK(!"nothing to do"); }),
                    Interrupted);
  }
}

TEST_CASE("no deadlock at the window if the first item is the slowest") {
  ThreadPool pool(8);
  int64_t sum = 0;
  pool.map_reduce(
      500, kGoOn,
      [](int64_t item, int) {
        if (item == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return item;
      },
      [&](int64_t, int64_t value) { sum += value; });
  CHECK_EQ(sum, 500 * 499 / 2);
  CHECK_EQ(failed_item([&] {
             pool.map_reduce(
                 500, kGoOn,
                 [](int64_t item, int) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(item == 0 ? 50 : 0));
                   if (item == 0) throw Failure(item);
                   return item;
                 },
                 [](int64_t, int64_t) {});
           }),
           0);
}
