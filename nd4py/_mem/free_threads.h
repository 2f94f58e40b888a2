// What threads need that no GIL keeps apart.  Builds of Python with a GIL have nothing of it.
#pragma once
#include <stddef.h>

#ifdef Py_GIL_DISABLED
#include <sched.h>

// A time in which one thread at a time reads and writes what threads share: chains, their arrays, and lists of arrays.
// It ends with the function that declares it, and pauses while its thread gives up its state or waits, so sections
// never wait for each other.  They lock an object that every module knows and that nobody else locks.
typedef PyCriticalSection NdSection;
static inline void nd_leave(NdSection* section) { PyCriticalSection_End(section); }
#define ND_SECTION __attribute__((cleanup(nd_leave))) NdSection
#define nd_enter(section) PyCriticalSection_Begin(section, Py_Ellipsis)
#define nd_enter_own(section, object) PyCriticalSection_Begin(section, object)

// A counter that threads change at once.
#define nd_add(counter, n) ((void)__atomic_add_fetch(counter, n, __ATOMIC_RELAXED))

// All that was written so far is seen before what is written next.
#define nd_publish() __atomic_thread_fence(__ATOMIC_RELEASE)

// The references to an object where these are all there can be: it is this thread's, and no other one has any.
static inline Py_ssize_t nd_references(PyObject* object) {
  if (object->ob_tid != _Py_ThreadId()) return PY_SSIZE_T_MAX;
  if (__atomic_load_n(&object->ob_ref_shared, __ATOMIC_ACQUIRE) >> 2) return PY_SSIZE_T_MAX;
  return object->ob_ref_local;
}

// A lock for a few instructions in which nothing of Python is called.
static inline void nd_spin(int* lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(lock, __ATOMIC_RELAXED)) sched_yield();
}
static inline void nd_unspin(int* lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
#define ND_FREE_THREADS 1
#else
typedef char NdSection;
#define ND_SECTION NdSection
#define nd_enter(section) ((void)0)
#define nd_enter_own(section, object) ((void)0)
#define nd_add(counter, n) ((void)(*(counter) += (n)))
#define nd_publish() ((void)0)
#define nd_references(object) Py_REFCNT(object)
#define nd_spin(lock) ((void)0)
#define nd_unspin(lock) ((void)0)
#define ND_FREE_THREADS 0
#endif

// A reference to an object that a borrowed pointer names, unless its last one is gone: 0 then.  Whoever ends such an
// object makes nobody find the pointer any more before its memory goes.
#if defined(Py_GIL_DISABLED) && PY_VERSION_HEX >= 0x030E0000
#define nd_let_take(object) PyUnstable_EnableTryIncRef(object)
#define nd_take(object) PyUnstable_TryIncRef(object)
#else
#define nd_let_take(object) ((void)0)
#define nd_take(object) (Py_INCREF(object), 1)
#endif

// Whether anybody but a call has a reference to an array that is given to it.  Since Python 3.14 a call may borrow that
// of a variable: functions written in Python have 2 less, and with a GIL the count says nothing of methods.  Without it
// the count has to do, since what `nd_let_take` notes is taken for a reference where Python itself is asked.
#if PY_VERSION_HEX >= 0x030E0000
#if ND_FREE_THREADS
#define nd_method_shares(object) (nd_references(object) > 1)
#else
#define nd_method_shares(object) (!PyUnstable_Object_IsUniqueReferencedTemporary(object))
#endif
#define nd_function_shares(object) (Py_REFCNT(object) > 1)
#else
#define nd_method_shares(object) (Py_REFCNT(object) > 1)
#define nd_function_shares(object) (Py_REFCNT(object) > 3)
#endif
