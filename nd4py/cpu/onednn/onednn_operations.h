// Cache of oneDNN operations.  They are made once for each shape and number of threads, kept, and run in memory of our
// pool.
//
// Design: an operation is looked up by the numbers that describe it.  It belongs to one number of threads, because
// oneDNN cuts its work when the operation is made.  It lets the library choose the layouts and puts operands in them
// first.  A lookup that ends in an operation without a primitive means: the library has no fast way to do this.
#pragma once
#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads() { return 1; }
static void omp_set_num_threads(int) {}
#endif

#include "conv_loops.h"
#include "onednn_api.h"

namespace nd_onednn {

constexpr int MAX_OPERANDS = 4;
constexpr size_t KEPT_OPERATIONS = 128;  // operations; the one that was used longest ago makes room

struct Operand {
  int name = 0;
  bool is_output = false;
  Object given = nullptr;    // the layout it has
  Object wanted = nullptr;   // the one the library chose; belongs to the operation
  Object reorder = nullptr;  // a primitive between the two, where they differ
  size_t bytes = 0;          // of the wanted layout
};

typedef std::array<int64_t, 26> Key;

struct Operation {
  Key key{};
  Object primitive = nullptr, described = nullptr, scratchpad = nullptr;
  Operand operands[MAX_OPERANDS];
  int n_operands = 0;
  size_t scratch_bytes = 0;

  Operation() = default;
  Operation(const Operation&) = delete;
  ~Operation() {
    if (primitive) call.primitive_destroy(primitive);
    if (described) call.primitive_desc_destroy(described);
    for (int i = 0; i < n_operands; ++i) {
      if (operands[i].reorder) call.primitive_destroy(operands[i].reorder);
      if (operands[i].given) call.memory_desc_destroy(operands[i].given);
    }
  }
};

inline Object engine = nullptr;
inline std::mutex making;
inline std::list<std::shared_ptr<Operation>> kept;

// A description that is destroyed at the end of its scope.
class Layout {
 public:
  Layout(int ndim, const int64_t* dims, int dtype, int tag) {
    if (call.memory_desc_create_with_tag(&object, ndim, dims, dtype, tag)) object = nullptr;
  }
  Layout(const Layout&) = delete;
  ~Layout() {
    if (object) call.memory_desc_destroy(object);
  }
  Object object = nullptr;
};

// Makes the calling thread's regions n threads wide while it lives.
class ThreadCount {
 public:
  explicit ThreadCount(int n) : before(omp_get_max_threads()) { omp_set_num_threads(n); }
  ~ThreadCount() { omp_set_num_threads(before); }

