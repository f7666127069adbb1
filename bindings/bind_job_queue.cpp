#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#ifdef _WIN32
#include <winsock2.h>
#else
#include <unistd.h>
#endif

#include "queued_jobs.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

// A byte to a socket that does not block. If it is full or closed, its reader needs no more bytes.
void send_byte(intptr_t socket) {
  const char byte = 0;
#ifdef _WIN32
  send(static_cast<SOCKET>(socket), &byte, 1, 0);
#else
  if (write(static_cast<int>(socket), &byte, 1) < 0) return;
#endif
}

// A finished task of a job that was translated natively.
struct FinishedText {
  JobQueue::Task task;

  const QueuedTexts& job() const { return static_cast<const QueuedTexts&>(*task.job); }
  const std::string& text() const {
    if (task.failure) std::rethrow_exception(task.failure);
    return job().result(task.number);
  }
};

const nb::object& owner_of(const JobQueue::Task& task) {
  return static_cast<const QueuedJob&>(*task.job).owner();
}

nb::object work(JobQueue& queue) {
  std::optional<JobQueue::Task> task;
  {
    nb::gil_scoped_release release;
    task = queue.work();
  }
  if (!task) return nb::none();
  return nb::make_tuple(owner_of(*task), task->number);
}

}  // namespace

void bind_job_queue(nb::module_& m) {
  nb::class_<FinishedText>(m, "FinishedText", "A sentence that was translated for a job.")
      .def_prop_ro("owner", [](const FinishedText& self) { return owner_of(self.task); })
      .def_prop_ro("number", [](const FinishedText& self) { return self.task.number; })
      .def_prop_ro("text", &FinishedText::text, "Raises what the search has raised.");
  nb::class_<JobQueue>(m, "JobQueue",
                       "Jobs that take turns, task by task, on the threads that call `work`.")
      .def(
          "__init__",
          [](JobQueue* self, intptr_t socket) { new (self) JobQueue([=] { send_byte(socket); }); },
          nb::arg("socket"), "A byte is sent to the socket when finished sentences wait.")
      .def(
          "submit_calls",
          [](JobQueue& self, nb::object owner, int64_t count) {
            self.submit(std::make_shared<QueuedCalls>(std::move(owner), count));
          },
          nb::arg("owner"), nb::arg("count"), "A job whose tasks are returned by `work`.")
      .def("work", &work, nb::sig("def work(self) -> tuple[object, int] | None"),
           "Translates until a call has its turn, and returns it: the owner of its job and its "
           "number. None after the last task of a closed queue.")
      .def(
          "finished",
          [](JobQueue& self) {
            nb::typed<nb::list, FinishedText> found;
            for (JobQueue::Task& task : self.finished())
              found.append(FinishedText{std::move(task)});
            return found;
          },
          "Sentences that were translated since the last call.")
      .def("close", &JobQueue::close, "`work` returns None when all tasks have begun.");
}

}  // namespace demotic::python
