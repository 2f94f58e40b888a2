// Stacks of their own for functions that stop in the middle and go on later, and the switch between them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>

namespace simulator {
namespace {
constexpr size_t STACK_BYTES = 128 << 10;

struct Fiber {
  ucontext_t context;  // only its stack and its start are used; switching is done below
  void* stack_pointer;
  char* stack;
};

#if defined(__x86_64__)
extern "C" void nd_switch_stack(void** save, void* load);
asm(R"(
.text
.local nd_switch_stack
.type nd_switch_stack,@function
nd_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size nd_switch_stack,.-nd_switch_stack
)");
void* new_context(Fiber* fiber, void (*entry)()) {
  void** top = (void**)(((uintptr_t)fiber->stack + STACK_BYTES) & ~(uintptr_t)15);
  *--top = nullptr;
  *--top = (void*)entry;
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  return top;
}
#else  // portable, and slower: two system calls at each switch
void nd_switch_stack(void** save, void* load) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, (ucontext_t*)load);
}
void* new_context(Fiber* fiber, void (*entry)()) {
  getcontext(&fiber->context);
  fiber->context.uc_stack = {fiber->stack, 0, STACK_BYTES};
  makecontext(&fiber->context, entry, 0);
  return &fiber->context;
}
#endif

// Its lowest page is a guard: a stack that overflows is a fault.
Fiber* new_fiber() {
  Fiber* fiber = new Fiber();
  fiber->stack = (char*)mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(fiber->stack, 4096, PROT_NONE);
  return fiber;
}
}  // namespace
}  // namespace simulator