 private:
  int before;
};

inline Object make_reorder(Object from, Object to) {
  Object described = nullptr, primitive = nullptr;
  if (call.reorder_primitive_desc_create(&described, from, engine, to, engine, nullptr)) return nullptr;
  if (call.primitive_create(&primitive, described)) primitive = nullptr;
  call.primitive_desc_destroy(described);
  return primitive;
}

// Adds an operand whose wanted layout is the answer to `query`.  `given` passes to the operation.
inline bool add_operand(Operation& op, int name, bool is_output, int query, int index, Object given) {
  Operand& x = op.operands[op.n_operands++];
  x.name = name;
  x.is_output = is_output;
  x.given = given;
  x.wanted = call.primitive_desc_query_md(op.described, query, index);
  if (!x.given || !x.wanted) return false;
  x.bytes = call.memory_desc_get_size(x.wanted);
  if (call.memory_desc_equal(x.given, x.wanted)) return true;
  x.reorder = is_output ? make_reorder(x.wanted, x.given) : make_reorder(x.given, x.wanted);
  return x.reorder;
}

inline Object plain(int ndim, const int64_t* dims, int dtype) {
  Object layout = nullptr;
  return call.memory_desc_create_with_tag(&layout, ndim, dims, dtype, LAYOUT_OF_RANK + ndim) ? nullptr : layout;
}

// Makes the primitive of a described operation; a reference implementation counts as none.
inline bool finish(Operation& op) {
  const char* name = nullptr;
  if (call.primitive_desc_query(op.described, QUERY_IMPLEMENTATION, 0, &name)) return false;
  if (std::string(name).rfind("ref", 0) == 0) return false;
  op.scratchpad = call.primitive_desc_query_md(op.described, QUERY_SCRATCHPAD, 0);
  op.scratch_bytes = op.scratchpad ? call.memory_desc_get_size(op.scratchpad) : 0;
  return call.primitive_create(&op.primitive, op.described) == 0;
}

// The operation of this key, made by `make` if it is new.
template <class Make> std::shared_ptr<Operation> find_operation(const Key& key, Make make) {
  const std::lock_guard<std::mutex> lock(making);
  for (auto entry = kept.begin(); entry != kept.end(); ++entry)
    if ((*entry)->key == key) {
      kept.splice(kept.begin(), kept, entry);
      return kept.front();
    }
  auto op = std::make_shared<Operation>();
  op->key = key;
  if (!make(*op) && op->primitive) {
    call.primitive_destroy(op->primitive);
    op->primitive = nullptr;
  }
  kept.push_front(op);
  if (kept.size() > KEPT_OPERATIONS) kept.pop_back();
  return op;
}

inline void forget_operations() {
  const std::lock_guard<std::mutex> lock(making);
  kept.clear();
}

inline size_t aligned(size_t n) { return (n + 63) & ~size_t(63); }

inline size_t workspace_bytes(const Operation& op) {
  size_t total = aligned(op.scratch_bytes);
  for (int i = 0; i < op.n_operands; ++i) total += op.operands[i].reorder ? aligned(op.operands[i].bytes) : 0;
  return total;
}

// Memory objects of one run.
class Run {
 public:
  Run() { failed = call.stream_create(&stream, engine, IN_ORDER) != 0; }
  Run(const Run&) = delete;
  ~Run() {
    for (int i = 0; i < n_memories; ++i) call.memory_destroy(memories[i]);
    if (stream) call.stream_destroy(stream);
  }
  Object memory(Object layout, void* data) {
    Object made = nullptr;
    if (call.memory_create(&made, layout, engine, data)) {
      failed = true;
      return nullptr;
    }
    return memories[n_memories++] = made;
  }
  void execute(Object primitive, const Argument* arguments, int n) {
    if (!failed && call.primitive_execute(primitive, stream, n, arguments)) failed = true;
  }
  bool finish() { return !failed && call.stream_wait(stream) == 0; }

 private:
  Object stream = nullptr, memories[2 * MAX_OPERANDS + 1];
  int n_memories = 0;
  bool failed;
};

// Runs an operation on operands in its order, with workspace_bytes of memory; false where the library failed.
inline bool run_operation(const Operation& op, char* const* operands, char* workspace, int n_threads) {
  const ThreadCount limit(n_threads);
  Run run;
  Argument arguments[MAX_OPERANDS + 1];
  Object own[MAX_OPERANDS];
  arguments[op.n_operands] = {SCRATCHPAD, op.scratch_bytes ? run.memory(op.scratchpad, workspace) : nullptr};
  workspace += aligned(op.scratch_bytes);
  for (int i = 0; i < op.n_operands; ++i) {
    const Operand& x = op.operands[i];
    own[i] = run.memory(x.given, operands[i]);
    arguments[i] = {x.name, own[i]};
    if (!x.reorder) continue;
    arguments[i].memory = run.memory(x.wanted, workspace);
    workspace += aligned(x.bytes);
    const Argument there[2] = {{SOURCE, own[i]}, {RESULT, arguments[i].memory}};
    if (!x.is_output) run.execute(x.reorder, there, 2);
  }
  run.execute(op.primitive, arguments, op.n_operands + (op.scratch_bytes ? 1 : 0));
  for (int i = 0; i < op.n_operands; ++i) {
    const Argument back[2] = {{SOURCE, arguments[i].memory}, {RESULT, own[i]}};
    if (op.operands[i].is_output && op.operands[i].reorder) run.execute(op.operands[i].reorder, back, 2);
  }
  return run.finish();
}

}  // namespace nd_onednn
