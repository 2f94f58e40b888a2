// Chains of rows as one kernel.  It reads every operand once, and writes the results that are held.
//
// A Chain is made from the steps that were called: `n_in` and `n_out`, `itemsize(k)` of operand k, `width`, the
// elements that 16 bytes of the widest one hold, and `run`, which takes N elements at one index of every operand
// through all steps.  What lies between two steps is an element as it would have been stored, so a chain gives the
// bits of its steps one by one.
#include "operands.cuh"
#include "row_body.cuh"

template <class Chain, int N, bool Aligned>
ND_DEVICE void dense_chain_packet(const DenseChainArguments& arguments, long long first) {
  char* addresses[Chain::n_in + Chain::n_out];
#pragma unroll
  for (int k = 0; k < Chain::n_in + Chain::n_out; ++k)
    addresses[k] = arguments.operands[k] + (arguments.constant >> k & 1 ? 0 : first * Chain::itemsize(k));
  Chain::template run<N, Aligned>(addresses, arguments.constant, arguments.values);
}

// N elements at a time; the rest one by one.
template <class Chain, int N, bool Aligned> ND_DEVICE void chain_dense(const DenseChainArguments& arguments) {
  const long long n_packets = arguments.n / N;
  for (long long i = first_thread(); i < n_packets; i += all_threads())
    dense_chain_packet<Chain, N, Aligned>(arguments, i * N);
  if constexpr (N > 1)
    for (long long i = n_packets * N + first_thread(); i < arguments.n; i += all_threads())
      dense_chain_packet<Chain, 1, false>(arguments, i);
}

template <class Chain, int N, bool Wide> ND_DEVICE void chain_strided(const StridedChainArguments& arguments) {
  constexpr int OPERANDS = Chain::n_in + Chain::n_out;
  for (long long i = first_thread(); i < arguments.n; i += all_threads()) {
    long long offsets[OPERANDS];
    find_offsets<OPERANDS, Wide>(arguments, i, offsets);
    char* addresses[OPERANDS];
#pragma unroll
    for (int k = 0; k < OPERANDS; ++k) addresses[k] = arguments.operands[k] + offsets[k];
    Chain::template run<N, (N > 1)>(addresses, arguments.constant, arguments.values);
  }
}
