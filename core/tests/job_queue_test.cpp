// Jobs take turns task by task; native tasks run inside `work`, others are handed out; failures are
// those of their task; nothing is lost when the queue is closed.
#include "demotic/base/job_queue.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

struct Letters : JobQueue::Job {
  Letters(char letter, int64_t count, std::string* order, bool native = true)
      : letter(letter), count(count), order(order), native(native) {}
  int64_t tasks() const override { return count; }
  bool is_native() const override { return native; }
  void run(int64_t) override {
    if (letter == '!') throw std::runtime_error("failed");
    *order += letter;
  }
  char letter;
  int64_t count;
  std::string* order;
  bool native;
};

struct Counting : JobQueue::Job {
  Counting(int64_t count, std::atomic<int64_t>* done) : count(count), done(done) {}
  int64_t tasks() const override { return count; }
  bool is_native() const override { return true; }
  void run(int64_t) override { ++*done; }
  int64_t count;
  std::atomic<int64_t>* done;
};

}  // namespace

TEST_CASE("jobs take turns, and others than native tasks are left to the caller") {
  std::string order;
  int woken = 0;
  JobQueue queue([&] { ++woken; });
  queue.submit(std::make_shared<Letters>('a', 3, &order));
  queue.submit(std::make_shared<Letters>('b', 1, &order));
  queue.submit(std::make_shared<Letters>('c', 2, &order, false));
  queue.close();
  for (int64_t number = 0; auto task = queue.work(); ++number) {
    CHECK_EQ(task->number, number);
    order += 'c';
  }
  CHECK_EQ(order, "abcaca");
  CHECK_EQ(queue.finished().size(), 4u);
  CHECK_EQ(woken, 1);  // nobody has collected them meanwhile
  CHECK(queue.finished().empty());
  CHECK(!queue.work());
}

TEST_CASE("a task that throws has its failure, and others go on") {
  std::string order;
  JobQueue queue([] {});
  queue.submit(std::make_shared<Letters>('!', 1, &order));
  queue.submit(std::make_shared<Letters>('a', 1, &order));
  queue.close();
  CHECK(!queue.work());
  const std::vector<JobQueue::Task> done = queue.finished();
  CHECK_EQ(done.size(), 2u);
  CHECK(done[0].failure != nullptr);
  CHECK(done[1].failure == nullptr);
  CHECK_EQ(order, "a");
}

TEST_CASE("every task is run once and collected once by any number of threads") {
  for (int threads = 1; threads <= 4; ++threads) {
    std::atomic<int64_t> done = 0, woken = 0;
    JobQueue queue([&] { ++woken; });
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back([&] { CHECK(!queue.work()); });
    size_t collected = 0;
    int64_t submitted = 0;
    for (int64_t i = 0; i < 500; ++i) {
      queue.submit(std::make_shared<Counting>(1 + i % 3, &done));
      submitted += 1 + i % 3;
      collected += queue.finished().size();
    }
    queue.close();
    for (std::thread& worker : workers) worker.join();
    collected += queue.finished().size();
    CHECK_EQ(done.load(), submitted);
    CHECK_EQ(static_cast<int64_t>(collected), submitted);
    CHECK(woken > 0);
  }
}
